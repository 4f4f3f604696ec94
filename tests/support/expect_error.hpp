#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::test {

// Expects that `action` throws procsim::Error with a message of one line that holds every one of the given
// pieces.
template <typename Action>
void expect_error(Action&& action, const std::vector<std::string>& pieces) {
  try {
    action();
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const auto& piece : pieces) EXPECT_THAT(message, testing::HasSubstr(piece));
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace procsim::test
