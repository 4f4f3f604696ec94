#pragma once

#include <string>

#include "data/base/error.hpp"

namespace procsim::curate {

// A request that cannot be done, with the HTTP status that says so.
class ReviewError : public Error {
 public:
  ReviewError(int status, const std::string& message) : Error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace procsim::curate
