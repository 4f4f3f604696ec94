#include "train/inputs/feature_store.hpp"

#include <cstring>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

// Part of the name of a store: a store of another format has another name and is never opened.
constexpr const char* kStoreFormat = "features/1";
constexpr std::size_t kDigestLetters = 64;
constexpr std::int64_t kSaveEvery = 1024;  // images: what an interrupted run loses at most

// Some samples of a source, in an order of their own.
class ChosenInputs : public InputSource {
 public:
  ChosenInputs(const InputSource& source, std::span<const std::int64_t> chosen)
      : source_(source), chosen_(chosen) {}

  std::int64_t size() const override { return static_cast<std::int64_t>(chosen_.size()); }
  std::size_t stage() const override { return source_.stage(); }
  torch::Tensor augmented(std::span<const std::int64_t> samples, std::int64_t first_draw) const override {
    return source_.augmented(places(samples), first_draw);
  }
  torch::Tensor centred(std::span<const std::int64_t> samples) const override {
    return source_.centred(places(samples));
  }

 private:
  std::vector<std::int64_t> places(std::span<const std::int64_t> samples) const {
    std::vector<std::int64_t> list;
    for (const auto sample : samples) list.push_back(chosen_[static_cast<std::size_t>(sample)]);
    return list;
  }

  const InputSource& source_;
  std::span<const std::int64_t> chosen_;
};

// Everything beside the image that decides its features.
std::string store_key(Embedder& model, const TrainConfig& config) {
  const auto& scale = model.backbone().pixel_scale();
  const nlohmann::ordered_json key{
      {"format", kStoreFormat},
      {"backbone", is_torchscript(config.backbone) ? sha256_file(config.backbone) : config.backbone},
      {"weights", weights_digest(model, model.backbone().stages().size())},
      {"image_size", config.image_size},
      {"centre_crop", config.centre_crop},
      {"mean", scale.mean},
      {"deviation", scale.deviation},
      {"bicubic", scale.bicubic},
      {"precision", config.precision}};
  return sha256_hex(key.dump()).substr(0, 32);
}

void compute_missing(FeatureStore& store, Embedder& model, const ImageInputs& images,
                     const std::vector<std::string>& digests, std::span<const std::int64_t> missing,
                     const EmbedOptions& options) {
  const auto count = static_cast<std::int64_t>(missing.size());
  for (std::int64_t first = 0; first < count; first += kSaveEvery) {
    const auto part = missing.subspan(static_cast<std::size_t>(first),
                                      static_cast<std::size_t>(std::min(kSaveEvery, count - first)));
    auto some = options;
    if (options.progress)
      some.progress = [&](std::uint64_t done, std::uint64_t) {
        const auto seen = static_cast<std::uint64_t>(first + static_cast<std::int64_t>(done) * options.batch);
        options.progress(std::min(seen, static_cast<std::uint64_t>(count)),
                         static_cast<std::uint64_t>(count));
      };
    const auto rows = features_of_all(model, ChosenInputs(images, part), some).contiguous();
    const auto width = static_cast<std::size_t>(rows.size(1));
    for (std::size_t i = 0; i < part.size(); ++i)
      store.put(digests[static_cast<std::size_t>(part[i])], {rows.data_ptr<float>() + i * width, width});
    store.save();
  }
}

}  // namespace

FeatureStore::FeatureStore(fs::path path, std::int64_t dimension)
    : path_(std::move(path)), dimension_(dimension) {
  if (!fs::exists(path_)) return;
  const auto content = read_file(path_);
  const auto record = kDigestLetters + static_cast<std::size_t>(dimension_) * sizeof(float);
  if (content.size() % record != 0) return;
  for (std::size_t at = 0; at < content.size(); at += record) {
    std::vector<float> features(static_cast<std::size_t>(dimension_));
    std::memcpy(features.data(), content.data() + at + kDigestLetters, features.size() * sizeof(float));
    rows_[content.substr(at, kDigestLetters)] = std::move(features);
  }
}

const float* FeatureStore::find(const std::string& digest) const {
  const auto found = rows_.find(digest);
  return found == rows_.end() ? nullptr : found->second.data();
}

void FeatureStore::put(const std::string& digest, std::span<const float> features) {
  rows_[digest].assign(features.begin(), features.end());
}

void FeatureStore::save() const {
  fs::create_directories(path_.parent_path());
  AtomicFile out(path_, IfExists::kReplace);
  for (const auto& [digest, features] : rows_) {
    out.write(digest);
    out.write(
        std::string_view(reinterpret_cast<const char*>(features.data()), features.size() * sizeof(float)));
  }
  out.commit();
}

torch::Tensor stored_features(Embedder& model, const ImageInputs& images, const TrainConfig& config,
                              const fs::path& folder, const EmbedOptions& options) {
  if (folder.empty()) return features_of_all(model, images, options);
  const auto dimension = model.backbone().features();
  FeatureStore store(folder / fmt::format("features-{}.f32", store_key(model, config)), dimension);
  const auto digests = images.image_digests(options.workers);
  std::vector<std::int64_t> missing;
  for (std::size_t i = 0; i < digests.size(); ++i)
    if (store.find(digests[i]) == nullptr) missing.push_back(static_cast<std::int64_t>(i));
  compute_missing(store, model, images, digests, missing, options);
  auto rows = torch::empty({images.size(), dimension});
  auto* out = rows.data_ptr<float>();
  for (const auto& digest : digests) {
    std::memcpy(out, store.find(digest), static_cast<std::size_t>(dimension) * sizeof(float));
    out += dimension;
  }
  return rows;
}

}  // namespace procsim::train
