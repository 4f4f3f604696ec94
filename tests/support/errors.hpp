#pragma once

#include <string>

#include "data/base/error.hpp"

namespace procsim::test {

// The message of the Error that `action` throws, for EXPECT_THAT(…, HasSubstr(…)).
template <typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace procsim::test
