#include "curate/review/request_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::curate {
namespace {

using State = RequestReader::State;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kGet = "GET /thumb/1 HTTP/1.1\r\nHost: here\r\n\r\n";
const std::string kPost = "POST /api HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\nbody";

TEST(RequestReader, RequestsAreCutWhereverTheBytesAreCut) {
  const auto all = kGet + kPost + kGet;
  for (std::size_t cut = 1; cut < all.size(); ++cut) {
    RequestReader reader;
    std::vector<std::string> requests;
    for (std::size_t from = 0; from < all.size(); from += cut) {
      auto state = reader.add(std::string_view(all).substr(from, cut));
      for (; state == State::kComplete; state = reader.next()) requests.push_back(reader.take());
      ASSERT_EQ(state, State::kIncomplete);
    }
    EXPECT_EQ(requests, (std::vector<std::string>{kGet, kPost, kGet})) << cut;
    EXPECT_TRUE(reader.is_empty());
  }
}

// Whatever is sent, no more than the limits is ever held.
TEST(RequestReader, EndlessLinesHeadersAndBodiesAreRefusedWithinTheLimits) {
  struct Endless {
    const char* name;
    std::string start, more, answer;
  };
  const std::vector<Endless> all{
      {"request line", "GET /", std::string(1000, 'a'), "HTTP/1.1 414"},
      {"no line at all", "", std::string(1000, 'a'), "HTTP/1.1 414"},
      {"one header", "GET / HTTP/1.1\r\nX: ", std::string(1000, 'a'), "HTTP/1.1 431"},
      {"many headers", "GET / HTTP/1.1\r\n", "X-Filler: 1\r\n", "HTTP/1.1 431"},
  };
  for (const auto& one : all) {
    RequestReader reader;
    auto state = reader.add(one.start);
    std::size_t sent = 0;
    while (state == State::kIncomplete && sent < 100'000) {
      state = reader.add(one.more);
      sent += one.more.size();
    }
    EXPECT_EQ(state, State::kRefused) << one.name;
    EXPECT_LE(sent, std::size_t{18} << 10) << one.name;
    EXPECT_THAT(reader.refusal(), StartsWith(one.answer)) << one.name;
  }
}

TEST(RequestReader, BodiesHaveOneLengthAndComeAsTheyAre) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"Content-Length: 65537", "413"},
      {"Content-Length: 99999999999999999999999", "413"},
      {"Content-Length: 4\r\nContent-Length: 4", "400"},
      {"Content-Length: -1", "400"},
      {"Content-Length: 4x", "400"},
      {"Content-Length:", "400"},
      {"Transfer-Encoding: chunked", "501"},
      {"transfer-encoding: chunked\r\nContent-Length: 4", "501"},
      {"Content-Length: 4\r\nContent-Encoding: gzip", "415"},
      {"X: y", "411"},
      {"No colon", "400"},
      {"Bad name : x", "400"},
      {": x", "400"},
      {std::string("X: a\0b", 6), "400"},
      {" folded: x", "400"}};
  for (const auto& [headers, status] : refused) {
    RequestReader reader;
    EXPECT_EQ(reader.add("POST /api HTTP/1.1\r\nHost: here\r\n" + headers + "\r\n\r\nbody"), State::kRefused)
        << headers;
    EXPECT_THAT(reader.refusal(), StartsWith("HTTP/1.1 " + status)) << headers;
  }
}

TEST(RequestReader, WhatAsksForMoreThanAPlainAnswerIsLeftOut) {
  RequestReader reader;
  ASSERT_EQ(
      reader.add("GET / HTTP/1.1\r\nrange: bytes=0-,0-,0-\r\nHost: here\r\nExpect: 100-continue\r\n\r\n"),
      State::kComplete);
  const auto request = reader.take();
  EXPECT_THAT(request, Not(HasSubstr("range")));
  EXPECT_THAT(request, Not(HasSubstr("Expect")));
  EXPECT_THAT(request, HasSubstr("Host: here"));
}

TEST(RequestReader, ThereMayBeSoManyHeadersAndNoMore) {
  for (const std::size_t count : {64U, 65U}) {
    RequestReader reader;
    std::string request = "GET / HTTP/1.1\r\n";
    for (std::size_t i = 0; i < count; ++i) request += "X: 1\r\n";
    EXPECT_EQ(reader.add(request + "\r\n"), count == 64 ? State::kComplete : State::kRefused);
  }
}

}  // namespace
}  // namespace procsim::curate
