#include "train/methods/co_teaching.hpp"

#include <cmath>

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/methods/exchange.hpp"
#include "train/trust/judgement.hpp"

namespace procsim::train {
namespace {

constexpr const char* kCoTeachingPrefix = "co_teaching";

std::vector<std::int64_t> classes_of(const torch::Tensor& logits) {
  const auto best = logits.detach().argmax(1).to(torch::kCPU).contiguous();
  return {best.data_ptr<std::int64_t>(), best.data_ptr<std::int64_t>() + best.numel()};
}

torch::Tensor mean_of(const torch::Tensor& losses, const std::vector<std::int64_t>& places) {
  return losses.index_select(0, torch::tensor(places, torch::kInt64).to(losses.device())).mean();
}

MethodComponent co_teaching_component(const std::string& name, const std::string& description,
                                      const std::string& source, CoTeaching::Among among) {
  MethodComponent component;
  component.name = name;
  component.description = description;
  component.source = source;
  component.state = "a second network with its optimiser, a classifier of each";
  component.needs_rate = true;
  component.drops_rate = true;
  component.uses = {"co_teaching_", "classifier_"};
  component.check = option_check<CoTeachingOptions>(kCoTeachingPrefix);
  component.make = [among](MethodParts& parts) {
    return std::make_unique<CoTeaching>(parts, make_linear_classifier(parts, "train/classifier"),
                                        make_linear_classifier(parts, "train/second classifier"),
                                        read_options<CoTeachingOptions>(parts.config, kCoTeachingPrefix),
                                        among);
  };
  return component;
}

}  // namespace

void CoTeachingOptions::validate() const {
  require_option(epochs >= 1, "--co-teaching-epochs", static_cast<double>(epochs), "1 or more");
  require_option(exponent > 0, "--co-teaching-exponent", exponent, "above 0");
  require_option(apart_from >= 0, "--co-teaching-apart-from", static_cast<double>(apart_from), "0 or more");
}

void CoTeaching::Learner::descend(const torch::Tensor& objective) {
  parameters.zero_grad();
  network->descend(objective);
  parameters.step();
}

void CoTeaching::Learner::save(const CheckpointPart& part) {
  network->save(part);
  parameters.save(part.below("objective"));
}

void CoTeaching::Learner::restore(const CheckpointPart& part) {
  network->restore(part);
  parameters.restore(part.below("objective"));
}

CoTeaching::CoTeaching(MethodParts& parts, std::unique_ptr<Classifier> first,
                       std::unique_ptr<Classifier> second, const CoTeachingOptions& options, Among among)
    : second_model_(parts.another_model()),
      second_network_(
          std::make_unique<Network>(*second_model_,
                                    OptimizerOptions{parts.config.optimizer, parts.config.lr,
                                                     parts.config.momentum, parts.config.weight_decay},
                                    parts.config.precision, parts.network.processes())),
      first_{&parts.network, std::move(first), {{}, 0}},
      second_{second_network_.get(), std::move(second), {{}, 0}},
      options_(options),
      among_(among),
      rate_(parts.noise_rate.value()) {
  options_.validate();
  for (auto* learner : {&first_, &second_})
    learner->parameters =
        OwnParameters(learner->classifier->parameters(), learner->classifier->learning_rate());
}

std::vector<Quantity> CoTeaching::quantities() const {
  return {{.name = "cross_entropy",
           .title = "cross-entropy under the second network",
           .meaning = Quantity::Meaning::kSuspicion,
           .plot = "Losses"},
          {.name = "kept",
           .title = "samples that the second network picks for the first",
           .meaning = Quantity::Meaning::kTrust,
           .symbol = "kept",
           .plot = "Confidence"},
          {.name = "dropped", .title = "share that is dropped", .kind = Quantity::Kind::kScalar}};
}

StepOutcome CoTeaching::step(const Batch& batch) {
  const auto labels = batch.labels.to(first_.network->device());
  const auto logits_of = [&](Learner& learner) {
    return learner.classifier->logits(learner.network->forward(batch.views.front(), batch.stage));
  };
  const auto first = logits_of(first_);
  const auto second = logits_of(second_);
  const auto losses = cross_entropy_of(first, labels);
  const auto losses_second = cross_entropy_of(second, labels);
  const auto values = doubles(losses);
  auto values_second = doubles(losses_second);
  const double rate = dropped_in_epoch(rate_, batch.epoch, options_.epochs, options_.exponent);
  const bool apart = among_ == Among::kApart && batch.epoch >= options_.apart_from;
  const auto exchange =
      apart ? exchange_of_apart(values, values_second, classes_of(first), classes_of(second), rate)
            : exchange_of(values, values_second, rate);

  StepOutcome outcome;
  std::vector<double> kept(batch.samples.size(), 0.0);
  for (const auto place : exchange.by_second) kept[static_cast<std::size_t>(place)] = 1;
  outcome.columns = {{"cross_entropy", std::move(values_second)}, {"kept", std::move(kept)}};
  outcome.scalars = {{"dropped", rate}};
  const auto objective = mean_of(losses, exchange.by_second);
  const auto objective_second = mean_of(losses_second, exchange.by_first);
  outcome.objective = objective.item<double>();
  if (!std::isfinite(objective_second.item<double>())) outcome.objective = std::nan("");
  if (!std::isfinite(outcome.objective)) return outcome;
  first_.descend(objective);
  second_.descend(objective_second);
  return outcome;
}

void CoTeaching::save(const CheckpointPart& part) {
  first_.save(part);
  second_.save(part.below("second"));
}

void CoTeaching::restore(const CheckpointPart& part) {
  first_.restore(part);
  second_.restore(part.below("second"));
}

MethodComponent co_teaching_method() {
  auto component = co_teaching_component("co-teaching", "two classifiers, each on what is easy for the other",
                                         "Han et al. 2018", CoTeaching::Among::kAll);
  component.options = option_infos<CoTeachingOptions>(kCoTeachingPrefix);
  return component;
}

MethodComponent co_teaching_plus_method() {
  return co_teaching_component("co-teaching+", "the same, where the two disagree", "Yu et al. 2019",
                               CoTeaching::Among::kApart);
}

MethodComponent co_teaching_temperature_method() {
  auto component = co_teaching_component("co-teaching-temperature",
                                         "co-teaching on the normalised softmax with its temperature",
                                         "Han et al. 2018, Zhai & Wu 2019", CoTeaching::Among::kAll);
  component.uses = {"co_teaching_", "nsoftmax_"};
  component.make = [](MethodParts& parts) {
    return std::make_unique<CoTeaching>(parts, make_normalised_softmax(parts, "train/nsoftmax"),
                                        make_normalised_softmax(parts, "train/second nsoftmax"),
                                        read_options<CoTeachingOptions>(parts.config, kCoTeachingPrefix),
                                        CoTeaching::Among::kAll);
  };
  return component;
}

}  // namespace procsim::train
