#include "data/labels/label_difference.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class Difference : public testing::Test {
 protected:
  // Ten samples of two classes in turn; the labels of 0, 1 and 2 are wrong.
  Difference() {
    before_.info.dataset = "birds";
    before_.info.classes = {{"Gull", "", ""}, {"Tern", "", ""}};
    for (std::int32_t i = 0; i < 10; ++i)
      before_.rows.push_back(
          {i, std::to_string(i) + ".jpg", i < 8 ? "train" : "test", i % 2, i < 3 ? 1 - i % 2 : i % 2});
    after_ = before_;
  }

  LabelDifference compare() {
    write_label_set(folder_ / "before.parquet", before_, IfExists::kReplace);
    write_label_set(folder_ / "after.parquet", after_, IfExists::kReplace);
    changes_.clear();
    return compare_label_sets(folder_ / "before.parquet", folder_ / "after.parquet",
                              [this](const LabelChange& change) { changes_.push_back(change); });
  }
  std::vector<std::int64_t> changed_ids() const {
    std::vector<std::int64_t> ids;
    for (const auto& change : changes_) ids.push_back(change.sample_id);
    return ids;
  }
  void leave_out(std::int64_t id) {
    std::erase_if(after_.rows, [&](const LabelRow& row) { return row.sample_id == id; });
  }

  test::TemporaryFolder folder_;
  LabelSet before_, after_;
  std::vector<LabelChange> changes_;
};

TEST_F(Difference, OfTheSameSetsIsNone) {
  const auto difference = compare();
  EXPECT_EQ(difference.common, 10);
  EXPECT_EQ(difference.changed, 0);
  EXPECT_EQ(difference.only_before + difference.only_after, 0);
  EXPECT_EQ(difference.known_before, 10);
  EXPECT_EQ(difference.wrong_before, 3);
  EXPECT_EQ(difference.wrong_after, 3);
  EXPECT_FALSE(difference.precision());
  EXPECT_THAT(changes_, IsEmpty());
}

TEST_F(Difference, SaysWhatGotBetter) {
  after_.rows[0].label = 1;  // wrong → right
  after_.info.classes.push_back({"Owl", "", ""});
  after_.rows[2].label = 2;            // wrong → wrong in another way
  after_.rows[3].label = 0;            // right → wrong
  after_.rows[4].label = kUnlabelled;  // right → gone
  leave_out(1);                        // wrong
  leave_out(9);                        // right
  const auto difference = compare();
  EXPECT_EQ(difference.rows_before, 10);
  EXPECT_EQ(difference.rows_after, 8);
  EXPECT_EQ(difference.common, 8);
  EXPECT_EQ(difference.changed, 4);
  EXPECT_EQ(difference.only_before, 2);
  EXPECT_EQ(difference.only_after, 0);
  EXPECT_EQ(difference.known_after, 7) << "one has no label";
  EXPECT_EQ(difference.wrong_after, 2);
  EXPECT_EQ(difference.corrected, 1);
  EXPECT_EQ(difference.still_wrong, 1);
  EXPECT_EQ(difference.spoilt, 2);
  EXPECT_EQ(difference.wrong_left_out, 1);
  EXPECT_EQ(difference.right_left_out, 1);
  EXPECT_DOUBLE_EQ(difference.precision().value(), 0.5);  // 3 of 6
  EXPECT_THAT(difference.classes, ElementsAre("Gull", "Tern", "Owl"));
  EXPECT_THAT(difference.pairs, ElementsAre(Pair(Pair(0, kUnlabelled), 1), Pair(Pair(0, 1), 1),
                                            Pair(Pair(0, 2), 1), Pair(Pair(1, 0), 1)));
  EXPECT_THAT(changed_ids(), ElementsAre(0, 2, 3, 4, 1, 9)) << "those that are left out come last";
  EXPECT_FALSE(changes_[5].after);
  EXPECT_EQ(changes_[5].path, "9.jpg");
  EXPECT_EQ(changes_[5].split, "test");
  EXPECT_EQ(changes_[1].after, 2);
  EXPECT_EQ(changes_[1].true_label, 1);
}

TEST_F(Difference, FindsChangesByIdInAnyOrder) {
  after_.rows[0].label = 1;
  after_.rows[7].label = 0;
  leave_out(1);
  std::ranges::reverse(after_.rows);
  after_.rows.push_back({77, "77.jpg", "train", 0, {}});
  const auto difference = compare();
  EXPECT_EQ(difference.common, 9);
  EXPECT_EQ(difference.changed, 2);
  EXPECT_EQ(difference.corrected, 1);
  EXPECT_EQ(difference.spoilt, 1);
  EXPECT_EQ(difference.only_before, 1);
  EXPECT_EQ(difference.only_after, 1);
  EXPECT_THAT(changed_ids(), ElementsAre(7, 0, 1)) << "in the second set's order";
}

TEST_F(Difference, MatchesClassesByName) {
  std::swap(after_.info.classes[0], after_.info.classes[1]);
  for (auto& row : after_.rows) {
    row.label = 1 - row.label;
    row.true_label = 1 - *row.true_label;
  }
  after_.rows[5].label = 1;  // Tern → Gull
  const auto difference = compare();
  EXPECT_EQ(difference.changed, 1);
  EXPECT_EQ(difference.other_truth, 0);
  EXPECT_THAT(difference.pairs, ElementsAre(Pair(Pair(1, 0), 1)));
}

TEST_F(Difference, TheTruthOfTheSecondSetCountsAndAnUnknownOneIsNoOther) {
  before_.rows[0].label = kUnlabelled;
  before_.rows[0].true_label.reset();
  after_.rows[0].label = 1;
  after_.rows[0].true_label = 1;  // known only now
  after_.rows[5].true_label = 0;
  after_.rows[6].path = "other.jpg";
  const auto difference = compare();
  EXPECT_EQ(difference.known_before, 9);
  EXPECT_EQ(difference.labelled_right, 1);
  EXPECT_EQ(difference.corrected, 0);
  EXPECT_EQ(difference.other_truth, 1);
  EXPECT_EQ(difference.other_path, 1);
}

TEST_F(Difference, RefusesASampleThatStandsTwice) {
  after_.rows.push_back(after_.rows[4]);
  EXPECT_THAT(test::error_of([&] { compare(); }), HasSubstr("after.parquet: sample_id 4 in row 10"));
}

}  // namespace
}  // namespace procsim
