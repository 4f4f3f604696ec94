#include "train/models/backbone.hpp"

#include <algorithm>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"

namespace procsim::train {

torch::OrderedDict<std::string, torch::Tensor> Backbone::state() {
  torch::OrderedDict<std::string, torch::Tensor> all;
  for (const auto& item : named_parameters()) all.insert(item.key(), item.value());
  for (const auto& item : named_buffers())
    if (!item.key().ends_with("num_batches_tracked")) all.insert(item.key(), item.value());
  return all;
}

torch::Tensor Backbone::run_from(std::size_t stage, torch::Tensor input) {
  for (; stage < stages().size(); ++stage) input = run_stage(stage, std::move(input));
  return pool(input);
}

std::size_t Backbone::stage_index(const std::string& name) const { return train::stage_index(stages_, name); }

std::size_t stage_index(const std::vector<std::string>& stages, const std::string& name) {
  auto names = stages;
  names.emplace_back("head");
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string known;
  for (const auto& stage : names) known += (known.empty() ? "" : ", ") + stage;
  throw UsageError("--train-from " + name + ": the backbone has no such stage (" + known + ")" +
                   did_you_mean(name, names));
}

}  // namespace procsim::train
