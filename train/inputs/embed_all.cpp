#include <numeric>

#include "data/base/prefetcher.hpp"
#include "train/inputs/inputs.hpp"
#include "train/models/device.hpp"
#include "train/models/embedding_check.hpp"

namespace procsim::train {
namespace {

torch::Tensor run_all(const InputSource& inputs, const EmbedOptions& options,
                      const std::function<torch::Tensor(const torch::Tensor&)>& run) {
  const torch::NoGradGuard no_gradients;
  const std::int64_t count = inputs.size();
  const std::int64_t batches = (count + options.batch - 1) / options.batch;
  // Whole batches, so that an embedding is the same to the bit whoever makes it.
  const auto own = options.processes->slice(batches);
  Prefetcher<torch::Tensor> loader(
      0, own.count, options.workers, 2 * options.workers + 1, [&](std::int64_t batch) {
        const std::int64_t first = (own.first + batch) * options.batch;
        std::vector<std::int64_t> samples(static_cast<std::size_t>(std::min(options.batch, count - first)));
        std::iota(samples.begin(), samples.end(), first);
        return inputs.centred(samples);
      });
  std::vector<torch::Tensor> parts;
  {
    const PrecisionScope precision(options.precision, options.device);  // rounds weights once, not a batch
    while (auto input = loader.next()) {
      auto x = input->to(options.device, torch::kFloat32);
      if (x.dim() == 4) x = x.contiguous(torch::MemoryFormat::ChannelsLast);
      parts.push_back(run(x).to(torch::kCPU, torch::kFloat32));
      if (options.progress) options.progress(parts.size(), static_cast<std::uint64_t>(own.count));
    }
  }
  auto all = options.processes->gather_rows(parts.empty() ? torch::empty({0, 1}) : torch::cat(parts));
  check_embedding_values(all, "what the model makes of the images");
  return all;
}

}  // namespace

torch::Tensor embed_all(Embedder& model, const InputSource& inputs, const EmbedOptions& options) {
  model.train_mode(false);
  return run_all(inputs, options, [&](const torch::Tensor& x) { return model.embed(x, inputs.stage()); });
}

torch::Tensor features_of_all(Embedder& model, const InputSource& inputs, const EmbedOptions& options) {
  model.train_mode(false);
  return run_all(inputs, options, [&](const torch::Tensor& x) { return model.features(x, inputs.stage()); });
}

}  // namespace procsim::train
