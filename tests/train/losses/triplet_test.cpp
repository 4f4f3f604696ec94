#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class Triplet : public RivalTest {};

TEST_F(Triplet, HasTheIndependentValuesInEachForm) {
  expect_close((*loss("triplet"))(six), rivals["triplet"]["all"]);
  expect_close((*loss("triplet", {{"triplet_form", "facenet"}}))(six), rivals["triplet"]["facenet"]);
}

TEST_F(Triplet, GradientsAgreeWithFiniteDifferences) {
  expect_gradients_of(*loss_of_twelve("triplet", {{"triplet_margin", 0.5}}));
  expect_gradients_of(*loss_of_twelve("triplet", {{"triplet_form", "facenet"}}));
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_gradients_of(*loss_of_twelve("triplet", {{"triplet_form", "facenet"}}));
}

TEST_F(Triplet, WithoutATripletIsZeroWithAPath) {
  for (const std::string form : {"all", "facenet", "sampled"}) {
    const auto triplet = loss("triplet", {{"triplet_form", form}});
    EXPECT_EQ(finite_loss(*triplet, with_labels({0, 1, 2, 3, 4, 5})), 0) << form;
    EXPECT_EQ(finite_loss(*triplet, with_labels({0, 0, 0, 0, 0, 0})), 0) << form;
    finite_loss(*triplet, all_at_one_place());
  }
}

// What one draw of an anchor can come to: its positive against one of its semi-hard negatives, or any.
TEST_F(Triplet, SampledTakesASemiHardNegativeWhereThereIsOne) {
  const auto triplet = loss("triplet", {{"triplet_form", "sampled"}});
  for (int draw = 0; draw < 20; ++draw) {
    const auto values = (*triplet)(six);
    // Anchor 1: positive 0 at d² 0.08; negatives 3 and 5 lie within the margin of 0.2 beyond it.
    const double to_3 = 0.2 + 0.08 - (2 - 2 * 0.936);
    const double to_5 = 0.2 + 0.08 - (2 - 2 * 0.90660864);
    const double value = values[1].item<double>();
    EXPECT_TRUE(std::abs(value - to_3) < 1e-6 || std::abs(value - to_5) < 1e-6) << value;
  }
}

TEST_F(Triplet, DrawsGoOnWhereTheyWere) {
  const auto whole = loss("triplet", {{"triplet_form", "sampled"}});
  (*whole)(batch);
  TensorFile file;
  whole->save({file, "x"});
  const auto restored = loss("triplet", {{"triplet_form", "sampled"}});
  const auto first = (*restored)(batch);
  restored->restore({file, "x"});
  const auto second = (*whole)(batch);
  EXPECT_TRUE(torch::equal(second, (*restored)(batch)));
  EXPECT_FALSE(torch::equal(second, first)) << "every batch is drawn anew";
}

TEST_F(Triplet, RefusesOptionsThatCannotBe) {
  EXPECT_THROW(loss("triplet", {{"triplet_form", "hardest"}}), UsageError);
  EXPECT_THROW(loss("triplet", {{"triplet_form", "all"}, {"triplet_margin", 0.0}}), UsageError);
}

}  // namespace
}  // namespace procsim::train
