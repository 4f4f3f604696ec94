#pragma once

#include <stdexcept>
#include <string>

namespace procsim {

// A failure that a user can cause or mend. `what()` is the finished message, one line: what went wrong, where
// (file, row, column), and what to do next. Thrown where the failure occurs, caught once, in `main` (exit
// code 1).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The command line itself is wrong (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace procsim
