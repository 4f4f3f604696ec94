#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "curate/review/request_reader.hpp"

namespace procsim::curate {

struct FrontOptions {
  RequestLimits limits{};
  std::size_t threads = 16;           // that answer requests
  std::size_t connections = 512;      // beyond it, the one that has waited longest to send its request goes
  std::size_t of_address = 256;       // of these from one address, so that one client cannot take them all
  int request_seconds = 10;           // for all of a request, from its first byte
  int idle_seconds = 30;              // between requests
  std::size_t slowest_read = 10'000;  // bytes a second at which an answer must be taken
  int requests = 100;                 // a connection
};

// Stands between the network and whoever answers: takes connections, reads requests of bounded size in
// bounded time, lets threads answer those that are complete, and sends the answers. Neither a slow sender nor
// a slow reader holds a thread.
class HttpFront {
 public:
  struct Answer {
    std::string bytes;
    bool close = false;
  };
  using Respond = std::function<Answer(std::string request, bool is_last)>;

  // `listening`: a socket that listens; it stays the caller's.
  HttpFront(int listening, FrontOptions options, Respond respond);
  ~HttpFront();
  HttpFront(const HttpFront&) = delete;
  HttpFront& operator=(const HttpFront&) = delete;

  // Serves until stop() is called, from any thread or before.
  void run();
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace procsim::curate
