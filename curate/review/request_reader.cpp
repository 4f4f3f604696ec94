#include "curate/review/request_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/base/number.hpp"
#include "data/base/words.hpp"

namespace procsim::curate {
namespace {

constexpr std::string_view kEndOfLine = "\r\n";
constexpr std::string_view kEndOfHead = "\r\n\r\n";

// A character of a header's name, RFC 9110.
bool is_token(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
  });
}

std::string_view reason_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    default:
      return "Service Unavailable";
  }
}

}  // namespace

std::string plain_answer(int status, std::string_view message) {
  const auto body = fmt::format("{{\"error\":\"{}\"}}", message);
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      status, reason_of(status), body.size(), body);
}

RequestReader::State RequestReader::refuse(int status, std::string_view reason) {
  refusal_ = plain_answer(status, reason);
  received_.clear();
  return State::kRefused;
}

RequestReader::State RequestReader::add(std::string_view bytes) {
  received_ += bytes;
  return next();
}

RequestReader::State RequestReader::next() {
  if (head_.empty())
    if (const auto state = read_head(); state != State::kComplete) return state;
  return received_.size() >= head_size_ + body_size_ ? State::kComplete : State::kIncomplete;
}

RequestReader::State RequestReader::read_head() {
  // Between requests some clients send an empty line.
  while (received_.starts_with(kEndOfLine)) received_.erase(0, kEndOfLine.size());
  const auto end_of_line = received_.find(kEndOfLine);
  if (std::min(end_of_line, received_.size()) > limits_.line)
    return refuse(414, "the request line is too long");
  const auto end = received_.find(kEndOfHead);
  if (std::min(end, received_.size()) > limits_.head) return refuse(431, "the headers are too long");
  if (end == std::string::npos) return State::kIncomplete;
  head_size_ = end + kEndOfHead.size();
  body_size_ = 0;
  has_length_ = false;
  const auto line = std::string_view(received_).substr(0, end_of_line);
  if (has_control(line)) return refuse(400, "the request line is not valid");
  head_ = std::string(line) + std::string(kEndOfLine);
  if (end_of_line < end)
    if (const auto state = read_headers(std::string_view(received_).substr(
            end_of_line + kEndOfLine.size(), end - end_of_line - kEndOfLine.size()));
        state != State::kComplete)
      return state;
  if (!has_length_ && (line.starts_with("POST ") || line.starts_with("PUT ") || line.starts_with("PATCH ")))
    return refuse(411, "say how long the body is with Content-Length");
  head_ += kEndOfLine;
  return State::kComplete;
}

RequestReader::State RequestReader::read_headers(std::string_view headers) {
  std::size_t count = 0;
  while (!headers.empty()) {
    const auto end = headers.find(kEndOfLine);
    const auto line = headers.substr(0, end);
    headers.remove_prefix(end == std::string_view::npos ? headers.size() : end + kEndOfLine.size());
    if (++count > limits_.headers) return refuse(431, "there are too many headers");
    if (line.size() > limits_.line) return refuse(431, "a header is too long");
    const auto colon = line.find(':');
    const auto name = line.substr(0, colon);
    if (colon == std::string_view::npos || name.empty() || !std::ranges::all_of(name, is_token) ||
        has_control(line))
      return refuse(400, "a header is not valid");
    if (const auto state = read_header(lower_case(name), trimmed(line.substr(colon + 1)));
        state == State::kRefused)
      return state;
    else if (state == State::kComplete)
      head_ += std::string(line) + std::string(kEndOfLine);
  }
  return State::kComplete;
}

// kIncomplete: it is left out.
RequestReader::State RequestReader::read_header(std::string_view name, std::string_view value) {
  if (name == "transfer-encoding") return refuse(501, "send the body at once, with Content-Length");
  if (name == "content-encoding") return refuse(415, "send the body as it is, not compressed");
  if (name == "range" || name == "expect") return State::kIncomplete;
  if (name != "content-length") return State::kComplete;
  if (has_length_) return refuse(400, "Content-Length is there twice");
  has_length_ = true;
  if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos)
    return refuse(400, "Content-Length is not a number");
  const auto length = parse_number<std::size_t>(value);
  if (!length || *length > limits_.body) return refuse(413, "the body is too large");
  body_size_ = *length;
  return State::kComplete;
}

std::string RequestReader::take() {
  auto request = head_ + received_.substr(head_size_, body_size_);
  received_.erase(0, head_size_ + body_size_);
  head_.clear();
  return request;
}

}  // namespace procsim::curate
