#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "data/labels/label_difference.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"

namespace procsim::tools {
namespace diff_command {
namespace {

struct Options {
  std::filesystem::path before, after;
  bool rows = false;
  std::size_t top = 10;
};

// Noise changes labels, never classes: other classes are other data.
LabelSetInfo require_same_classes(const Options& options) {
  const auto before = LabelSetReader(options.before).info(), after = LabelSetReader(options.after).info();
  if (before.classes.size() != after.classes.size())
    throw Error(fmt::format("{} has {} classes and {} has {}: they cannot be compared",
                            options.before.string(), before.classes.size(), options.after.string(),
                            after.classes.size()));
  for (std::size_t label = 0; label < before.classes.size(); ++label)
    if (before.classes[label].name != after.classes[label].name)
      throw Error(fmt::format("class {} is '{}' in {} and '{}' in {}: they cannot be compared", label,
                              before.classes[label].name, options.before.string(), after.classes[label].name,
                              options.after.string()));
  return before;
}

std::string name_of(const LabelSetInfo& info, std::int32_t label) {
  return label == kUnlabelled ? "(none)" : info.classes[static_cast<std::size_t>(label)].name;
}

// Changed labels that are right now.
std::int64_t mended(const LabelDifference& difference) {
  return difference.corrected + difference.labelled_right;
}

nlohmann::ordered_json as_json(const LabelDifference& difference, const LabelSetInfo& info) {
  nlohmann::ordered_json json;
  json["rows_before"] = difference.rows_before;
  json["rows_after"] = difference.rows_after;
  json["common"] = difference.common;
  json["changed"] = difference.changed;
  json["mended"] = mended(difference);
  json["broken"] = difference.spoilt;
  json["other_path"] = difference.other_path;
  json["other_truth"] = difference.other_truth;
  json["only_before"] = difference.only_before;
  json["only_after"] = difference.only_after;
  auto& pairs = json["pairs"] = nlohmann::ordered_json::array();
  for (const auto& [pair, count] : difference.pairs) {
    pairs.push_back(
        {{"before", name_of(info, pair.first)}, {"after", name_of(info, pair.second)}, {"samples", count}});
  }
  return json;
}

int run(const Options& options, const GlobalOptions& global) {
  const auto info = require_same_classes(options);
  if (options.rows) {
    fmt::print("sample_id,path,split,before,after,truth\n");
    compare_label_sets(options.before, options.after, [&](const LabelChange& change) {
      if (!change.after) return;  // only in the first
      fmt::print("{},{},{},{},{},{}\n", change.sample_id, csv_field(change.path), csv_field(change.split),
                 csv_field(name_of(info, change.before)), csv_field(name_of(info, *change.after)),
                 change.true_label ? csv_field(name_of(info, *change.true_label)) : "");
    });
    return 0;
  }
  const auto difference = compare_label_sets(options.before, options.after, {});
  if (global.json) {
    fmt::print("{}\n", as_json(difference, info).dump(2));
    return 0;
  }
  print_safely("{} of {} common samples carry another label ({} right before, {} right after)\n",
               grouped(difference.changed), grouped(difference.common), grouped(difference.spoilt),
               grouped(mended(difference)));
  const auto mention = [](std::int64_t count, const char* words) {
    if (count > 0) print_safely("{} {}\n", grouped(count), words);
  };
  mention(difference.other_path, "samples have another image");
  mention(difference.other_truth, "samples have another true label");
  mention(difference.only_before, "samples are only in the first");
  mention(difference.only_after, "samples are only in the second");
  std::vector<std::pair<std::int64_t, std::pair<std::int32_t, std::int32_t>>> pairs;
  for (const auto& [pair, count] : difference.pairs) pairs.emplace_back(-count, pair);
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < std::min(options.top, pairs.size()); ++i) {
    print_safely("  {:>8}  {} → {}\n", grouped(-pairs[i].first), name_of(info, pairs[i].second.first),
                 name_of(info, pairs[i].second.second));
  }
  return 0;
}

}  // namespace
}  // namespace diff_command

void add_noise_diff(Program& program) {
  using namespace diff_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "diff", "Compare two label sets, sample by sample",
      "noise diff clean.parquet noisy.parquet\n  noise diff a.parquet b.parquet --rows > changes.csv");
  command->add_option("before", options->before, "Label set")->required();
  command->add_option("after", options->after, "Label set")->required();
  command->add_flag("--rows", options->rows, "Every changed sample, as CSV");
  add_top_option(command, options->top, "How many pairs of classes to name");
  program.on(command, options, run);
}

}  // namespace procsim::tools
