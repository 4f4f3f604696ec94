#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "data/base/words.hpp"
#include "data/sets/dataset_readers.hpp"

namespace procsim {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSplitWords = {{
    {"train", "train"},
    {"training", "train"},
    {"val", "val"},
    {"valid", "val"},
    {"validation", "val"},
    {"dev", "val"},
    {"test", "test"},
    {"testing", "test"},
    {"eval", "test"},
}};

// Which classes train. An odd class goes to the training half.
std::vector<bool> first_half(std::size_t classes) {
  std::vector<bool> trains(classes, false);
  std::fill_n(trains.begin(), (classes + 1) / 2, true);
  return trains;
}

std::vector<bool> drawn_half(std::size_t classes, std::uint64_t seed) {
  const KeyedRandom random(seed, "class-split/1");
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t i = 0; i < classes; ++i) {
    order.emplace_back(random.for_id(static_cast<std::int64_t>(i)).next_bits(), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> trains(classes, false);
  for (std::size_t i = 0; i < (classes + 1) / 2; ++i) trains[order[i].second] = true;
  return trains;
}

void split_by_class(Dataset& dataset, const std::vector<bool>& trains) {
  for (auto& sample : dataset.samples) {
    if (sample.label == kUnlabelled) {
      sample.split = "unlabelled";
    } else {
      sample.split = trains[static_cast<std::size_t>(sample.label)] ? "train" : "test";
    }
  }
}

bool has_own_split(const Dataset& dataset) {
  return std::none_of(dataset.samples.begin(), dataset.samples.end(),
                      [](const Sample& sample) { return sample.own_split.empty(); });
}

void take_own_split(Dataset& dataset) {
  for (auto& sample : dataset.samples) sample.split = sample.own_split;
}

// The papers' class-disjoint split. SOP and fieldguide publish it; for the others it is the first half of the
// classes.
void take_official_split(Dataset& dataset) {
  if (dataset.kind == "sop" || dataset.kind == "fieldguide") return take_own_split(dataset);
  split_by_class(dataset, first_half(dataset.classes.size()));
}

bool is_benchmark(const Dataset& dataset) {
  return dataset.kind == "cub200" || dataset.kind == "cars196" || dataset.kind == "sop" ||
         dataset.kind == "fieldguide";
}

void take_default_split(Dataset& dataset) {
  if (is_benchmark(dataset)) return take_official_split(dataset);
  if (has_own_split(dataset)) return take_own_split(dataset);
  for (auto& sample : dataset.samples) sample.split = "train";
  dataset.notes.push_back(
      "the data set has no split of its own: all samples are in 'train' (--split seeded draws one)");
}

}  // namespace

void apply_split(Dataset& dataset, SplitPolicy policy, std::uint64_t seed) {
  switch (policy) {
    case SplitPolicy::kDefault:
      return take_default_split(dataset);
    case SplitPolicy::kOfficial:
      return take_official_split(dataset);
    case SplitPolicy::kSeeded:
      return split_by_class(dataset, drawn_half(dataset.classes.size(), seed));
    case SplitPolicy::kOwn:
      break;
  }
  if (!has_own_split(dataset)) {
    throw Error(
        fmt::format("{} has no split of its own; use --split seeded to draw one by class", dataset.name));
  }
  take_own_split(dataset);
}

std::string split_name(std::string_view published) {
  const auto word = lower_case(published);
  for (const auto& [known, name] : kSplitWords) {
    if (known == word) return std::string(name);
  }
  return std::string(published);
}

bool is_split_name(std::string_view name) {
  const auto word = lower_case(name);
  return std::any_of(kSplitWords.begin(), kSplitWords.end(),
                     [&](const auto& entry) { return entry.first == word; });
}

}  // namespace procsim
