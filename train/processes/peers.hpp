#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace procsim::train {

// Who the processes of a run are, as each says it at the start; asked when one of them is lost.
struct Peers {
  std::int64_t rank = 0;           // of this process
  std::vector<std::string> hosts;  // of every rank
  std::vector<std::string> names;  // likewise, of the processes (data/base/process.hpp)

  std::int64_t size() const { return static_cast<std::int64_t>(hosts.size()); }
  std::int64_t rank_on_host() const;
  std::int64_t size_on_host() const;
};

// What stands behind an exchange that failed with `cause`: which process ended, where that can be known. An
// end that shows a moment after the connection broke is waited for.
std::string what_was_lost(const Peers& peers, const std::string& cause, std::chrono::seconds timeout);

}  // namespace procsim::train
