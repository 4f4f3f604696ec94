#include "tools/taxo/shared/split_options.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {
namespace {

struct PolicyName {
  SplitPolicy policy;
  std::string_view name;
};
constexpr std::array<PolicyName, 4> kPolicies = {{{SplitPolicy::kDefault, "default"},
                                                  {SplitPolicy::kOfficial, "official"},
                                                  {SplitPolicy::kOwn, "own"},
                                                  {SplitPolicy::kSeeded, "seeded"}}};

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const auto& entry : kPolicies) names.emplace_back(entry.name);
  return names;
}

}  // namespace

std::string_view to_string(SplitPolicy policy) {
  for (const auto& entry : kPolicies) {
    if (entry.policy == policy) return entry.name;
  }
  return "default";
}

SplitPolicy split_policy_from_string(std::string_view text) {
  for (const auto& entry : kPolicies) {
    if (entry.name == text) return entry.policy;
  }
  const auto names = policy_names();
  throw UsageError(fmt::format("unknown split '{}': one of {}{}", text, fmt::join(names, ", "),
                               did_you_mean(text, names)));
}

void add_dataset_options(CLI::App* command, DatasetOptions& options) {
  const std::string group = "Data set";
  command
      ->add_option("--root", options.root,
                   "Folder that the data set is in (default: PROCSIM_DATA, else the current folder)")
      ->group(group)
      ->type_name("DIR");
  command
      ->add_option_function<std::string>(
          "--split", [&options](const std::string& text) { options.split = split_policy_from_string(text); },
          "Which classes or images train: official (class-disjoint, as in metric-learning papers), own (as "
          "published), "
          "seeded (half of the classes, drawn) (default: official for the benchmarks, own elsewhere)")
      ->check(one_of(policy_names()))
      ->group(group)
      ->type_name("POLICY");
  command->add_option("--split-seed", options.split_seed, "Seed of --split seeded")
      ->check(seed())
      ->group(group)
      ->capture_default_str();
  command
      ->add_flag("--merge-alike", options.merge_alike,
                 "Make one class of names that differ in letter case, blanks, hyphens or underscores alone")
      ->group(group);
  command->add_option("--label-column", options.label_column, "Column of the labels in a CSV or Parquet file")
      ->group(group)
      ->type_name("NAME");
  command
      ->add_option("--path-column", options.path_column, "Column of the image paths in a CSV or Parquet file")
      ->group(group)
      ->type_name("NAME");
}

}  // namespace procsim::tools
