#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <future>

#include <nanobind/nanobind.h>

#include "data/base/progress.hpp"

namespace procsim::python {

namespace nb = nanobind;

// Thrown through the library where the caller has pressed Ctrl-C; nobody sees it.
struct Interrupted : std::exception {};

// Runs `work` on a thread of its own, without the interpreter's lock, while this thread looks after signals
// and `progress`, a callable of (done, total) or None, a few times a second. What Python raises meanwhile
// (KeyboardInterrupt, or an exception of `progress`) stops the work at its next report of progress and is
// raised here. `work` takes a Progress and must not touch Python.
template <typename Work>
auto long_call(const nb::object& progress, const Work& work) {
  struct {
    std::atomic<std::uint64_t> done{0}, total{0};
    std::atomic<bool> stop{false};
  } state;
  const Progress report = [&](std::uint64_t done, std::uint64_t total) {
    state.done = done;
    state.total = total;
    if (state.stop) throw Interrupted();
  };
  auto result = std::async(std::launch::async, [&] { return work(report); });
  std::exception_ptr raised;
  std::uint64_t shown = 0;
  const auto show = [&] {
    const std::uint64_t done = state.done;
    if (progress.is_none() || done == shown) return;
    shown = done;
    progress(done, static_cast<std::uint64_t>(state.total));
  };
  for (bool ready = false; !ready;) {
    {
      const nb::gil_scoped_release unlocked;
      ready = result.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready;
    }
    if (raised) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      show();
    } catch (const nb::python_error&) {
      raised = std::current_exception();
      state.stop = true;
    }
  }
  if (raised) std::rethrow_exception(raised);
  return result.get();
}

}  // namespace procsim::python
