#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "train/frame/method_parts.hpp"
#include "train/frame/sample_trust.hpp"

namespace procsim::train {

// What the registry (train/methods/registry.hpp) knows of a loss, a trust and a method: a name on the command
// line, a line about it, where it was published, its options, and how it is made.

struct Component {
  std::string name;
  std::string description;
  std::string source;
  std::string state{};      // what it keeps between steps, for people; empty: nothing
  bool needs_rate = false;  // the share of wrong labels
  bool drops_rate = false;  // drops that share of every batch, which must be at least one sample
  std::vector<OptionInfo> options{};
  std::vector<std::string> uses{};  // options of others that it reads too, by the beginning of their names
  // Fields of the configuration that it reads and others do not (train/methods/unread_fields.cpp).
  std::vector<std::string> reads{};
  // Throws UsageError where its options are wrong, or do not go together with the rest of the configuration.
  std::function<void(const TrainConfig&)> check{};
};

struct ObjectiveComponent : Component {
  bool of_samples = false;  // a sample's value depends on that sample alone, not on the rest of the batch
  std::function<std::unique_ptr<Objective>(MethodParts&)> make;
  // The same loss with SuperLoss's confidence on each of its pairs, where it has pairs.
  std::function<std::unique_ptr<Objective>(MethodParts&)> make_with_pair_confidence{};
};

struct TrustComponent : Component {
  bool needs_truth = false;
  bool weights_pairs = false;  // by itself: takes the loss with confidence on its pairs where there is one
  bool needs_sample_values = false;  // a loss whose value of a sample depends on it alone
  bool judges = true;                // false: every label counts in full, whatever is said of it
  std::function<std::unique_ptr<SampleTrust>(MethodParts&)> make;
};

struct MethodComponent : Component {
  // What it stands for, field by field: a loss, a confidence and what they need. Empty for a method that is
  // more than a weighted loss.
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  // Where it is more than a weighted loss.
  std::function<std::unique_ptr<Method>(MethodParts&)> make{};
};

// --- Options
// ---------------------------------------------------------------------------------------------------- An
// options struct is plain fields with defaults, a validate() that throws UsageError, and
//   template <typename Self, typename Visitor> static void fields(Self& self, const Visitor& visit);
// which calls visit(name, field, help) for each. Its option on the command line is --<prefix>-<name>.

template <typename Options>
std::vector<OptionInfo> option_infos(const std::string& prefix) {
  std::vector<OptionInfo> list;
  const Options defaults;
  Options::fields(defaults, [&](const char* name, const auto& field, const char* help) {
    list.push_back({prefix + "_" + name, help, field});
  });
  return list;
}

template <typename Options>
Options read_options(const TrainConfig& config, const std::string& prefix) {
  Options options;
  Options::fields(options, [&](const char* name, auto& field, const char*) {
    const auto found = config.options.find(prefix + "_" + name);
    if (found != config.options.end()) found->get_to(field);
  });
  return options;
}

// Validates the options of this prefix.
template <typename Options>
std::function<void(const TrainConfig&)> option_check(const std::string& prefix) {
  return [prefix](const TrainConfig& config) { read_options<Options>(config, prefix).validate(); };
}

// A loss with options under `prefix`, made by make(parts, options).
template <typename Options, typename Make>
ObjectiveComponent objective_component(const std::string& name, const std::string& prefix, const Make& make) {
  ObjectiveComponent component;
  component.name = name;
  component.options = option_infos<Options>(prefix);
  component.check = option_check<Options>(prefix);
  component.make = [prefix, make](MethodParts& parts) -> std::unique_ptr<Objective> {
    return make(parts, read_options<Options>(parts.config, prefix));
  };
  return component;
}

// --- What is built in
// -------------------------------------------------------------------------------------------
#define OBJECTIVE(name) ObjectiveComponent name##_objective();
#define TRUST(name) TrustComponent name##_trust();
#define METHOD(name) MethodComponent name##_method();
#include "train/frame/builtin.def"
#undef OBJECTIVE
#undef TRUST
#undef METHOD

}  // namespace procsim::train
