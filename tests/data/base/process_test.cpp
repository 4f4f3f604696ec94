#include "data/base/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace procsim {
namespace {

TEST(Process, OneThatRunsIsKnownAndOneThatIsGoneIsNot) {
  EXPECT_TRUE(is_running(this_process()));
  int channel[2];
  ASSERT_EQ(::pipe(channel), 0);
  const auto child = ::fork();
  if (child == 0) {
    const auto name = this_process();
    [[maybe_unused]] const auto written = ::write(channel[1], name.data(), name.size());
    ::_exit(0);
  }
  char name[200];
  const auto length = ::read(channel[0], name, sizeof name);
  ASSERT_GT(length, 0);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(is_running({name, static_cast<std::size_t>(length)}))
      << "its parent has not heard of its end yet";
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_running({name, static_cast<std::size_t>(length)}));
}

TEST(Process, AnotherWithTheSameNumberIsNotTakenForIt) {
  auto name = this_process();
  name.replace(name.find(' ') + 1, 1, "x");  // another start
  EXPECT_FALSE(is_running(name));
  EXPECT_FALSE(is_running(""));
  EXPECT_FALSE(is_running("no number"));
  EXPECT_FALSE(is_running(this_process() + "x"));  // another boot
}

TEST(Process, AWordForFileNamesKnowsTheSame) {
  auto word = this_process_word();
  EXPECT_EQ(word.find_first_of(". /"), std::string::npos);
  EXPECT_TRUE(is_running_word(word));
  EXPECT_TRUE(is_running_word(std::to_string(::getpid()))) << "no start to compare";
  word.insert(word.find('-') + 1, "1");  // another start
  EXPECT_FALSE(is_running_word(word));
  EXPECT_FALSE(is_running_word("no number"));
  EXPECT_FALSE(is_running_word(""));
}

}  // namespace
}  // namespace procsim
