#include "train/frame/network.hpp"

#include "train/models/device.hpp"
#include "train/models/embedding_check.hpp"
#include "train/models/optimizer_state.hpp"

namespace procsim::train {
namespace {

std::vector<torch::Tensor> values_of(const NamedParameters& named) {
  std::vector<torch::Tensor> list;
  for (const auto& [name, tensor] : named) list.push_back(tensor);
  return list;
}

}  // namespace

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const OptimizerOptions& options,
                                                        const std::vector<torch::Tensor>& parameters) {
  using namespace torch::optim;
  if (options.kind == "sgd")
    return std::make_unique<SGD>(
        parameters, SGDOptions(options.lr).momentum(options.momentum).weight_decay(options.weight_decay));
  if (options.kind == "adamw")
    return std::make_unique<AdamW>(parameters, AdamWOptions(options.lr).weight_decay(options.weight_decay));
  return std::make_unique<Adam>(parameters, AdamOptions(options.lr).weight_decay(options.weight_decay));
}

Network::Network(Embedder& model, const OptimizerOptions& options, std::string precision,
                 std::shared_ptr<Processes> processes)
    : model_(model),
      precision_(std::move(precision)),
      processes_(std::move(processes)),
      parameters_(model.trainable()),
      optimizer_(make_optimizer(options, values_of(parameters_))),
      gradient_sum_(processes_->gradient_sum(values_of(parameters_))) {
  std::vector<torch::Tensor> weights;
  for (const auto& [name, tensor] : model.state()) weights.push_back(tensor);
  processes_->take_from_first(weights);
}

torch::Tensor Network::forward(const torch::Tensor& view, std::size_t stage) {
  model_.train_mode(true);
  auto input = view.to(device(), torch::kFloat32);
  if (input.dim() == 4) input = input.contiguous(torch::MemoryFormat::ChannelsLast);
  const PrecisionScope precision(precision_, device());
  return gather(model_.embed(input, stage));
}

void Network::descend(const torch::Tensor& objective) {
  optimizer_->zero_grad();
  gradient_sum_->begin();
  objective.backward();
  gradient_sum_->finish();
  optimizer_->step();
}

void Network::save(const CheckpointPart& part) {
  const auto weights = model_.state();
  check_weights(weights);
  const auto place = part.below("model");
  for (const auto& [name, tensor] : weights) place.put(name, tensor);
  save_optimizer(*optimizer_, parameters_, part.prefix() + "optimizer.", part.file());
}

void Network::restore(const CheckpointPart& part) {
  model_.load(part.file().below(part.prefix() + "model."), part.source(), /*pretrained=*/false);
  restore_optimizer(*optimizer_, parameters_, part.prefix() + "optimizer.", part.file(), part.source());
}

}  // namespace procsim::train
