#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/free_port.hpp"
#include "train/processes/process_group.hpp"

namespace procsim::test {

// Runs `body` in `size` threads, each a process of one group to c10d, and throws what one of them threw.
inline void with_processes(std::int64_t size, const std::function<void(train::Processes&)>& body) {
  const auto port = free_port();
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  for (std::int64_t rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        train::ProcessGroup group({.rank = rank, .size = size, .address = "127.0.0.1", .port = port},
                                  std::chrono::seconds(30));
        body(group);
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  for (auto& thread : threads) thread.join();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace procsim::test
