#include "data/sets/alike_classes.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "data/base/normal_text.hpp"

namespace procsim {

std::string AlikeClasses::in_words() const {
  std::vector<std::string> words;
  for (const auto& each : spellings) words.push_back(fmt::format("{} ({})", each.name, each.samples));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<AlikeClasses> find_alike_classes(const Dataset& dataset) {
  std::vector<std::size_t> samples(dataset.classes.size());
  for (const auto& sample : dataset.samples)
    if (sample.label != kUnlabelled) ++samples[static_cast<std::size_t>(sample.label)];
  std::vector<AlikeClasses> groups;
  std::unordered_map<std::string, std::size_t> group_of;
  for (std::size_t label = 0; label < dataset.classes.size(); ++label) {
    const auto& entry = dataset.classes[label];
    const auto look = look_of(entry.name);
    if (look.empty()) continue;
    const auto [found, fresh] = group_of.try_emplace(look, groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].spellings.push_back({static_cast<std::int32_t>(label), entry.name, samples[label]});
  }
  std::erase_if(groups, [](const AlikeClasses& group) { return group.spellings.size() < 2; });
  for (auto& group : groups) {
    std::ranges::stable_sort(group.spellings, std::ranges::greater{}, &AlikeClasses::Spelling::samples);
    const auto as_named = group.spellings;
    for (auto& each : group.spellings) {  // of one name: told apart as the data set has them
      const auto same = std::ranges::count(as_named, each.name, &AlikeClasses::Spelling::name);
      const auto& published = dataset.classes[static_cast<std::size_t>(each.label)].published;
      if (same > 1 && !published.empty()) each.name = published;
    }
  }
  return groups;
}

void merge_classes(Dataset& dataset, const std::vector<AlikeClasses>& groups) {
  constexpr std::int32_t kGone = -2;
  std::vector<std::int32_t> into(dataset.classes.size(), kGone);  // of classes that stay: themselves
  for (std::size_t label = 0; label < into.size(); ++label) into[label] = static_cast<std::int32_t>(label);
  for (const auto& group : groups)
    for (const auto& each : group.spellings)
      into[static_cast<std::size_t>(each.label)] = group.spellings.front().label;
  std::vector<std::int32_t> number(into.size(), kGone);
  std::vector<DatasetClass> classes;
  for (std::size_t label = 0; label < into.size(); ++label) {
    if (into[label] != static_cast<std::int32_t>(label)) continue;
    number[label] = static_cast<std::int32_t>(classes.size());
    classes.push_back(std::move(dataset.classes[label]));
  }
  dataset.classes = std::move(classes);
  for (auto& sample : dataset.samples)
    if (sample.label != kUnlabelled)
      sample.label = number[static_cast<std::size_t>(into[static_cast<std::size_t>(sample.label)])];
}

}  // namespace procsim
