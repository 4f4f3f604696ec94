#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::TemporaryFolder;
using ::testing::HasSubstr;

DecisionRecord decision(std::int64_t sample, const std::string& reviewer) {
  DecisionRecord record;
  record.label_set = "d1";
  record.sample = sample;
  record.reviewer = reviewer;
  record.verdict = "relabel";
  record.new_label = 2;
  record.source = "queue";
  return record;
}

// Rows at the end leave no broken link behind; the head, kept apart, still knows them.
TEST(Decisions, TheHeadKnowsRowsThatAreMissingAtTheEnd) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  EXPECT_EQ(workspace.decisions_head().rows, 0);
  workspace.append_decision(decision(1, "ada"));
  const auto last = workspace.append_decision(decision(2, "ada"));
  EXPECT_EQ(workspace.decisions_head().rows, 2);
  EXPECT_EQ(workspace.decisions_head().hash, last.hash);
  test::sql(folder.path(), "DROP TRIGGER decisions_stay");
  test::sql(folder.path(), "DELETE FROM decisions WHERE id = 2");
  EXPECT_EQ(workspace.decisions("").size(), 1U);
  EXPECT_EQ(workspace.decisions_head().rows, 2);
  // Whoever goes on does not hide it: the next row follows the one that is gone.
  EXPECT_EQ(workspace.append_decision(decision(3, "ada")).previous, last.hash);
}

TEST(Decisions, AreChainedAndCannotBeChanged) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto first = workspace.append_decision(decision(1, "ann"));
  const auto second = workspace.append_decision(decision(2, "bob"));
  EXPECT_EQ(first.previous, "");
  EXPECT_EQ(second.previous, first.hash);
  EXPECT_EQ(decision_hash(second), second.hash);
  const auto stored = workspace.decisions("d1");
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(decision_hash(stored[1]), second.hash);
  EXPECT_EQ(stored[1].new_label, 2);
  EXPECT_EQ(workspace.decisions("other").size(), 0u);
  EXPECT_THAT(test::sql(folder.path(), "UPDATE decisions SET verdict = 'keep'"), HasSubstr("append-only"));
  EXPECT_THAT(test::sql(folder.path(), "DELETE FROM decisions"), HasSubstr("append-only"));
}

TEST(Decisions, HashDependsOnEveryField) {
  auto base = decision(1, "ann");
  base.time = "2026-01-01T00:00:00.000Z";
  const auto hash = decision_hash(base);
  const auto changed = [&](auto change) {
    auto copy = base;
    change(copy);
    return decision_hash(copy) != hash;
  };
  EXPECT_TRUE(changed([](auto& d) { d.sample = 2; }));
  EXPECT_TRUE(changed([](auto& d) { d.reviewer = "anna"; }));
  EXPECT_TRUE(changed([](auto& d) { d.verdict = "keep"; }));
  EXPECT_TRUE(changed([](auto& d) { d.new_label.reset(); }));
  EXPECT_TRUE(changed([](auto& d) { d.new_node = "x"; }));
  EXPECT_TRUE(changed([](auto& d) { d.source = "audit"; }));
  EXPECT_TRUE(changed([](auto& d) { d.time += "x"; }));
  EXPECT_TRUE(changed([](auto& d) { d.previous = "x"; }));
  EXPECT_TRUE(changed([](auto& d) { d.label_set = "d2"; }));
}

TEST(Decisions, OfFourProcessesAtOnceFormOneChain) {
  const TemporaryFolder folder;
  Workspace::open_or_create(folder.path());
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto workspace = Workspace::open(folder.path());
      for (int i = 0; i < 50; ++i) workspace.append_decision(decision(i, std::to_string(process)));
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const auto child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto all = Workspace::open(folder.path()).decisions("");
  ASSERT_EQ(all.size(), 200u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i].previous, all[i - 1].hash);
}

}  // namespace
}  // namespace procsim
