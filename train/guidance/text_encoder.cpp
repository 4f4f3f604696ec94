#include "train/guidance/text_encoder.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/files/atomic_file.hpp"
#include "train/language/word_piece.hpp"
#include "train/models/safetensors.hpp"
#include "train/models/unit_rows.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kBatch = 32;

// What config.json says of the architecture.
struct BertShape {
  std::int64_t vocabulary = 0, hidden = 0, layers = 0, heads = 0, intermediate = 0, positions = 0, types = 0;
  double epsilon = 1e-12;
  std::string activation = "gelu";
};

nlohmann::json read_json(const fs::path& path) {
  const auto json = parse_json<nlohmann::json>(read_file(path));
  if (!json.is_object()) throw Error(path.string() + " is not a JSON object");
  return json;
}

BertShape shape_of(const nlohmann::json& json, const fs::path& path) {
  const auto type = json.value("model_type", "bert");
  if (type != "bert")
    throw Error(fmt::format("{}: the model is of type '{}'; text encoders of type bert are read",
                            path.string(), type));
  if (json.value("position_embedding_type", "absolute") != "absolute")
    throw Error(fmt::format("{}: positions of type '{}' are not read, only absolute ones", path.string(),
                            json["position_embedding_type"].dump()));
  BertShape shape;
  const auto number = [&](const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_integer() || found->get<std::int64_t>() < 1)
      throw Error(fmt::format("{}: '{}' is missing or not a whole number above 0", path.string(), name));
    return found->get<std::int64_t>();
  };
  shape.vocabulary = number("vocab_size");
  shape.hidden = number("hidden_size");
  shape.layers = number("num_hidden_layers");
  shape.heads = number("num_attention_heads");
  shape.intermediate = number("intermediate_size");
  shape.positions = number("max_position_embeddings");
  shape.types = json.value("type_vocab_size", std::int64_t{2});
  shape.epsilon = json.value("layer_norm_eps", 1e-12);
  shape.activation = json.value("hidden_act", "gelu");
  if (shape.hidden % shape.heads != 0)
    throw Error(fmt::format("{}: hidden_size {} is not a multiple of num_attention_heads {}", path.string(),
                            shape.hidden, shape.heads));
  const auto& act = shape.activation;
  if (act != "gelu" && act != "gelu_new" && act != "gelu_pytorch_tanh" && act != "relu")
    throw Error(
        fmt::format("{}: the activation '{}' is not known (gelu, gelu_new, relu)", path.string(), act));
  return shape;
}

BertShape read_shape(const fs::path& path) try {
  return shape_of(read_json(path), path);
} catch (const nlohmann::json::exception& exception) {
  throw Error(fmt::format("{} is damaged: {}", path.string(), exception.what()));
}

WordPieceOptions tokenizer_options(const fs::path& folder) {
  WordPieceOptions options;
  const auto path = folder / "tokenizer_config.json";
  if (!fs::exists(path)) return options;
  const auto json = read_json(path);
  const auto flag = [&](const char* name, bool otherwise) {
    const auto found = json.find(name);
    return found != json.end() && found->is_boolean() ? found->get<bool>() : otherwise;
  };
  options.lower_case = flag("do_lower_case", true);
  options.strip_accents = flag("strip_accents", options.lower_case);
  options.part_ideographs = flag("tokenize_chinese_chars", true);
  return options;
}

struct Linear {
  torch::Tensor weight, bias;
  torch::Tensor operator()(const torch::Tensor& x) const { return torch::linear(x, weight, bias); }
};

struct LayerNorm {
  torch::Tensor weight, bias;
  double epsilon = 1e-12;
  torch::Tensor operator()(const torch::Tensor& x) const {
    return torch::layer_norm(x, {x.size(-1)}, weight, bias, epsilon);
  }
};

struct Layer {
  Linear query, key, value, attended, wide, narrow;
  LayerNorm attention_norm, output_norm;
};

// The tensors of a file under the names of the architecture, whatever prefix they carry.
class Weights {
 public:
  Weights(const fs::path& path, const BertShape& shape)
      : path_(path), shape_(shape), file_(read_safetensors(path)) {
    const std::string first = "embeddings.word_embeddings.weight";
    for (const auto& [name, tensor] : file_.tensors)
      if (name.ends_with(first)) {
        prefix_ = name.substr(0, name.size() - first.size());
        return;
      }
    throw Error(fmt::format("{} holds no BERT encoder: it has no tensor '{}'", path.string(), first));
  }

  torch::Tensor take(const std::string& name, const std::vector<std::int64_t>& sizes) const {
    auto found = file_.tensors.find(prefix_ + name);
    // Weights that were converted from TensorFlow have these names in their layer norms.
    if (found == file_.tensors.end() && name.ends_with("LayerNorm.weight"))
      found = file_.tensors.find(prefix_ + name.substr(0, name.size() - 6) + "gamma");
    if (found == file_.tensors.end() && name.ends_with("LayerNorm.bias"))
      found = file_.tensors.find(prefix_ + name.substr(0, name.size() - 4) + "beta");
    if (found == file_.tensors.end())
      throw Error(
          fmt::format("{} lacks the tensor '{}{}' that config.json asks for", path_.string(), prefix_, name));
    if (found->second.sizes() != torch::IntArrayRef(sizes))
      throw Error(fmt::format("{}: the tensor '{}{}' is {} and config.json makes it {}", path_.string(),
                              prefix_, name, text(found->second.sizes()), text(sizes)));
    return found->second.to(torch::kFloat32).contiguous();
  }

  Linear linear(const std::string& name, std::int64_t in, std::int64_t out) const {
    return {take(name + ".weight", {out, in}), take(name + ".bias", {out})};
  }
  LayerNorm norm(const std::string& name) const {
    return {take(name + ".weight", {shape_.hidden}), take(name + ".bias", {shape_.hidden}), shape_.epsilon};
  }

 private:
  static std::string text(torch::IntArrayRef sizes) {
    std::string joined;
    for (const auto side : sizes) joined += (joined.empty() ? "" : "×") + std::to_string(side);
    return joined;
  }

  fs::path path_;
  BertShape shape_;
  TensorFile file_;
  std::string prefix_;
};

fs::path required(const fs::path& folder, const char* name) {
  if (fs::is_regular_file(folder / name)) return folder / name;
  throw Error(fmt::format(
      "{} is not there: a text encoder is a folder with model.safetensors, vocab.txt and config.json. Run "
      "scripts/setup.sh --models for all-minilm-l6-v2.",
      (folder / name).string()));
}

void check_vocabulary(const fs::path& folder, const WordPiece& tokenizer, const BertShape& shape) {
  if (tokenizer.size() == shape.vocabulary) return;
  throw Error(
      fmt::format("{} has {} pieces and the weights have {} (vocab_size in {}): it belongs to another model",
                  (folder / "vocab.txt").string(), tokenizer.size(), shape.vocabulary,
                  (folder / "config.json").string()));
}

}  // namespace

struct TextEncoder::State {
  TextEncoderOptions options;
  BertShape shape;
  WordPiece tokenizer;
  torch::Tensor words, positions, type;
  LayerNorm norm;
  std::vector<Layer> layers;
  std::string digest;

  torch::Tensor activation(const torch::Tensor& x) const {
    if (shape.activation == "relu") return torch::relu(x);
    return torch::gelu(x, shape.activation == "gelu" ? "none" : "tanh");
  }

  // Heads apart: batch × tokens × hidden → batch × heads × tokens × hidden/heads.
  torch::Tensor apart(const torch::Tensor& x) const {
    return x.view({x.size(0), x.size(1), shape.heads, shape.hidden / shape.heads}).transpose(1, 2);
  }

  torch::Tensor run_layer(const Layer& layer, const torch::Tensor& x, const torch::Tensor& mask) const {
    const auto context = torch::scaled_dot_product_attention(apart(layer.query(x)), apart(layer.key(x)),
                                                             apart(layer.value(x)), mask);
    const auto joined = context.transpose(1, 2).reshape(x.sizes());
    const auto attended = layer.attention_norm(layer.attended(joined) + x);
    return layer.output_norm(layer.narrow(activation(layer.wide(attended))) + attended);
  }

  torch::Tensor run(const std::vector<std::vector<std::int64_t>>& texts) const {
    std::size_t longest = 0;
    for (const auto& ids : texts) longest = std::max(longest, ids.size());
    auto ids = torch::zeros({static_cast<std::int64_t>(texts.size()), static_cast<std::int64_t>(longest)},
                            torch::kInt64);
    auto real = torch::zeros(ids.sizes(), torch::kBool);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i);
      const auto length = static_cast<std::int64_t>(texts[i].size());
      ids[row].slice(0, 0, length).copy_(torch::tensor(texts[i], torch::kInt64));
      real[row].slice(0, 0, length).fill_(true);
    }
    auto x =
        norm(torch::embedding(words, ids) + type + positions.slice(0, 0, static_cast<std::int64_t>(longest)));
    const auto mask = real.unsqueeze(1).unsqueeze(1);
    for (const auto& layer : layers) x = run_layer(layer, x, mask);
    torch::Tensor pooled;
    if (options.pooling == "cls") {
      pooled = x.select(1, 0);
    } else {
      const auto weight = real.unsqueeze(2).to(torch::kFloat32);
      pooled = (x * weight).sum(1) / weight.sum(1);
    }
    return options.normalize ? unit_rows(pooled) : pooled;
  }
};

TextEncoder::TextEncoder(const fs::path& folder, const TextEncoderOptions& options) {
  if (options.pooling != "mean" && options.pooling != "cls")
    throw UsageError(fmt::format("pooling {}: choose mean or cls", options.pooling));
  const auto vocabulary = required(folder, "vocab.txt");
  const auto shape = read_shape(required(folder, "config.json"));
  const auto path = required(folder, "model.safetensors");
  const auto words_options = tokenizer_options(folder);
  state_ = std::make_unique<State>(
      State{options, shape, WordPiece(vocabulary, words_options), {}, {}, {}, {}, {}, {}});
  check_vocabulary(folder, state_->tokenizer, shape);
  const Weights weights(path, shape);
  state_->words = weights.take("embeddings.word_embeddings.weight", {shape.vocabulary, shape.hidden});
  state_->positions = weights.take("embeddings.position_embeddings.weight", {shape.positions, shape.hidden});
  // Every text is a first sentence.
  state_->type = weights.take("embeddings.token_type_embeddings.weight", {shape.types, shape.hidden})[0];
  state_->norm = weights.norm("embeddings.LayerNorm");
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    const auto name = fmt::format("encoder.layer.{}.", i);
    const auto square = [&](const char* part) {
      return weights.linear(name + part, shape.hidden, shape.hidden);
    };
    state_->layers.push_back({square("attention.self.query"), square("attention.self.key"),
                              square("attention.self.value"), square("attention.output.dense"),
                              weights.linear(name + "intermediate.dense", shape.hidden, shape.intermediate),
                              weights.linear(name + "output.dense", shape.intermediate, shape.hidden),
                              weights.norm(name + "attention.output.LayerNorm"),
                              weights.norm(name + "output.LayerNorm")});
  }
  if (state_->options.max_tokens <= 0 || state_->options.max_tokens > shape.positions)
    state_->options.max_tokens = shape.positions;
  state_->digest = sha256_hex(fmt::format(
      "{} {} {} {} {} {} {}", sha256_file(path), sha256_file(vocabulary), sha256_file(folder / "config.json"),
      options.pooling, options.normalize, state_->options.max_tokens,
      fmt::format("{}{}{}", words_options.lower_case, words_options.strip_accents,
                  words_options.part_ideographs)));
}

TextEncoder::~TextEncoder() = default;
TextEncoder::TextEncoder(TextEncoder&&) noexcept = default;

std::int64_t TextEncoder::dimension() const { return state_->shape.hidden; }
const std::string& TextEncoder::digest() const { return state_->digest; }

torch::Tensor TextEncoder::embed(std::span<const std::string> texts, const Progress& progress) const {
  const torch::NoGradGuard no_gradients;
  std::vector<std::vector<std::int64_t>> ids;
  for (const auto& text : texts) ids.push_back(state_->tokenizer.encode(text, state_->options.max_tokens));
  // Texts of like length go together: little is spent on padding.
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ids[a].size() < ids[b].size(); });
  auto vectors = torch::empty({static_cast<std::int64_t>(texts.size()), dimension()});
  for (std::size_t at = 0; at < order.size(); at += kBatch) {
    const auto end = std::min(order.size(), at + kBatch);
    std::vector<std::vector<std::int64_t>> batch;
    std::vector<std::int64_t> rows;
    for (std::size_t i = at; i < end; ++i) {
      batch.push_back(ids[order[i]]);
      rows.push_back(static_cast<std::int64_t>(order[i]));
    }
    vectors.index_copy_(0, torch::tensor(rows, torch::kInt64), state_->run(batch));
    if (progress) progress(end, order.size());
  }
  return vectors;
}

}  // namespace procsim::train
