#include "data/base/process.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>
#include <utility>

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

// Clock ticks between boot and the process's start; empty when there is no such process, "ended" for one that
// only waits for its parent to hear of its end. The name in brackets may hold anything, so fields are counted
// from its end.
std::string start_of(long process) {
  const auto text = content_of(fmt::format("/proc/{}/stat", process));
  auto place = text.rfind(')');
  if (place == std::string::npos) return {};
  if (text.compare(place, 3, ") Z") == 0) return "ended";
  constexpr int kFieldsBefore = 20;  // between the name and the start, proc(5)
  for (int field = 0; field < kFieldsBefore && place != std::string::npos; ++field)
    place = text.find(' ', place + 1);
  if (place == std::string::npos) return {};
  return text.substr(place + 1, text.find(' ', place + 1) - place - 1);
}

// Whether the process of this number that started then still runs; without a start, any of the number. One
// whose start we may not read counts as running.
bool runs(long number, std::string_view start) {
  if (number <= 0 || (::kill(static_cast<pid_t>(number), 0) != 0 && errno == ESRCH)) return false;
  const auto found = start_of(number);
  return found.empty() || (start.empty() ? found != "ended" : found == start);
}

// The number at the beginning, and what follows it behind `mark`.
std::pair<long, std::string_view> parted(std::string_view text, char mark) {
  long number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (code != std::errc{} || !(rest.empty() || rest.front() == mark)) return {0, {}};
  return {number, rest.empty() ? rest : rest.substr(1)};
}

}  // namespace

std::string this_process() { return fmt::format("{} {} {}", ::getpid(), start_of(::getpid()), boot()); }

bool is_running(std::string_view process) {
  const auto [number, rest] = parted(process, ' ');
  const auto space = rest.find(' ');
  if (space == std::string_view::npos || rest.substr(space + 1) != boot()) return false;
  return space > 0 && runs(number, rest.substr(0, space));
}

std::string this_process_word() { return fmt::format("{}-{}", ::getpid(), start_of(::getpid())); }

bool is_running_word(std::string_view word) {
  const auto [number, start] = parted(word, '-');
  return runs(number, start);
}

}  // namespace procsim
