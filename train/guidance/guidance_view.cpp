#include "train/guidance/guidance_view.hpp"

#include <algorithm>

#include "train/language/class_order.hpp"
#include "train/models/unit_rows.hpp"

namespace procsim::train {
namespace {

constexpr std::size_t kShownClasses = 200;

std::vector<float> values_of(const torch::Tensor& matrix, const std::vector<std::int64_t>& shown) {
  const auto index = torch::tensor(shown, torch::kInt64);
  const auto part = matrix.index_select(0, index).index_select(1, index).to(torch::kFloat32).contiguous();
  return {part.data_ptr<float>(), part.data_ptr<float>() + part.numel()};
}

}  // namespace

GuidanceView make_guidance_view(const Guidance& guidance, const TrainData& data,
                                const torch::Tensor& embeddings) {
  const auto order = taxonomy_order(data);
  const auto count = std::min(kShownClasses, order.size());
  GuidanceView view;
  view.labels_of_samples = guidance.pseudo_labels_of_samples();
  std::vector<std::int64_t> shown;
  for (std::size_t i = 0; i < count; ++i) {
    const auto dense = order[i * order.size() / count];
    shown.push_back(static_cast<std::int64_t>(dense));
    view.classes.push_back(data.class_at(dense).name);
    if (!guidance.pseudo_labels().empty()) view.pseudo_labels.push_back(guidance.pseudo_labels()[dense]);
  }
  const auto means = unit_class_means(embeddings, torch::tensor(data.train_class, torch::kInt64),
                                      static_cast<std::int64_t>(data.classes.size()));
  view.guidance = values_of(guidance.class_matrix(data), shown);
  view.visual = values_of(torch::mm(means, means.t()), shown);
  return view;
}

}  // namespace procsim::train
