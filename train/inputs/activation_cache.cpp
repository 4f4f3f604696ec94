#include <cstring>
#include <numeric>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "data/base/prefetcher.hpp"
#include "data/files/atomic_file.hpp"
#include "train/inputs/inputs.hpp"
#include "train/models/device.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

// Part of the name of a cache: a cache of another format has another name and is never opened.
constexpr const char* kCacheFormat = "activations/2";
constexpr std::int64_t kBatch =
    16;  // small: activations stay in the cache and below what the allocator keeps

// A file in memory, read-only, for as long as the object lives.
class MappedFile {
 public:
  explicit MappedFile(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw Error("cannot read " + path.string());
    struct stat status{};
    ::fstat(descriptor, &status);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) address_ = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (address_ == MAP_FAILED) throw Error("cannot map " + path.string() + " into memory");
  }
  ~MappedFile() {
    if (size_ > 0) ::munmap(address_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const char* data() const { return static_cast<const char*>(address_); }
  std::size_t size() const { return size_; }

 private:
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

// The output of the frozen part for inputs of these pixels.
torch::Tensor run_frozen(Embedder& model, const torch::Tensor& pixels, std::size_t stage,
                         const std::string& precision) {
  const torch::NoGradGuard no_gradients;
  const PrecisionScope rounded(precision, model.device());
  auto x = pixels.to(model.device()).contiguous(torch::MemoryFormat::ChannelsLast);
  for (std::size_t s = 0; s < std::min(stage, model.backbone().stages().size()); ++s)
    x = model.backbone().run_stage(s, x);
  if (stage >= model.backbone().stages().size()) x = model.backbone().pool(x);
  return x.to(torch::kCPU, torch::kFloat16).contiguous();
}

std::string cache_key(Embedder& model, const ImageInputs& images, const TrainConfig& config,
                      const ActivationCacheOptions& options) {
  nlohmann::ordered_json key;
  key["format"] = kCacheFormat;
  key["backbone"] = config.backbone;
  key["weights"] = weights_digest(model, options.stage);
  key["images"] = images.content_digest(options.workers);
  key["stage"] = options.stage;
  key["image_size"] = config.image_size;
  key["centre_crop"] = config.centre_crop;
  if (config.precision != "fp32") key["precision"] = config.precision;
  key["views"] = options.views;
  if (options.views > 0) {
    key["crop_scale"] = config.crop_scale;
    key["flip"] = config.flip;
    key["seed"] = config.seed;
  }
  return sha256_hex(key.dump()).substr(0, 32);
}

class CachedInputs : public InputSource {
 public:
  CachedInputs(const fs::path& path, std::int64_t samples, std::vector<std::int64_t> shape, std::size_t stage,
               std::int64_t views, std::uint64_t seed)
      : file_(path), samples_(samples), shape_(std::move(shape)), stage_(stage), views_(views), seed_(seed) {
    values_ = std::accumulate(shape_.begin(), shape_.end(), std::int64_t{1}, std::multiplies<>());
  }

  std::int64_t size() const override { return samples_; }
  std::size_t stage() const override { return stage_; }

  torch::Tensor augmented(std::span<const std::int64_t> samples, std::int64_t first_draw) const override {
    const KeyedRandom random(seed_, "train/cached-view");
    return gather(samples, [&](std::size_t place) {
      auto draws = random.for_id(first_draw + static_cast<std::int64_t>(place));
      return static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(views_) + 1));
    });
  }
  torch::Tensor centred(std::span<const std::int64_t> samples) const override {
    return gather(samples, [](std::size_t) { return std::int64_t{0}; });
  }

 private:
  torch::Tensor gather(std::span<const std::int64_t> samples,
                       const std::function<std::int64_t(std::size_t)>& view_of) const {
    auto shape = shape_;
    shape.insert(shape.begin(), static_cast<std::int64_t>(samples.size()));
    auto batch = torch::empty(shape, torch::kFloat16);
    auto* out = static_cast<char*>(batch.data_ptr());
    const std::size_t bytes = static_cast<std::size_t>(values_) * 2;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto row = static_cast<std::size_t>(view_of(i) * samples_ + samples[i]);
      std::memcpy(out + i * bytes, file_.data() + row * bytes, bytes);
    }
    return batch;  // widened where it is used: here it would start a thread pool in every worker
  }

  MappedFile file_;
  std::int64_t samples_;
  std::vector<std::int64_t> shape_;
  std::size_t stage_;
  std::int64_t views_;
  std::uint64_t seed_;
  std::int64_t values_ = 0;
};

// Batch i is run by process i modulo their number.
void write_cache(const fs::path& path, Embedder& model, const ImageInputs& images,
                 const std::string& precision, const ActivationCacheOptions& options) {
  auto& processes = *options.processes;
  const std::int64_t count = images.size();
  const std::int64_t batches = (count + kBatch - 1) / kBatch;
  const std::int64_t total = batches * (options.views + 1);
  const std::int64_t rounds = (total + processes.size() - 1) / processes.size();
  const auto own_batch = [&](std::int64_t round) { return round * processes.size() + processes.rank(); };
  const std::int64_t own = own_batch(rounds - 1) < total ? rounds : rounds - 1;
  Prefetcher<torch::Tensor> pixels(0, own, options.workers, 2 * options.workers, [&](std::int64_t round) {
    const auto index = own_batch(round);
    const std::int64_t first = (index % batches) * kBatch;
    std::vector<std::int64_t> samples(static_cast<std::size_t>(std::min(kBatch, count - first)));
    std::iota(samples.begin(), samples.end(), first);
    return images.view(samples, index / batches);
  });
  std::optional<AtomicFile> out;
  if (processes.first()) out.emplace(path, IfExists::kReplace);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const auto outputs = processes.gather_rows(
        round < own ? run_frozen(model, *pixels.next(), options.stage, precision).flatten(1)
                    : torch::empty({0, 1}, torch::kFloat16));
    if (out) out->write(std::string_view(static_cast<const char*>(outputs.data_ptr()), outputs.nbytes()));
    const auto done = std::min(total, (round + 1) * processes.size());
    if (options.progress)
      options.progress(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(total));
  }
  if (out) out->commit();
  processes.any(false);  // nobody reads it before it is there
}

void require_space(const fs::path& folder, std::uint64_t bytes) {
  fs::create_directories(folder);
  const auto space = fs::space(folder);
  if (space.available < bytes)
    throw Error(
        fmt::format("the kept activations need {} MB below {}, where {} MB are free. Lower --views or "
                    "--image-size, or start at a later stage with --train-from.",
                    bytes >> 20, folder.string(), space.available >> 20));
}

}  // namespace

std::string weights_digest(Embedder& model, std::size_t stages) {
  Sha256 digest;
  const auto add = [&](const torch::Tensor& tensor) {
    const auto flat = tensor.detach().cpu().contiguous();
    digest.update(std::string_view(static_cast<const char*>(flat.data_ptr()), flat.nbytes()));
  };
  for (std::size_t s = 0; s < std::min(stages, model.backbone().stages().size()); ++s)
    for (const auto& parameter : model.backbone().stage_parameters(s)) add(parameter);
  for (const auto& item : model.backbone().state())
    if (item.key().find("running_") != std::string::npos) add(item.value());
  return digest.finish_hex();
}

std::unique_ptr<InputSource> cache_activations(Embedder& model, const ImageInputs& images,
                                               const TrainConfig& config,
                                               const ActivationCacheOptions& options) {
  model.train_mode(false);
  const std::vector<std::int64_t> probe{0};
  auto shape = run_frozen(model, images.centred(probe), options.stage, config.precision).sizes().vec();
  shape.erase(shape.begin());
  const auto values = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  const auto bytes = static_cast<std::uint64_t>(values) * 2 *
                     static_cast<std::uint64_t>(images.size() * (options.views + 1));
  // The name carries every input and the file appears only when it is complete: the size settles it.
  const auto whole = [&](const fs::path& path) { return fs::exists(path) && fs::file_size(path) == bytes; };
  const fs::path path = made_by_first(*options.processes, [&] {
    const auto name =
        options.folder / fmt::format("activations-{}.f16", cache_key(model, images, config, options));
    if (!whole(name)) require_space(options.folder, bytes);
    return name.string();
  });
  if (options.processes->any(!whole(path))) write_cache(path, model, images, config.precision, options);
  return std::make_unique<CachedInputs>(path, images.size(), std::move(shape), options.stage, options.views,
                                        config.seed);
}

}  // namespace procsim::train
