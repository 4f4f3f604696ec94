#include "tools/program/progress_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::tools {
namespace {

TEST(ProgressLines, SayNowAndThenHowFarItIs) {
  std::chrono::steady_clock::time_point now{};
  std::vector<std::string> said;
  ProgressLines lines;
  lines.every = std::chrono::seconds(10);
  lines.clock = [&] { return now; };
  lines.print = [&](const std::string& line) { said.push_back(line); };
  const auto progress = lines.start("scores");
  for (std::uint64_t done = 1; done <= 100; ++done) {
    now += std::chrono::milliseconds(250);
    progress(done, 100);
  }
  EXPECT_THAT(said, testing::ElementsAre("scores: 40 of 100 (40 %), about 15 s left",
                                         "scores: 80 of 100 (80 %), about 5 s left"));
}

TEST(ProgressLines, SayNothingOfWhatIsSoonDone) {
  std::vector<std::string> said;
  ProgressLines lines;
  lines.print = [&](const std::string& line) { said.push_back(line); };
  const auto progress = lines.start("scores");
  progress(1, 2);
  progress(2, 2);
  EXPECT_TRUE(said.empty());
}

TEST(ProgressLines, NeedNoTotal) {
  std::chrono::steady_clock::time_point now{};
  std::vector<std::string> said;
  ProgressLines lines;
  lines.clock = [&] { return now; };
  lines.print = [&](const std::string& line) { said.push_back(line); };
  const auto progress = lines.start("rows");
  now += std::chrono::minutes(1);
  progress(7, 0);
  EXPECT_THAT(said, testing::ElementsAre("rows: 7"));
}

}  // namespace
}  // namespace procsim::tools
