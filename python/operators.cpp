// torch.ops.procsim.*: the losses and the confidence of train/ for anybody's training loop. Losses are made
// of LibTorch's own operators, so gradients, devices and precisions are theirs; thresholds, and what judges a
// whole set of labels, are computed on the CPU.
#include <limits>
#include <vector>

#include <torch/library.h>
#include <torch/torch.h>

#include "data/base/error.hpp"
#include "data/noise_model/class_distances.hpp"
#include "train/losses/multi_similarity.hpp"
#include "train/losses/proxy_nca.hpp"
#include "train/thresholds/confidence.hpp"
#include "train/thresholds/otsu.hpp"
#include "train/trust/class_means.hpp"
#include "train/trust/posterior_trust.hpp"

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

std::vector<std::int64_t> integers_of(const Tensor& tensor) {
  const auto values = tensor.detach().to(torch::kCPU, torch::kInt64).contiguous();
  return {values.data_ptr<std::int64_t>(), values.data_ptr<std::int64_t>() + values.numel()};
}

// Unit rows on the CPU, as what judges a set wants them.
Tensor unit_rows_of(const Tensor& embeddings) {
  return torch::nn::functional::normalize(embeddings.detach().to(torch::kCPU, torch::kFloat32),
                                          torch::nn::functional::NormalizeFuncOptions().dim(1));
}

std::vector<std::int64_t> classes_of(const Tensor& labels, std::int64_t classes) {
  auto values = integers_of(labels);
  for (const auto label : values)
    if (label < 0 || label >= classes)
      throw UsageError("label " + std::to_string(label) + ": labels are numbers from 0 to " +
                       std::to_string(classes - 1) + ", one less than classes");
  return values;
}

Tensor column_like(const Tensor& embeddings, const std::vector<double>& values) {
  return torch::tensor(values, torch::kFloat64).to(embeddings.options());
}

std::tuple<Tensor, Tensor, Tensor> class_means_confidence(const Tensor& embeddings, const Tensor& labels,
                                                          std::int64_t classes, double scale, double lambda,
                                                          c10::string_view threshold, std::int64_t rounds) {
  train::ConfidenceRule rule(train::threshold_from_string({threshold.data(), threshold.size()}), lambda);
  const auto set = train::class_means_confidence(unit_rows_of(embeddings), classes_of(labels, classes),
                                                 classes, scale, rule, static_cast<int>(rounds));
  return {
      column_like(embeddings, set.confidence.sigma), column_like(embeddings, set.losses),
      scalar_like(embeddings, set.confidence.threshold.value_or(std::numeric_limits<double>::quiet_NaN()))};
}

// The trust of an epoch and what is believed from now on: `believed` is what the epoch before has returned
// (given, other, other_belief in double precision), empty at first.
std::tuple<Tensor, Tensor, std::vector<Tensor>> posterior_confidence(
    const Tensor& embeddings, const Tensor& labels, const Tensor& ids, std::int64_t classes,
    std::int64_t rounds, double memory, bool relabel, std::int64_t seed, std::int64_t epoch,
    std::vector<Tensor> believed) {
  train::PosteriorOptions options{.rounds = rounds, .memory = memory, .relabel = relabel};
  options.validate();
  const auto given = classes_of(labels, classes);
  const auto names = integers_of(ids);
  const ClassDistances distances(classes);
  train::PosteriorTrust trust(options, static_cast<std::uint64_t>(seed));
  train::TensorFile kept;
  const train::CheckpointPart part(kept, "what was believed");
  if (believed.size() == 3) {
    part.put("labels", torch::tensor(given, torch::kInt64));
    part.put("given", believed[0]);
    part.put("other", believed[1]);
    part.put("other_belief", believed[2]);
    trust.restore(part);
  }
  train::TrainingSet set;
  set.epoch = epoch;
  set.labels = given;
  set.classes = classes;
  set.ids = names;
  set.distances = &distances;
  set.embeddings = [&] { return unit_rows_of(embeddings); };
  trust.begin_epoch(set);
  trust.save(part);
  train::Batch all;
  for (std::size_t i = 0; i < given.size(); ++i) all.samples.push_back(static_cast<std::int64_t>(i));
  const auto judged = trust(all, {});
  return {column_like(embeddings, judged.weight),
          torch::tensor(judged.labels, torch::kInt64).to(labels.options()),
          {kept.tensors.at("given"), kept.tensors.at("other"), kept.tensors.at("other_belief")}};
}

std::tuple<Tensor, Tensor, Tensor> class_means_shape(const Tensor& embeddings, const Tensor&, std::int64_t,
                                                     double, double, c10::string_view, std::int64_t) {
  const auto column = torch::empty({embeddings.size(0)}, embeddings.options());
  return {column, torch::empty_like(column), torch::empty({}, embeddings.options())};
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
  library.def("confidence(Tensor losses, float lambda_, str threshold) -> (Tensor, Tensor)");
  library.def(
      "class_means_confidence(Tensor embeddings, Tensor labels, int classes, float scale, float lambda_, "
      "str threshold, int rounds) -> (Tensor, Tensor, Tensor)");
  library.def(
      "posterior_confidence(Tensor embeddings, Tensor labels, Tensor ids, int classes, int rounds, "
      "float memory, bool relabel, int seed, int epoch, Tensor[] believed) -> (Tensor, Tensor, Tensor[])");
}

TORCH_LIBRARY_IMPL(procsim, CompositeExplicitAutograd, library) {
  library.impl("otsu_threshold", &otsu_threshold);
  library.impl("confidence", &confidence);
  library.impl("class_means_confidence", &class_means_confidence);
  library.impl("posterior_confidence", &posterior_confidence);
}

TORCH_LIBRARY_IMPL(procsim, Meta, library) {
  library.impl("otsu_threshold", &otsu_shape);
  library.impl("confidence", &confidence_shape);
  library.impl("class_means_confidence", &class_means_shape);
}

}  // namespace procsim::python
