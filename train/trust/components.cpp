#include "data/base/error.hpp"
#include "train/frame/component.hpp"
#include "train/losses/multi_similarity.hpp"
#include "train/trust/class_means_trust.hpp"
#include "train/trust/decorators.hpp"
#include "train/trust/proxy_trust.hpp"

// The trusts that --confidence names. Each is made of what judges the labels (--confidence-from), which is
// reported whatever is made of it, and of what follows from that.
namespace procsim::train {
namespace {

// What judge_of reads.
std::vector<std::string> fields_of_judge() {
  return {"confidence_from", "threshold", "lambda", "proxy_scale", "proxy_lr", "proxy_init"};
}

std::unique_ptr<SampleTrust> judge_of(MethodParts& parts) {
  const auto& config = parts.config;
  const ConfidenceRule rule(threshold_from_string(config.threshold), config.lambda);
  if (config.confidence_from == "class-means")
    return std::make_unique<ClassMeansTrust>(config.proxy_scale, rule);
  std::unique_ptr<Objective> other;
  if (config.confidence_from == "ms")
    other = std::make_unique<MultiSimilarityLoss>(read_options<MultiSimilarityLossOptions>(config, "ms"));
  return std::make_unique<ProxyTrust>(Proxies::of(parts), rule, std::move(other));
}

}  // namespace

TrustComponent procsim_trust() {
  TrustComponent component;
  component.name = "procsim";
  component.description = "falls with the loss above a threshold";
  component.source = "ProcSim, WACV 2024";
  component.reads = fields_of_judge();
  component.state = "proxies of the confidence";
  component.make = judge_of;
  return component;
}

TrustComponent superloss_trust() {
  TrustComponent component;
  component.name = "superloss";
  component.description = "of each pair (contrastive) or sample, against a running average of the loss";
  component.source = "Castells et al. 2020";
  component.reads = fields_of_judge();
  component.state = "running averages of the loss";
  component.weights_pairs = true;
  component.check = [](const TrainConfig& config) {
    if (config.confidence_scope == "pair")
      throw UsageError(
          "--confidence superloss does not go with --confidence-scope pair: it weights pairs already. Leave "
          "the "
          "scope at anchor.");
  };
  component.make = [](MethodParts& parts) -> std::unique_ptr<SampleTrust> {
    auto judge = judge_of(parts);
    if (parts.pair_confidence) return std::make_unique<FullTrust>(std::move(judge), std::nullopt);
    return std::make_unique<SuperLossTrust>(std::move(judge), parts.objective, parts.config.lambda);
  };
  return component;
}

TrustComponent oracle_trust() {
  TrustComponent component;
  component.name = "oracle";
  component.description = "the true labels: an upper bound";
  component.source = "ours";
  component.reads = fields_of_judge();
  component.needs_truth = true;
  component.make = [](MethodParts& parts) {
    return std::make_unique<OracleTrust>(judge_of(parts), parts.wrong);
  };
  return component;
}

TrustComponent full_trust() {
  TrustComponent component;
  component.name = "none";
  component.description = "every label counts in full";
  component.source = "usual training";
  component.reads = fields_of_judge();
  component.judges = false;
  component.make = [](MethodParts& parts) {
    return std::make_unique<FullTrust>(judge_of(parts), std::nullopt);
  };
  return component;
}

}  // namespace procsim::train
