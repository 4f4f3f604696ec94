#include "train/guidance/pseudo_labels.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "train/guidance/guidance.hpp"
#include "train/guidance/imagenet_outputs.hpp"
#include "train/guidance/text_encoder.hpp"
#include "train/inputs/session.hpp"
#include "train/language/wordnet_names.hpp"
#include "train/models/pretrained.hpp"
#include "train/settings/missing_models.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kImageNetClasses = 1000;
constexpr std::int64_t kImageSize = 224;  // what ImageNet classifiers are trained for
constexpr double kCentreCrop = 0.875;
// Parts of the names of what is kept: what was made in another way has another name and is never opened.
constexpr const char* kOutputsFormat = "imagenet/1";
constexpr const char* kTableFormat = "guidance/1";
constexpr const char* kPrompt = "A photo of a {}";

fs::path weights_of(const PseudoLabelOptions& options, const MachineOptions& machine) {
  return require_weights("--guidance-weights", options.weights.string(), {.classifier = options.backbone},
                         machine.model_folder);
}

// What a table is made with, said together.
void require_table_models(const PseudoLabelOptions& options, const MachineOptions& machine) {
  require_models(
      {.classifier = options.weights.empty() ? options.backbone : "", .text_encoder = options.text_encoder},
      machine.model_folder);
}

// The last layer, which an embedder leaves out.
std::pair<torch::Tensor, torch::Tensor> classifier_of(const TensorFile& file, const std::string& head,
                                                      std::int64_t features, const fs::path& path) {
  const auto weight = file.tensors.find(head + ".weight");
  const auto bias = file.tensors.find(head + ".bias");
  if (weight == file.tensors.end() || bias == file.tensors.end())
    throw Error(fmt::format(
        "{} holds no classifier ('{}.weight' and '{}.bias'): pseudo-labels need its {} ImageNet outputs",
        path.string(), head, head, kImageNetClasses));
  const auto outputs = weight->second.dim() == 2 ? weight->second.size(0) : 0;
  if (outputs != kImageNetClasses || bias->second.numel() != kImageNetClasses ||
      weight->second.size(1) != features)
    throw Error(
        fmt::format("{}: the classifier has {} outputs; pseudo-labels need one with ImageNet's {} classes "
                    "over {} features",
                    path.string(), outputs, kImageNetClasses, features));
  return {weight->second.to(torch::kFloat32), bias->second.to(torch::kFloat32)};
}

TrainConfig classifier_config(const PseudoLabelOptions& options, const fs::path& weights) {
  TrainConfig config;
  config.backbone = options.backbone;
  config.weights = weights.string();
  config.image_size = kImageSize;
  config.centre_crop = kCentreCrop;
  config.dimension = 2;  // the embedding's head is not used
  return config;
}

std::string text_key(const PseudoLabelOptions& options) {
  return TextEncoder(options.text_encoder, {.pooling = options.pooling}).digest();
}

// Of the training images and their ids; broken ones may have been left out.
std::string image_digest(const TrainData& data, const MachineOptions& machine) {
  const ImageInputs images(data.root, data.train, TrainConfig{}, PixelScale{}, /*memory=*/0);
  return images.content_digest(worker_count(machine));
}

// Mean logits of every training class, in double precision and sample order: the same bits everywhere.
torch::Tensor mean_logits(const torch::Tensor& logits, const TrainData& data) {
  auto sums = torch::zeros({static_cast<std::int64_t>(data.classes.size()), logits.size(1)}, torch::kFloat64);
  auto counts = torch::zeros({sums.size(0), 1}, torch::kFloat64);
  const auto index = torch::tensor(data.train_class, torch::kInt64);
  sums.index_add_(0, index, logits.to(torch::kFloat64));
  counts.index_add_(0, index, torch::ones({logits.size(0), 1}, torch::kFloat64));
  return sums / counts;
}

// The best outputs of a row, ties by their order.
std::vector<std::int64_t> best_outputs(const torch::Tensor& row, std::int64_t count) {
  const auto values = row.to(torch::kFloat64).contiguous();
  const double* scores = values.data_ptr<double>();
  std::vector<std::int64_t> order(static_cast<std::size_t>(values.numel()));
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](std::int64_t a, std::int64_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

}  // namespace

PseudoLabelOptions pseudo_label_options(const TrainConfig& config, const MachineOptions& machine) {
  PseudoLabelOptions options;
  options.backbone = config.guidance_backbone;
  options.weights = config.guidance_weights;
  options.text_encoder = text_encoder_folder(config.text_encoder, machine.model_folder);
  options.pooling = config.text_pooling;
  options.ranks = config.guidance_ranks;
  options.per_sample = config.guidance_per == "sample";
  return options;
}

ImageNetOutputs imagenet_outputs(const PseudoLabelOptions& options, const TrainData& data,
                                 const MachineOptions& machine, const TrainObserver& observer) {
  const auto weights = weights_of(options, machine);
  const auto config = classifier_config(options, weights);
  const auto backbone = make_backbone(options.backbone, config.seed, machine.trust_code);
  const auto [weight, bias] =
      classifier_of(read_pretrained(weights), backbone->head_name(), backbone->features(), weights);
  const auto key =
      sha256_hex(fmt::format("{} {} {} {} {} {}", kOutputsFormat, options.backbone, sha256_file(weights),
                             kImageSize, kCentreCrop, image_digest(data, machine)));
  const auto kept = machine.cache_folder / ("imagenet-" + key.substr(0, 32) + ".safetensors");
  if (fs::exists(kept)) {
    auto file = read_safetensors(kept);
    return {file.tensors.at("features"), file.tensors.at("logits")};
  }
  TrainData images;
  images.root = data.root;
  images.train = data.train;
  auto session = open_session(config, images, machine, observer);
  const torch::NoGradGuard no_gradients;
  const auto features =
      features_of_all(*session.model, *session.train_images,
                      session.embed_options(config, observer.progress_of("ImageNet classes of the images")));
  TensorFile file;
  file.tensors["features"] = features;
  file.tensors["logits"] = torch::addmm(bias, features, weight.t());
  write_safetensors(kept, file, IfExists::kReplace);
  return {features, file.tensors["logits"]};
}

GuidanceTable make_guidance_table(const PseudoLabelOptions& options, const TrainData& data,
                                  const MachineOptions& machine, const TrainObserver& observer) {
  require_table_models(options, machine);
  const auto classes = imagenet_classes();
  const TextEncoder encoder(options.text_encoder, {.pooling = options.pooling});
  const auto outputs = imagenet_outputs(options, data, machine, observer);
  const auto scores =
      options.per_sample ? outputs.logits.to(torch::kFloat64) : mean_logits(outputs.logits, data);
  GuidanceTable table;
  table.per_sample = options.per_sample;
  std::vector<std::string> prompts;
  std::map<std::int64_t, std::size_t> text_of;  // ImageNet class → prompt
  for (std::int64_t row = 0; row < scores.size(0); ++row) {
    const auto unit = static_cast<std::size_t>(row);
    GuidanceEntry entry;
    if (options.per_sample) {
      entry.key = data.train[unit].id;
      entry.name = data.train[unit].path;
    } else {
      entry.key = data.classes[unit];
      entry.name = data.info.classes.at(static_cast<std::size_t>(entry.key)).name;
    }
    for (const auto output : best_outputs(scores[row], options.ranks)) {
      const auto& known = classes.at(static_cast<std::size_t>(output));
      const auto [text, fresh] = text_of.try_emplace(output, prompts.size());
      if (fresh) prompts.push_back(fmt::format(fmt::runtime(kPrompt), known.name));
      entry.labels.push_back({known.wnid, known.name, scores[row][output].item<double>(), text->second});
    }
    table.entries.push_back(std::move(entry));
  }
  const auto vectors = encoder.embed(prompts, observer.progress_of("texts")).contiguous();
  table.dimension = vectors.size(1);
  table.vectors.assign(vectors.data_ptr<float>(), vectors.data_ptr<float>() + vectors.numel());
  table.provenance = {{"dataset", data.info.dataset},
                      {"labels", data.digest},
                      {"classifier", options.backbone},
                      {"weights", sha256_file(weights_of(options, machine))},
                      {"text_encoder", options.text_encoder.filename().string()},
                      {"text_digest", encoder.digest()},
                      {"pooling", options.pooling},
                      {"prompt", kPrompt}};
  return table;
}

fs::path guidance_table_path(const PseudoLabelOptions& options, const TrainData& data,
                             const MachineOptions& machine) {
  require_table_models(options, machine);
  const auto key = sha256_hex(fmt::format(
      "{} {} {} {} {} {} {} {}", kTableFormat, data.digest, image_digest(data, machine), options.backbone,
      sha256_file(weights_of(options, machine)), text_key(options), options.ranks, options.per_sample));
  return machine.cache_folder / ("guidance-" + key.substr(0, 32) + ".parquet");
}

std::optional<Guidance> open_guidance(const TrainConfig& config, const TrainData& data,
                                      const MachineOptions& machine, const TrainObserver& observer) {
  if (config.guidance == "off" || config.omega == 0) return std::nullopt;
  const auto note = [&](const std::string& message) {
    if (observer.note) observer.note(message);
  };
  const auto options = pseudo_label_options(config, machine);
  if (config.guidance.starts_with("file:")) {
    const auto path = config.guidance.substr(5);
    const auto given = read_text_guidance(path);
    if (const auto* table = std::get_if<GuidanceTable>(&given)) return Guidance(*table, data, path);
    return Guidance::from_text(std::get<NamedVectors>(given), data, path);
  }
  if (config.guidance.starts_with("image:")) {
    const auto path = config.guidance.substr(6);
    return Guidance::from_samples(read_sample_vectors(path), data, path);
  }
  if (config.guidance == "image")
    return Guidance::from_features(imagenet_outputs(options, data, machine, observer).features);
  const auto path = guidance_table_path(options, data, machine);
  if (!fs::exists(path)) {
    note("guidance: making the table of pseudo-labels");
    write_guidance_table(path, make_guidance_table(options, data, machine, observer), IfExists::kReplace);
  }
  note(fmt::format("guidance: {}", path.string()));
  return Guidance(read_guidance_table(path), data, path.string());
}

}  // namespace procsim::train
