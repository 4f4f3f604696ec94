#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace procsim::curate {

struct RequestLimits {
  std::size_t line = 8 << 10;   // bytes of the request line, and of any header
  std::size_t head = 16 << 10;  // of request line and headers together
  std::size_t headers = 64;
  std::size_t body = 64 << 10;
};

// Takes the bytes of a connection and cuts them into HTTP requests of bounded size, before a parser sees
// them. Whatever says how long a body is in another way than by one Content-Length is refused: chunked and
// compressed bodies, bodies that end with the connection. Headers that ask for more than a plain answer
// (Range, Expect) are left out.
class RequestReader {
 public:
  explicit RequestReader(RequestLimits limits = {}) : limits_(limits) {}

  enum class State { kIncomplete, kComplete, kRefused };

  // More bytes have come. After kRefused nothing more may be added.
  State add(std::string_view bytes);
  // A request that is complete already, without more bytes: the next of several that came together.
  State next();

  // kComplete: the request as the parser gets it; what came after it stays for the next.
  std::string take();
  // kRefused: the answer.
  const std::string& refusal() const { return refusal_; }
  bool is_empty() const { return received_.empty(); }

 private:
  State refuse(int status, std::string_view reason);
  State read_head();
  State read_headers(std::string_view headers);
  State read_header(std::string_view name, std::string_view value);

  RequestLimits limits_;
  std::string received_;
  std::string head_;           // that is passed on; empty: not complete yet
  std::size_t head_size_ = 0;  // of the received one
  std::size_t body_size_ = 0;
  bool has_length_ = false;
  std::string refusal_;
};

// An answer without a body of its own, after which the connection is closed.
std::string plain_answer(int status, std::string_view message);

}  // namespace procsim::curate
