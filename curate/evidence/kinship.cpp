#include "curate/evidence/kinship.hpp"

#include <algorithm>
#include <unordered_map>

#include "taxonomy/tree/queries.hpp"

namespace procsim::curate {

std::string_view to_string(Kinship kinship) {
  switch (kinship) {
    case Kinship::kSame:
      return "same";
    case Kinship::kSiblings:
      return "siblings";
    case Kinship::kRelatives:
      return "relatives";
    case Kinship::kStrangers:
      return "strangers";
    case Kinship::kUnknown:
      break;
  }
  return "unknown";
}

ClassFamilies::ClassFamilies(const taxonomy::Taxonomy& taxonomy, const std::vector<LabelClass>& classes) {
  std::unordered_map<std::string_view, std::int32_t> known;
  const auto theirs = taxonomy.classes();
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    known.emplace(theirs[i].name, static_cast<std::int32_t>(i));
    if (!theirs[i].published.empty()) known.emplace(theirs[i].published, static_cast<std::int32_t>(i));
  }
  std::vector<std::int32_t> matched(classes.size(), taxonomy::ClassTree::kNone);
  std::vector<std::int32_t> used;
  doubts_.resize(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    auto found = classes[i].published.empty() ? known.end() : known.find(classes[i].published);
    if (found == known.end()) found = known.find(classes[i].name);
    if (found == known.end()) continue;
    // It hangs from the root because nobody knows better: that says nothing of its kin.
    if (theirs[static_cast<std::size_t>(found->second)].how == taxonomy::Resolution::kUnresolved)
      unplaced_.insert(static_cast<std::int32_t>(i));
    const auto& place = theirs[static_cast<std::size_t>(found->second)];
    doubts_[i] = {place.doubt, place.doubt_level};
    matched[i] = found->second;
    used.push_back(found->second);
  }
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (used.empty()) return;
  tree_ = taxonomy::prune(taxonomy, used);
  for (const auto label : matched)
    leaves_.push_back(label == taxonomy::ClassTree::kNone ? taxonomy::ClassTree::kNone
                                                          : tree_.leaf_of[static_cast<std::size_t>(label)]);
  flat_ = std::ranges::all_of(tree_.nodes, [](const auto& node) { return node.parent <= 0; });
  for (const auto& node : tree_.nodes) {
    names_.emplace_back(taxonomy.display_name(node.origin));
    ids_.push_back(taxonomy.is_leaf(node.origin) ? std::string() : taxonomy.node(node.origin).id);
  }
}

std::int32_t ClassFamilies::leaf(std::int32_t label) const {
  if (label < 0 || static_cast<std::size_t>(label) >= leaves_.size()) return taxonomy::ClassTree::kNone;
  return leaves_[static_cast<std::size_t>(label)];
}

Relation ClassFamilies::relation(std::int32_t a, std::int32_t b) const {
  const auto first = leaf(a), second = leaf(b);
  if (first == taxonomy::ClassTree::kNone || second == taxonomy::ClassTree::kNone) return {};
  const auto common = taxonomy::lowest_common_ancestor(tree_, first, second);
  const auto distance = taxonomy::distance(tree_, first, second);
  if (first == second) return {Kinship::kSame, 0, common};
  if (unplaced_.contains(a) || unplaced_.contains(b)) return {};
  if (flat_) return {};
  const bool doubtful = !doubt(a).empty() || !doubt(b).empty();
  if (common == 0) return {Kinship::kStrangers, distance, common, doubtful};
  const bool siblings = parent(first) == common && parent(second) == common;
  return {siblings ? Kinship::kSiblings : Kinship::kRelatives, distance, common, doubtful};
}

std::optional<std::int32_t> ClassFamilies::find(std::string_view node_id) const {
  if (node_id.empty()) return std::nullopt;
  const auto found = std::ranges::find(ids_, node_id);
  if (found == ids_.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - ids_.begin());
}

}  // namespace procsim::curate
