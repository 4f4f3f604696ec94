#include "train/runs/learner.hpp"

#include <cmath>

#include "data/base/error.hpp"
#include "train/losses/contrastive.hpp"
#include "train/losses/guidance_loss.hpp"
#include "train/losses/multi_similarity.hpp"
#include "train/losses/super_loss.hpp"
#include "train/models/device.hpp"
#include "train/models/optimizer_state.hpp"

namespace procsim::train {
namespace {

MultiSimilarityLossOptions ms_options(const TrainConfig& config) {
  return {config.ms_alpha, config.ms_beta, config.ms_delta, config.ms_epsilon, config.ms_mining};
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const TrainConfig& config,
                                                        const std::vector<torch::Tensor>& parameters) {
  if (config.optimizer == "sgd")
    return std::make_unique<torch::optim::SGD>(
        parameters,
        torch::optim::SGDOptions(config.lr).momentum(config.momentum).weight_decay(config.weight_decay));
  if (config.optimizer == "adamw")
    return std::make_unique<torch::optim::AdamW>(
        parameters, torch::optim::AdamWOptions(config.lr).weight_decay(config.weight_decay));
  return std::make_unique<torch::optim::Adam>(
      parameters, torch::optim::AdamOptions(config.lr).weight_decay(config.weight_decay));
}

std::vector<double> doubles(const torch::Tensor& values) {
  const auto flat = values.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

std::vector<torch::Tensor> values_of(const std::vector<std::pair<std::string, torch::Tensor>>& named) {
  std::vector<torch::Tensor> list;
  for (const auto& [name, tensor] : named) list.push_back(tensor);
  return list;
}

// Shared by the proxies of the loss registry: proxy-nca as the metric-learning loss uses the confidence's
// proxies.
class SharedProxyNca : public SampleLoss {
 public:
  explicit SharedProxyNca(std::shared_ptr<ProxyNca> proxies) : proxies_(std::move(proxies)) {}
  torch::Tensor operator()(const LossBatch& batch) override { return (*proxies_)(batch); }

 private:
  std::shared_ptr<ProxyNca> proxies_;
};

}  // namespace

std::unique_ptr<SampleLoss> make_loss(const TrainConfig& config, const std::shared_ptr<ProxyNca>& proxies) {
  if (config.loss == "ms") return std::make_unique<MultiSimilarityLoss>(ms_options(config));
  if (config.loss == "proxy-nca") return std::make_unique<SharedProxyNca>(proxies);
  if (config.loss == "contrastive" && config.confidence == "superloss")
    return std::make_unique<SuperLoss>(SuperLossOptions{.contrastive = {}, .lambda = config.lambda});
  if (config.loss == "contrastive") return std::make_unique<ContrastiveLoss>();
  throw UsageError("unknown loss '" + config.loss + "'");
}

struct Learner::Optimizers {
  std::vector<std::pair<std::string, torch::Tensor>> model_parameters;
  std::unique_ptr<torch::optim::Optimizer> model;
  std::unique_ptr<torch::optim::Optimizer> proxies;
};

Learner::Learner(const TrainConfig& config, Embedder& model, std::int64_t classes, torch::Device device)
    : config_(config),
      model_(model),
      device_(device),
      proxies_(std::make_shared<ProxyNca>(
          ProxyNcaOptions{.classes = classes, .dimension = model.dimension(), .scale = config.proxy_scale},
          config.seed)),
      loss_(make_loss(config, proxies_)),
      rule_(threshold_from_string(config.threshold), config.lambda),
      optimizers_(std::make_unique<Optimizers>()) {
  if (config.confidence_from == "ms") source_ = std::make_unique<MultiSimilarityLoss>(ms_options(config));
  proxies_->proxies() = proxies_->proxies().detach().to(device).requires_grad_(true);
  optimizers_->model_parameters = model.trainable();
  optimizers_->model = make_optimizer(config, values_of(optimizers_->model_parameters));
  optimizers_->proxies = std::make_unique<torch::optim::Adam>(std::vector<torch::Tensor>{proxies_->proxies()},
                                                              torch::optim::AdamOptions(config.proxy_lr));
}

Learner::~Learner() = default;

BatchConfidence Learner::confidence(const LossBatch& batch, const std::vector<double>& proxy_values,
                                    std::span<const std::uint8_t> wrong, const SetConfidence* known) {
  // τ is kept for every method: it is what a run's page shows.
  std::vector<double> losses = proxy_values;
  if (source_) {
    const torch::NoGradGuard no_gradients;
    losses = doubles((*source_)(batch));
  }
  auto result = known != nullptr ? known->confidence : rule_(losses);
  if (config_.confidence == "procsim" && !trust_all_) return result;
  result.sigma.assign(losses.size(), 1.0);
  if (trust_all_) return result;
  if (config_.confidence == "oracle") {
    if (wrong.empty())
      throw UsageError("--confidence oracle needs true labels, which this label set does not have");
    for (std::size_t i = 0; i < losses.size(); ++i) result.sigma[i] = wrong[i] != 0 ? 0 : 1;
  } else if (config_.confidence == "superloss" && config_.loss != "contrastive") {
    // The contrastive loss has pairs and weights each; other losses are weighted per sample, by themselves.
    const torch::NoGradGuard no_gradients;
    const auto own = doubles((*loss_)(batch));
    double mean = 0;
    for (const double value : own) mean += value / static_cast<double>(own.size());
    superloss_average_.add(mean);
    for (std::size_t i = 0; i < own.size(); ++i)
      result.sigma[i] = superloss_confidence(own[i], *superloss_average_.state, config_.lambda);
  }
  return result;
}

StepResult Learner::step(const torch::Tensor& input, std::size_t stage, const torch::Tensor& labels,
                         std::span<const std::uint8_t> wrong, const SetConfidence* known,
                         const torch::Tensor& guidance) {
  model_.train_mode(true);
  auto x = input.to(device_, torch::kFloat32);
  if (x.dim() == 4) x = x.contiguous(torch::MemoryFormat::ChannelsLast);
  LossBatch batch;
  batch.labels = labels.to(device_);
  {
    const PrecisionScope precision(config_.precision, device_);
    batch.embeddings = model_.embed(x, stage);
  }
  StepResult result;
  const auto proxy_values = proxies_->proxy_loss(batch);
  result.proxy_loss = doubles(proxy_values);
  for (const double value : result.proxy_loss)
    if (!std::isfinite(value)) {
      result.loss = value;
      return result;
    }
  if (known != nullptr) result.proxy_loss = known->losses;
  auto confidence_now = confidence(batch, result.proxy_loss, wrong, known);
  result.threshold = confidence_now.threshold;
  result.sigma = std::move(confidence_now.sigma);
  result.above = std::move(confidence_now.above);
  const auto sigma = torch::tensor(result.sigma, torch::kFloat64).to(device_, torch::kFloat32);
  if (config_.confidence_scope == "pair" && config_.confidence != "none") batch.partner_confidence = sigma;

  auto objective = (sigma * (*loss_)(batch)).mean();
  if (guidance.defined()) {
    auto guided = guidance_loss(batch.embeddings, batch.labels, guidance.to(device_), config_.guidance_shift);
    if (config_.confidence_on_guidance) guided = sigma * guided;
    objective = objective + config_.omega * guided.mean();
  }
  if (config_.joint_proxies) objective = objective + (*proxies_)(batch).mean();
  result.loss = objective.item<double>();
  if (!std::isfinite(result.loss)) return result;

  optimizers_->model->zero_grad();
  objective.backward();
  optimizers_->model->step();
  optimizers_->proxies->zero_grad();
  proxy_values.mean().backward();
  optimizers_->proxies->step();
  return result;
}

void Learner::save(TensorFile& file) {
  for (const auto& [name, tensor] : model_.state()) file.tensors["model." + name] = tensor;
  file.tensors["proxies"] = proxies_->proxies();
  save_optimizer(*optimizers_->model, optimizers_->model_parameters, "optimizer.", file);
  save_optimizer(*optimizers_->proxies, {{"proxies", proxies_->proxies()}}, "proxy_optimizer.", file);
  nlohmann::json state;
  state["loss"] = loss_->state();
  state["mean"] = {{"sum", rule_.global_mean().sum}, {"count", rule_.global_mean().count}};
  state["superloss"] =
      superloss_average_.state ? nlohmann::json(*superloss_average_.state) : nlohmann::json();
  file.metadata["learner"] = state.dump();
}

void Learner::restore(const TensorFile& file, const std::string& source) {
  model_.load(file.below("model."), source, /*pretrained=*/false);
  const auto proxies = file.tensors.find("proxies");
  if (proxies == file.tensors.end() || proxies->second.sizes() != proxies_->proxies().sizes())
    throw Error(source + " has no proxies for these classes: it belongs to another label set");
  {
    const torch::NoGradGuard no_gradients;
    proxies_->proxies().copy_(proxies->second);
  }
  restore_optimizer(*optimizers_->model, optimizers_->model_parameters, "optimizer.", file, source);
  restore_optimizer(*optimizers_->proxies, {{"proxies", proxies_->proxies()}}, "proxy_optimizer.", file,
                    source);
  const auto text = file.metadata.find("learner");
  if (text == file.metadata.end()) throw Error(source + " is not a checkpoint: it lacks the learner's state");
  const auto state = nlohmann::json::parse(text->second);
  loss_->restore(state.at("loss"));
  rule_.global_mean().sum = state.at("mean").at("sum");
  rule_.global_mean().count = state.at("mean").at("count");
  if (!state.at("superloss").is_null()) superloss_average_.state = state.at("superloss").get<double>();
}

}  // namespace procsim::train
