#include "train/losses/proxies.hpp"

#include "train/frame/component.hpp"
#include "train/losses/class_vectors.hpp"
#include "train/models/unit_rows.hpp"

namespace procsim::train {
namespace {

ProxyNca moved_to(torch::Device device, ProxyNca loss) {
  loss.proxies() = on_device(loss.proxies(), device);
  return loss;
}

class ProxyNcaObjective : public Objective {
 public:
  explicit ProxyNcaObjective(std::shared_ptr<Proxies> proxies) : proxies_(std::move(proxies)) {}

  torch::Tensor operator()(const LossBatch& batch) override {
    proxies_->observe(batch);
    return proxies_->pull(batch);
  }

 private:
  std::shared_ptr<Proxies> proxies_;
};

}  // namespace

Proxies::Proxies(const ProxyNcaOptions& options, std::uint64_t seed, double lr, bool from_means,
                 torch::Device device)
    : loss_(moved_to(device, ProxyNca(options, seed))),
      from_means_(from_means),
      parameters_({{"proxies", loss_.proxies()}}, lr) {}

std::shared_ptr<Proxies> Proxies::of(MethodParts& parts) {
  return parts.share<Proxies>("proxies", [&] {
    const auto& config = parts.config;
    const ProxyNcaOptions options{.classes = parts.classes,
                                  .dimension = parts.network.model().dimension(),
                                  .scale = config.proxy_scale};
    return std::make_shared<Proxies>(options, config.seed, config.proxy_lr, config.proxy_init == "means",
                                     parts.network.device());
  });
}

torch::Tensor Proxies::observe(const LossBatch& batch) {
  observed_ = loss_.proxy_loss(batch);
  return observed_;
}

void Proxies::start(const TrainingSet& set) {
  if (!from_means_) return;
  const torch::NoGradGuard no_gradients;
  const auto embeddings = set.embeddings();
  const std::vector<std::int64_t> labels(set.labels.begin(), set.labels.end());
  loss_.proxies().copy_(unit_class_means(embeddings, torch::tensor(labels, torch::kInt64), set.classes));
}

void Proxies::learn() {
  if (!observed_.defined()) return;
  parameters_.zero_grad();
  observed_.mean().backward();
  parameters_.step();
  observed_.reset();
}

ObjectiveComponent proxy_nca_objective() {
  ObjectiveComponent component;
  component.name = "proxy-nca";
  component.description = "every sample towards the proxy of its class";
  component.source = "Movshovitz-Attias et al. 2017, Teh et al. 2020";
  component.state = "a proxy of each class";
  component.reads = {"proxy_scale", "proxy_lr", "proxy_init"};
  component.make = [](MethodParts& parts) { return std::make_unique<ProxyNcaObjective>(Proxies::of(parts)); };
  return component;
}

}  // namespace procsim::train
