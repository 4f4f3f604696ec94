// The distributions of the models, against probabilities that this file works out by itself: walking the full
// taxonomy recursively for the tree models, by hand for the others. False alarms: chance.hpp.

#include "noise/target_model.hpp"

#include <functional>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "noise/tree_models.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "tests/noise/chance.hpp"
#include "tests/noise/sample_labels.hpp"

namespace procsim::noise {
namespace {

using test::noise_birds;
using test::plausible_counts;

constexpr std::int64_t kDraws = 200000;

std::vector<std::int64_t> draw_many(const TargetModel& model, std::int32_t label, std::size_t classes) {
  const KeyedRandom random(11, "test/target");
  std::vector<std::int64_t> counts(classes, 0);
  for (std::int64_t id = 0; id < kDraws; ++id) {
    const auto target = model.draw(id, label, random.for_id(id));
    if (target < 0) ADD_FAILURE() << "no target for class " << label;
    ++counts[static_cast<std::size_t>(target)];
  }
  return counts;
}

// --- by enumeration, from the taxonomy itself
// ---------------------------------------------------------------------

class Enumeration {
 public:
  Enumeration(const taxonomy::Taxonomy& taxonomy, std::set<std::int32_t> classes)
      : taxonomy_(taxonomy), classes_(std::move(classes)) {}

  std::vector<double> semantic(std::int32_t label, InnerStep step) const {
    std::vector<double> result(static_cast<std::size_t>(taxonomy_.class_count()), 0);
    taxonomy::NodeIndex from = taxonomy_.leaf(label);
    taxonomy::NodeIndex ancestor = *taxonomy_.parent(from);
    while (living_children(ancestor).size() < 2) {
      from = ancestor;
      ancestor = *taxonomy_.parent(ancestor);
    }
    std::vector<taxonomy::NodeIndex> others;
    for (const auto child : living_children(ancestor)) {
      if (child != from) others.push_back(child);
    }
    for (const auto other : others) {
      const double share = 1.0 / static_cast<double>(others.size());
      if (step == InnerStep::kLeaves) {
        const auto below = living_leaves(other);
        for (const auto leaf : below)
          result[static_cast<std::size_t>(leaf)] += share / static_cast<double>(below.size());
      } else {
        spread(other, share, result);
      }
    }
    return result;
  }

  // weights exp(−edges / T), edges counted in the tree without its single-child nodes
  std::vector<double> by_distance(std::int32_t label, double temperature) const {
    std::vector<double> result(static_cast<std::size_t>(taxonomy_.class_count()), 0);
    double sum = 0;
    for (const auto other : classes_) {
      if (other == label) continue;
      const double weight = std::exp(-edges(label, other) / temperature);
      result[static_cast<std::size_t>(other)] = weight;
      sum += weight;
    }
    for (auto& value : result) value /= sum;
    return result;
  }

  int edges(std::int32_t a, std::int32_t b) const {
    const auto left = branching_ancestors(a);
    const auto right = branching_ancestors(b);
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = 0; j < right.size(); ++j) {
        if (left[i] == right[j]) return static_cast<int>(i + j) + 2;
      }
    }
    return -1;
  }

  std::vector<std::int32_t> living_leaves(taxonomy::NodeIndex node) const {
    if (taxonomy_.is_leaf(node)) {
      const auto label = taxonomy_.label_of_leaf(node);
      return classes_.contains(label) ? std::vector<std::int32_t>{label} : std::vector<std::int32_t>{};
    }
    std::vector<std::int32_t> result;
    for (const auto child : taxonomy_.children(node)) {
      const auto below = living_leaves(child);
      result.insert(result.end(), below.begin(), below.end());
    }
    return result;
  }

 private:
  std::vector<taxonomy::NodeIndex> living_children(taxonomy::NodeIndex node) const {
    std::vector<taxonomy::NodeIndex> result;
    for (const auto child : taxonomy_.children(node)) {
      if (!living_leaves(child).empty()) result.push_back(child);
    }
    return result;
  }
  void spread(taxonomy::NodeIndex node, double share, std::vector<double>& result) const {
    if (taxonomy_.is_leaf(node)) {
      result[static_cast<std::size_t>(taxonomy_.label_of_leaf(node))] += share;
      return;
    }
    const auto children = living_children(node);
    for (const auto child : children) spread(child, share / static_cast<double>(children.size()), result);
  }
  // From the leaf upwards, those with two living children or more.
  std::vector<taxonomy::NodeIndex> branching_ancestors(std::int32_t label) const {
    std::vector<taxonomy::NodeIndex> result;
    for (auto node = taxonomy_.parent(taxonomy_.leaf(label)); node; node = taxonomy_.parent(*node)) {
      if (living_children(*node).size() >= 2) result.push_back(*node);
    }
    return result;
  }

  const taxonomy::Taxonomy& taxonomy_;
  std::set<std::int32_t> classes_;
};

const std::vector<std::set<std::int32_t>> kClassSets{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
    {0, 1, 3, 5, 6, 8, 10},  // chains collapse: auk, raptor, sparrow have one class left
    {0, 7},                  // relatives only through the root
    {3, 4, 11},
};

std::shared_ptr<const taxonomy::ClassTree> tree_of(const taxonomy::Taxonomy& taxonomy,
                                                   const std::set<std::int32_t>& classes) {
  const std::vector<std::int32_t> labels(classes.begin(), classes.end());
  return std::make_shared<const taxonomy::ClassTree>(taxonomy::prune(taxonomy, labels));
}

TEST(SemanticModel, DrawsAsEnumerationOfTheTreeSays) {
  const auto taxonomy = noise_birds();
  double tests = 0;
  for (const auto& classes : kClassSets) tests += 2.0 * static_cast<double>(classes.size());
  for (const auto& classes : kClassSets) {
    const Enumeration enumeration(taxonomy, classes);
    for (const auto step : {InnerStep::kDescend, InnerStep::kLeaves}) {
      const auto model = make_semantic_model(tree_of(taxonomy, classes), step);
      for (const auto label : classes) {
        const auto expected = enumeration.semantic(label, step);
        EXPECT_EQ(expected[static_cast<std::size_t>(label)], 0);
        EXPECT_TRUE(plausible_counts(draw_many(*model, label, expected.size()), expected, tests))
            << "class " << label << " of " << classes.size();
      }
    }
  }
}

TEST(SemanticModel, DescendAndLeavesDifferWhereInnerChildrenAreUneven) {
  // From Purple Finch: sparrow is the only sibling. From Blue-winged Warbler: finch, with one leaf beside two
  // sparrows.
  const auto taxonomy = noise_birds();
  const Enumeration enumeration(taxonomy, kClassSets[0]);
  const auto descend = enumeration.semantic(8, InnerStep::kDescend);
  const auto leaves = enumeration.semantic(8, InnerStep::kLeaves);
  EXPECT_NEAR(descend[5], 0.5, 1e-12);
  EXPECT_NEAR(leaves[5], 1.0 / 3, 1e-12);
}

TEST(SemanticModel, ASingleClassHasNoTarget) {
  const auto taxonomy = noise_birds();
  const auto model = make_semantic_model(tree_of(taxonomy, {4}), InnerStep::kDescend);
  EXPECT_FALSE(model->has_target(4));
  EXPECT_EQ(model->draw(1, 4, KeyedRandom(1, "x").for_id(1)), kUnlabelled);
}

TEST(DistanceModel, WeightsFallWithTheEdgesBetweenClasses) {
  const auto taxonomy = noise_birds();
  const double tests = 3 * 26;
  for (const auto& classes : kClassSets) {
    const Enumeration enumeration(taxonomy, classes);
    for (const double temperature : {0.7, 2.0, 50.0}) {
      const auto model = make_distance_model(tree_of(taxonomy, classes), temperature);
      for (const auto label : classes) {
        EXPECT_TRUE(plausible_counts(draw_many(*model, label, 12),
                                     enumeration.by_distance(label, temperature), tests))
            << "class " << label << ", temperature " << temperature;
      }
    }
  }
}

TEST(DistanceModel, SurvivesTinyTemperatures) {
  const auto taxonomy = noise_birds();
  const auto model = make_distance_model(tree_of(taxonomy, kClassSets[0]), 1e-4);
  const auto counts = draw_many(*model, 0, 12);  // only the two other gulls are near enough
  EXPECT_EQ(counts[1] + counts[2], kDraws);
}

TEST(SuperclassModel, StaysBelowTheAncestorAtTheLevel) {
  const auto taxonomy = noise_birds();
  const auto model = make_superclass_model(tree_of(taxonomy, kClassSets[0]), 1);
  const Enumeration enumeration(taxonomy, kClassSets[0]);
  for (const char* name : {"seabird", "passerine", "raptor"}) {
    const auto group = enumeration.living_leaves(*taxonomy.find_node(name));
    for (const auto label : group) {
      std::vector<double> expected(12, 0);
      for (const auto other : group) {
        if (other != label)
          expected[static_cast<std::size_t>(other)] = 1.0 / static_cast<double>(group.size() - 1);
      }
      EXPECT_TRUE(plausible_counts(draw_many(*model, label, 12), expected, 12))
          << name << ", class " << label;
    }
  }
}

TEST(SuperclassModel, AClassAloneAtItsLevelHasNoTarget) {
  const auto taxonomy = noise_birds();
  const auto model = make_superclass_model(tree_of(taxonomy, {0, 1, 9}), 1);  // one raptor left
  EXPECT_TRUE(model->has_target(0));
  EXPECT_FALSE(model->has_target(9));
}

TEST(UniformModel, DrawsAllOtherClassesOfTheSplitAlikeAndNeverItself) {
  const std::vector<std::int32_t> classes{1, 2, 5, 7, 11};
  const auto model = make_uniform_model(classes);
  for (const auto label : classes) {
    std::vector<double> expected(12, 0);
    for (const auto other : classes) expected[static_cast<std::size_t>(other)] = other == label ? 0 : 0.25;
    EXPECT_TRUE(plausible_counts(draw_many(*model, label, 12), expected, 5)) << "class " << label;
  }
}

TEST(PairModel, GoesToTheNextClassOfTheSplitAndRoundTheEnd) {
  const auto model = make_next_class_model(std::vector<std::int32_t>{1, 4, 6});
  const Draws draws = KeyedRandom(1, "x").for_id(1);
  EXPECT_EQ(model->draw(1, 1, draws), 4);
  EXPECT_EQ(model->draw(1, 4, draws), 6);
  EXPECT_EQ(model->draw(1, 6, draws), 1);
}

TEST(PairModel, FollowsItsMapAndLeavesOtherClassesAlone) {
  const auto model = make_pair_model({{0, 5}, {5, 2}});
  const Draws draws = KeyedRandom(1, "x").for_id(1);
  EXPECT_EQ(model->draw(1, 0, draws), 5);
  EXPECT_EQ(model->draw(1, 5, draws), 2);
  EXPECT_EQ(model->draw(1, 2, draws), kUnlabelled);
  EXPECT_FALSE(model->has_target(2));
}

TEST(MatrixModel, DrawsItsRowsWithoutTheDiagonal) {
  ClassMatrix matrix;
  matrix.rows[2] = {{0, 0.1}, {2, 0.6}, {3, 0.05}, {4, 0.25}};
  EXPECT_NEAR(matrix.leaving_rate(2), 0.4, 1e-12);
  EXPECT_EQ(matrix.leaving_rate(7), 0);
  const auto model = make_matrix_model(matrix);
  EXPECT_TRUE(plausible_counts(draw_many(*model, 2, 5), {0.25, 0, 0, 0.125, 0.625}));
  EXPECT_EQ(model->draw(1, 7, KeyedRandom(1, "x").for_id(1)), kUnlabelled);
}

TEST(KnnModel, DrawsTheSamplesRivalsInProportion) {
  auto table = std::make_shared<RivalTable>();
  for (std::int64_t id = 0; id < kDraws; ++id) {
    table->add(id, std::vector<std::pair<std::int32_t, double>>{{3, 0.3}, {1, 0.2}, {9, 0.4}, {0, 0.1}});
  }
  const std::vector<std::int32_t> classes{0, 1, 2, 3};  // 9 is not in the split
  const auto all = make_knn_model(table, classes, 0);
  EXPECT_TRUE(plausible_counts(draw_many(*all, 2, 10), {1.0 / 6, 1.0 / 3, 0, 0.5, 0, 0, 0, 0, 0, 0}, 3));
  EXPECT_TRUE(plausible_counts(draw_many(*all, 3, 10), {1.0 / 3, 2.0 / 3, 0, 0, 0, 0, 0, 0, 0, 0}, 3));
  const auto best = make_knn_model(table, classes, 1);
  EXPECT_EQ(draw_many(*best, 2, 10)[3], kDraws);
  EXPECT_EQ(best->draw(kDraws + 5, 2, KeyedRandom(1, "x").for_id(1)), kUnlabelled);  // never scored
}

TEST(ReplayModel, GivesTheLabelsThatWereGiven) {
  auto given = std::make_shared<GivenLabels>(GivenLabels{{1, 4}, {2, 7}});
  const auto model = make_replay_model(given);
  const Draws draws = KeyedRandom(1, "x").for_id(1);
  EXPECT_EQ(model->draw(1, 0, draws), 4);
  EXPECT_EQ(model->draw(2, 7, draws), kUnlabelled);  // it has that label already
  EXPECT_EQ(model->draw(3, 0, draws), kUnlabelled);
}

}  // namespace
}  // namespace procsim::noise
