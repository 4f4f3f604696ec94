#include "train/processes/peers.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/process.hpp"

namespace procsim::train {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kUntilEnded{1000};  // between a closed connection and the end of its process
constexpr milliseconds kLook{20};

const std::string& own_host(const Peers& peers) { return peers.hosts[static_cast<std::size_t>(peers.rank)]; }

std::vector<std::int64_t> ended_on_host(const Peers& peers) {
  std::vector<std::int64_t> ranks;
  for (std::size_t rank = 0; rank < peers.names.size(); ++rank)
    if (peers.hosts[rank] == own_host(peers) && !is_running(peers.names[rank]))
      ranks.push_back(static_cast<std::int64_t>(rank));
  return ranks;
}

}  // namespace

std::int64_t Peers::rank_on_host() const {
  return std::count(hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(rank), own_host(*this));
}

std::int64_t Peers::size_on_host() const { return std::count(hosts.begin(), hosts.end(), own_host(*this)); }

std::string what_was_lost(const Peers& peers, const std::string& cause, std::chrono::seconds timeout) {
  const auto who = fmt::format("process {} of {}", peers.rank, peers.size());
  if (cause.find("imed out") != std::string::npos)
    return fmt::format("{} heard nothing from the others for {} s", who, timeout.count());
  auto ended = ended_on_host(peers);
  for (milliseconds waited{0}; ended.empty() && waited < kUntilEnded; waited += kLook) {
    std::this_thread::sleep_for(kLook);
    ended = ended_on_host(peers);
  }
  if (ended.empty()) return fmt::format("{} lost the connection to another one ({})", who, cause);
  return fmt::format("{} stops: {} {} ended", who, ended.size() == 1 ? "process" : "processes",
                     fmt::join(ended, ", "));
}

}  // namespace procsim::train
