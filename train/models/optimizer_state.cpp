#include "train/models/optimizer_state.hpp"

#include <algorithm>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

using torch::optim::AdamParamState;
using torch::optim::AdamWParamState;
using torch::optim::SGDParamState;

const torch::Tensor& stored(const TensorFile& file, const std::string& name, const torch::Tensor& like,
                            const std::string& source) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end())
    throw Error(source + " lacks '" + name + "': it is no checkpoint of this run");
  if (found->second.sizes() != like.sizes())
    throw Error(source + ": '" + name + "' has another shape than its parameter");
  return found->second;
}

template <typename State>
void save_moments(const State& state, const std::string& name, TensorFile& file, const std::string& prefix) {
  file.tensors[prefix + "exp_avg." + name] = state.exp_avg();
  file.tensors[prefix + "exp_avg_sq." + name] = state.exp_avg_sq();
  file.tensors[prefix + "step." + name] = torch::tensor({state.step()}, torch::kInt64);
}

template <typename State>
std::unique_ptr<State> load_moments(const torch::Tensor& parameter, const std::string& name,
                                    const TensorFile& file, const std::string& prefix,
                                    const std::string& source) {
  auto state = std::make_unique<State>();
  const auto copy = [&](const std::string& kind) {
    return stored(file, prefix + kind + "." + name, parameter, source)
        .to(parameter.device())
        .clone(parameter.suggest_memory_format());
  };
  state->exp_avg(copy("exp_avg"));
  state->exp_avg_sq(copy("exp_avg_sq"));
  state->step(stored(file, prefix + "step." + name, torch::empty({1}), source).item<std::int64_t>());
  return state;
}

}  // namespace

void save_optimizer(const torch::optim::Optimizer& optimizer, const NamedParameters& parameters,
                    const std::string& prefix, TensorFile& file) {
  for (const auto& [name, parameter] : parameters) {
    const auto found = optimizer.state().find(parameter.unsafeGetTensorImpl());
    if (found == optimizer.state().end()) continue;  // never stepped
    if (const auto* adam = dynamic_cast<const AdamParamState*>(found->second.get()))
      save_moments(*adam, name, file, prefix);
    else if (const auto* adamw = dynamic_cast<const AdamWParamState*>(found->second.get()))
      save_moments(*adamw, name, file, prefix);
    else if (const auto* sgd = dynamic_cast<const SGDParamState*>(found->second.get());
             sgd != nullptr && sgd->momentum_buffer().defined())
      file.tensors[prefix + "momentum." + name] = sgd->momentum_buffer();
  }
}

void restore_optimizer(torch::optim::Optimizer& optimizer, const NamedParameters& parameters,
                       const std::string& prefix, const TensorFile& file, const std::string& source) {
  const bool stepped = std::any_of(file.tensors.begin(), file.tensors.end(),
                                   [&](const auto& item) { return item.first.starts_with(prefix); });
  if (!stepped) return;
  for (const auto& [name, parameter] : parameters) {
    auto* key = parameter.unsafeGetTensorImpl();
    if (dynamic_cast<torch::optim::SGD*>(&optimizer) != nullptr) {
      auto state = std::make_unique<SGDParamState>();
      state->momentum_buffer(stored(file, prefix + "momentum." + name, parameter, source)
                                 .to(parameter.device())
                                 .clone(parameter.suggest_memory_format()));
      optimizer.state()[key] = std::move(state);
    } else if (dynamic_cast<torch::optim::AdamW*>(&optimizer) != nullptr) {
      optimizer.state()[key] = load_moments<AdamWParamState>(parameter, name, file, prefix, source);
    } else {
      optimizer.state()[key] = load_moments<AdamParamState>(parameter, name, file, prefix, source);
    }
  }
}

}  // namespace procsim::train
