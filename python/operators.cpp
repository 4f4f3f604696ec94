// torch.ops.procsim.*: the losses and the confidence of train/ for anybody's training loop. Losses are made
// of LibTorch's own operators, so gradients, devices and precisions are theirs; thresholds are computed on
// the CPU.
#include <limits>
#include <vector>

#include <torch/library.h>
#include <torch/torch.h>

#include "train/losses/multi_similarity.hpp"
#include "train/losses/proxy_nca.hpp"
#include "train/thresholds/confidence.hpp"
#include "train/thresholds/otsu.hpp"

namespace procsim::python {
namespace {

using torch::Tensor;

Tensor multi_similarity(const Tensor& embeddings, const Tensor& labels,
                        const std::optional<Tensor>& confidence, double alpha, double beta, double delta,
                        double epsilon, bool mining) {
  train::MultiSimilarityLoss loss({alpha, beta, delta, epsilon, mining});
  return loss({embeddings, labels, confidence.value_or(Tensor())});
}

Tensor proxy_nca(const Tensor& embeddings, const Tensor& proxies, const Tensor& labels, double scale) {
  return train::proxy_nca_loss(embeddings, proxies, labels, scale);
}

std::vector<double> values_of(const Tensor& losses) {
  const auto values = losses.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

Tensor scalar_like(const Tensor& losses, double value) { return torch::full({}, value, losses.options()); }

Tensor otsu_threshold(const Tensor& losses) {
  return scalar_like(
      losses, train::otsu_threshold(values_of(losses)).value_or(std::numeric_limits<double>::quiet_NaN()));
}

std::tuple<Tensor, Tensor> confidence(const Tensor& losses, double lambda, c10::string_view threshold) {
  train::ConfidenceRule rule(train::threshold_from_string({threshold.data(), threshold.size()}), lambda);
  const auto result = rule(values_of(losses));
  const auto sigma = torch::tensor(result.sigma, torch::kFloat64).view(losses.sizes());
  return {sigma.to(losses.options()),
          scalar_like(losses, result.threshold.value_or(std::numeric_limits<double>::quiet_NaN()))};
}

Tensor otsu_shape(const Tensor& losses) { return torch::empty({}, losses.options()); }

std::tuple<Tensor, Tensor> confidence_shape(const Tensor& losses, double, c10::string_view) {
  return {torch::empty_like(losses), torch::empty({}, losses.options())};
}

}  // namespace

TORCH_LIBRARY(procsim, library) {
  library.def(
      "multi_similarity(Tensor embeddings, Tensor labels, Tensor? confidence, float alpha, float beta, float "
      "delta, "
      "float epsilon, bool mining) -> Tensor",
      &multi_similarity);
  library.def("proxy_nca(Tensor embeddings, Tensor proxies, Tensor labels, float scale) -> Tensor",
              &proxy_nca);
  library.def("otsu_threshold(Tensor losses) -> Tensor");
  library.def("confidence(Tensor losses, float lambda, str threshold) -> (Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(procsim, CompositeExplicitAutograd, library) {
  library.impl("otsu_threshold", &otsu_threshold);
  library.impl("confidence", &confidence);
}

TORCH_LIBRARY_IMPL(procsim, Meta, library) {
  library.impl("otsu_threshold", &otsu_shape);
  library.impl("confidence", &confidence_shape);
}

}  // namespace procsim::python
