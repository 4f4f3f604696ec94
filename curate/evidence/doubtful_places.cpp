#include "curate/evidence/doubtful_places.hpp"

#include <algorithm>
#include <cmath>

namespace procsim::curate {
namespace {

struct Rivals {
  double siblings = 0;  // how many best rivals are siblings
  double expected = 0;  // how many would be, were they drawn from all other classes
};

std::vector<Rivals> count_rivals(const ScoreTable& table, const ClassFamilies& families) {
  const auto classes = static_cast<std::int32_t>(table.info().classes.size());
  std::vector<double> share(static_cast<std::size_t>(classes), 0);
  for (std::int32_t a = 0; a < classes; ++a) {
    double siblings = 0;
    for (std::int32_t b = 0; b < classes; ++b)
      siblings += a != b && families.relation(a, b).kinship == Kinship::kSiblings ? 1 : 0;
    share[static_cast<std::size_t>(a)] = siblings / std::max(1, classes - 1);
  }
  std::vector<Rivals> counts(static_cast<std::size_t>(classes));
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    const auto label = table.labels()[row];
    const auto rival = table.suggested()[row];
    if (label < 0 || rival < 0 || rival == label) continue;
    auto& count = counts[static_cast<std::size_t>(label)];
    count.expected += share[static_cast<std::size_t>(label)];
    count.siblings += families.relation(label, rival).kinship == Kinship::kSiblings ? 1 : 0;
  }
  return counts;
}

// Whether so few are this rare by chance: the lower tail of a Poisson distribution, below 1 %.
bool is_rare(const Rivals& count) {
  constexpr double kRare = 0.01;
  if (count.siblings * 2 >= count.expected) return false;
  double term = std::exp(-count.expected), tail = term;
  for (int k = 1; k <= static_cast<int>(count.siblings); ++k) tail += term *= count.expected / k;
  return tail < kRare;
}

}  // namespace

std::vector<DoubtfulPlace> find_doubtful_places(const ScoreTable& table, const ClassFamilies& families) {
  constexpr std::size_t kMostClasses = 2000;  // all pairs of classes are looked at
  std::vector<DoubtfulPlace> found;
  const auto classes = table.info().classes.size();
  if (!families.known()) return found;
  const auto counts = classes <= kMostClasses ? count_rivals(table, families) : std::vector<Rivals>(classes);
  for (std::int32_t label = 0; static_cast<std::size_t>(label) < classes; ++label) {
    const auto leaf = families.leaf(label);
    if (leaf == taxonomy::ClassTree::kNone) continue;
    const bool alien = is_rare(counts[static_cast<std::size_t>(label)]);
    const auto& doubt = families.doubt(label);
    if (doubt.empty() && !alien) continue;
    const auto parent = families.parent(leaf);
    found.push_back({label, parent == taxonomy::ClassTree::kNone ? std::string() : families.name(parent),
                     doubt, families.doubt_level(label), alien});
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, [](const DoubtfulPlace& place) {
    // Of classes that look nothing like their siblings a good part is misplaced, as of doubtful names.
    return (place.looks_alien ? 0.5 : 0) + place.level;
  });
  return found;
}

}  // namespace procsim::curate
