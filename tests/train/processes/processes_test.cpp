#include "train/processes/processes.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/train/processes/local_processes.hpp"

namespace procsim::train {
namespace {

TEST(Processes, SlicesCoverAListInOrder) {
  for (const std::int64_t size : {1, 2, 3, 7})
    for (const std::int64_t count : {0, 1, 6, 90, 91}) {
      std::int64_t next = 0;
      for (std::int64_t rank = 0; rank < size; ++rank) {
        const auto slice = slice_of(count, rank, size);
        EXPECT_EQ(slice.first, next);
        EXPECT_GE(slice.count, count / size);
        EXPECT_LE(slice.count, count / size + 1);
        next += slice.count;
      }
      EXPECT_EQ(next, count);
    }
}

TEST(Processes, OneProcessHasEverything) {
  const auto one = one_process();
  EXPECT_TRUE(one->first());
  EXPECT_EQ(one->slice(5).count, 5);
  const auto rows = torch::rand({2, 3}, torch::requires_grad());
  EXPECT_TRUE(one->gather_rows(rows).is_same(rows));
  EXPECT_EQ(made_by_first(*one, [] { return std::string("plan"); }), "plan");
  EXPECT_FALSE(one->any(false));
  require_same(*one, "settings", "the settings");
}

TEST(Processes, HearWhatTheFirstOneMade) {
  test::with_processes(2, [](Processes& processes) {
    EXPECT_EQ(made_by_first(processes, [] { return std::string("plan"); }), "plan");
    EXPECT_EQ(made_by_first(processes, [] { return std::string(); }), "");
  });
}

TEST(Processes, StopTogetherWhereTheFirstOneCannot) {
  test::with_processes(2, [](Processes& processes) {
    test::expect_error([&] { made_by_first(processes, []() -> std::string { throw Error("no labels"); }); },
                       {"no labels"});
  });
}

TEST(Processes, RefuseWhatIsNotTheSame) {
  test::with_processes(3, [](Processes& processes) {
    require_same(processes, "lr 1", "the settings");
    test::expect_error(
        [&] { require_same(processes, processes.rank() == 2 ? "lr 2" : "lr 1", "the settings"); },
        {"the settings are not the same in all processes"});
  });
}

}  // namespace
}  // namespace procsim::train
