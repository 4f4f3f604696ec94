#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "train/frame/component.hpp"
#include "train/methods/method_info.hpp"

namespace procsim::train {

// Every loss, trust and method by name: what the command line offers, what help says, what config.json may
// hold, what goes together. The one place that compares a method's name with anything.
class Registry {
 public:
  void add(ObjectiveComponent objective) { objectives_.push_back(std::move(objective)); }
  void add(TrustComponent trust) { trusts_.push_back(std::move(trust)); }
  void add(MethodComponent method) { methods_.push_back(std::move(method)); }

  // By name; UsageError with the nearest one where there is none.
  const ObjectiveComponent& loss(const std::string& name) const;
  const TrustComponent& confidence(const std::string& name) const;
  const MethodComponent& method(const std::string& name) const;
  std::vector<OptionInfo> options() const;  // of all of them
  // The choices of method, loss and confidence, alone and with what each is; empty for other fields.
  std::vector<std::string> names_of(std::string_view field) const;
  std::string help_of(std::string_view field) const;

  // A configuration as config.json holds it, options of components included.
  TrainConfig config_from_json(const nlohmann::ordered_json& json, std::string_view source) const;

  // Sets what the method stands for. `given` are fields that the user has set: one that says something else
  // is a UsageError that tells what does not go together. Unknown names are UsageErrors with the nearest.
  void use_method(TrainConfig& config, const std::string& name,
                  const std::vector<std::string>& given = {}) const;
  // Sets `method` to the name of what the configuration composes.
  void name_method(TrainConfig& config) const;

  // Throws UsageError for whatever is wrong in the configuration or does not go together.
  void check(const TrainConfig& config) const;
  // Throws UsageError where one of the options that somebody has given (ms_alpha) is read by nothing in it.
  void check_options(const TrainConfig& config, const std::vector<std::string>& given) const;

  // The option whose value needs the share of wrong labels ("--confidence prism"); empty: nothing does.
  std::string needs_rate(const TrainConfig& config) const;

  // Every method, with what its loss and its trust keep and need.
  std::vector<MethodInfo> list() const;

  // For lists of runs: the method's name; of what nobody named "ms+oracle/pair".
  std::string name_of(const TrainConfig& config) const;
  // A line for pages.
  std::string describe(const TrainConfig& config) const;

  // The method of a checked configuration. Throws UsageError where it needs true labels, or the
  // share of wrong ones, and there is none, or where a batch is too small to drop that share of it.
  std::unique_ptr<Method> make(MethodParts& parts) const;

 private:
  const MethodComponent* own_method(const TrainConfig& config) const;
  std::vector<const Component*> parts_of(const TrainConfig& config) const;

  std::vector<ObjectiveComponent> objectives_;
  std::vector<TrustComponent> trusts_;
  std::vector<MethodComponent> methods_;
};

// What is built in: train/frame/builtin.def lists it.
const Registry& builtin_registry();

}  // namespace procsim::train
