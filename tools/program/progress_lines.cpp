#include "tools/program/progress_lines.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

namespace procsim::tools {

Progress ProgressLines::start(std::string what) const {
  struct State {
    ProgressLines lines;
    std::string what;
    std::chrono::steady_clock::time_point begin, said;
  };
  const auto now = clock();
  auto state = std::make_shared<State>(State{*this, std::move(what), now, now});
  return [state](std::uint64_t done, std::uint64_t total) {
    const auto here = state->lines.clock();
    if (here - state->said < state->lines.every) return;
    state->said = here;
    if (total == 0) {
      state->lines.print(fmt::format("{}: {}", state->what, done));
      return;
    }
    const double seconds = std::chrono::duration<double>(here - state->begin).count();
    const double share = static_cast<double>(done) / static_cast<double>(total);
    const auto left =
        done > 0 && done < total ? fmt::format(", about {:.0f} s left", seconds * (1 - share) / share) : "";
    state->lines.print(fmt::format("{}: {} of {} ({:.0f} %){}", state->what, done, total, 100 * share, left));
  };
}

}  // namespace procsim::tools
