#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "data/base/progress.hpp"

namespace procsim::tools {

// How far long work has come, a line now and then, for logs: where nobody looks at a bar, silence is taken
// for a hang. Work that is done within `every` says nothing.
struct ProgressLines {
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  std::chrono::seconds every{15};
  Clock clock = std::chrono::steady_clock::now;
  std::function<void(const std::string&)> print;  // a line without its end

  // "scores: 1200 of 5000 (24 %), about 40 s left"
  Progress start(std::string what) const;
};

}  // namespace procsim::tools
