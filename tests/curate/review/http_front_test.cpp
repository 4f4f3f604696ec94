#include "curate/review/http_front.hpp"

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace procsim::curate {
namespace {

using ::testing::StartsWith;

// A server that answers with the number of bytes it was asked with.
class Front : public ::testing::Test {
 protected:
  void start(FrontOptions options) {
    listening_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    ::getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = address.sin_port;
    front_.emplace(listening_, options, [](std::string request, bool is_last) {
      const auto body = std::to_string(request.size());
      return HttpFront::Answer{
          "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body, is_last};
    });
    thread_ = std::thread([this] { front_->run(); });
  }
  void TearDown() override {
    if (thread_.joinable()) {
      front_->stop();
      thread_.join();
    }
    ::close(listening_);
    for (const int socket : open_) ::close(socket);
  }
  // `host`: the last number of the address 127.0.0.x that it comes from.
  int connect_one(unsigned host = 1) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl((INADDR_LOOPBACK & ~0xFFU) | host);
    EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = port_;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    open_.push_back(socket);
    return socket;
  }
  static void send_all(int socket, const std::string& bytes) {
    EXPECT_EQ(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  // What comes until the other side closes, or until `enough` bytes are there.
  static std::string receive(int socket, std::size_t enough = std::string::npos) {
    std::string all;
    char bytes[4096];
    while (all.size() < enough) {
      const auto count = ::recv(socket, bytes, sizeof bytes, 0);
      if (count <= 0) break;
      all.append(bytes, static_cast<std::size_t>(count));
    }
    return all;
  }

  int listening_ = -1;
  in_port_t port_ = 0;
  std::optional<HttpFront> front_;
  std::thread thread_;
  std::vector<int> open_;
};

const std::string kRequest = "GET / HTTP/1.1\r\n\r\n";  // 18 bytes
const std::string kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n18";

TEST_F(Front, AnswersRequestsOneAfterTheOtherOnOneConnection) {
  start({});
  const int socket = connect_one();
  for (int i = 0; i < 3; ++i) {
    send_all(socket, kRequest);
    EXPECT_EQ(receive(socket, kAnswer.size()), kAnswer);
  }
  send_all(socket, kRequest + kRequest);
  EXPECT_EQ(receive(socket, 2 * kAnswer.size()), kAnswer + kAnswer);
}

TEST_F(Front, SlowSendersHoldNoThreadAndAreCutOff) {
  FrontOptions options;
  options.threads = 1;
  options.request_seconds = 1;
  start(options);
  std::vector<int> slow;
  for (int i = 0; i < 200; ++i) send_all(slow.emplace_back(connect_one()), "GET / HTTP/1.1\r\nX: slow");
  const int quick = connect_one();
  send_all(quick, kRequest);
  EXPECT_EQ(receive(quick, kAnswer.size()), kAnswer);
  for (const int socket : slow) EXPECT_EQ(receive(socket), "");  // ends when the server closes
}

TEST_F(Front, BeyondTheMostConnectionsTheOneWaitedForLongestGoes) {
  FrontOptions options;
  options.connections = 10;
  start(options);
  std::vector<int> idle;
  for (int i = 0; i < 30; ++i) idle.push_back(connect_one());
  const int quick = connect_one();
  send_all(quick, kRequest);
  EXPECT_EQ(receive(quick, kAnswer.size()), kAnswer);
  EXPECT_EQ(receive(idle.front()), "");
}

TEST_F(Front, OneAddressCannotTakeAllConnections) {
  FrontOptions options;
  options.connections = 10;
  options.of_address = 4;
  start(options);
  const int patient = connect_one();
  send_all(patient, kRequest);
  EXPECT_EQ(receive(patient, kAnswer.size()), kAnswer);
  std::vector<int> greedy;
  for (int i = 0; i < 30; ++i) greedy.push_back(connect_one(2));
  EXPECT_EQ(receive(greedy.front()), "");  // it made room for another of its own
  send_all(patient, kRequest);
  EXPECT_EQ(receive(patient, kAnswer.size()), kAnswer);
  send_all(greedy.back(), kRequest);
  EXPECT_EQ(receive(greedy.back(), kAnswer.size()), kAnswer);
}

TEST_F(Front, WhatIsTooLargeIsAnsweredAndTheConnectionClosed) {
  start({});
  const int socket = connect_one();
  send_all(socket, "POST / HTTP/1.1\r\nContent-Length: 500000\r\n\r\n" + std::string(100'000, 'x'));
  EXPECT_THAT(receive(socket), StartsWith("HTTP/1.1 413"));
}

TEST_F(Front, TheLastRequestOfAConnectionClosesIt) {
  FrontOptions options;
  options.requests = 2;
  start(options);
  const int socket = connect_one();
  send_all(socket, kRequest + kRequest);
  EXPECT_EQ(receive(socket), kAnswer + kAnswer);
}

}  // namespace
}  // namespace procsim::curate
