#include "data/base/process.hpp"

#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "data/base/words.hpp"

namespace procsim {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string boot() { return std::string(trimmed(content_of("/proc/sys/kernel/random/boot_id"))); }

// Clock ticks between boot and the process's start; empty when there is no such process. The name in brackets
// may hold anything, so fields are counted from its end.
std::string start_of(long process) {
  const auto text = content_of(fmt::format("/proc/{}/stat", process));
  auto place = text.rfind(')');
  if (place == std::string::npos) return {};
  constexpr int kFieldsBefore = 20;  // between the name and the start, proc(5)
  for (int field = 0; field < kFieldsBefore && place != std::string::npos; ++field)
    place = text.find(' ', place + 1);
  if (place == std::string::npos) return {};
  return text.substr(place + 1, text.find(' ', place + 1) - place - 1);
}

}  // namespace

std::string this_process() { return fmt::format("{} {} {}", ::getpid(), start_of(::getpid()), boot()); }

bool is_running(std::string_view process) {
  long number = 0;
  const auto parsed = std::from_chars(process.data(), process.data() + process.size(), number);
  if (parsed.ec != std::errc{} || number <= 0) return false;
  const auto start = start_of(number);
  return !start.empty() && process == fmt::format("{} {} {}", number, start, boot());
}

}  // namespace procsim
