#include "tools/program/remote_words.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/remote_copy.hpp"
#include "tools/program/program.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {
namespace {

// Options of paths, by the name of their type in the help.
bool is_path(const CLI::Option& option) {
  constexpr std::array<std::string_view, 5> kTypes{"FILE", "DIR", "SET", "SOURCE", "BEFORE AFTER"};
  return std::find(kTypes.begin(), kTypes.end(), option.get_type_name()) != kTypes.end();
}

std::map<std::string, std::string, std::less<>>& uris_by_copy() {
  static std::map<std::string, std::string, std::less<>> uris;
  return uris;
}

}  // namespace

void RemoteWords::accept_in(CLI::App& app) {
  for (auto* option : app.get_options()) {
    if (is_path(*option) && !is_written_here(*option)) accept_in(*option);
  }
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) accept_in(*command);
}

void RemoteWords::accept_in(CLI::Option& option) {
  option.transform(CLI::Validator(
      [this](std::string& word) -> std::string {
        if (!is_uri(word)) return {};
        try {
          const auto uri = word;
          word = remote_copy(uri).string();
          uris_.insert(uri);
          const auto shown_uri = without_password(uri);
          uris_by_copy()[word] = shown_uri.substr(0, shown_uri.find('?'));
          return {};
        } catch (const UsageError& error) {
          return error.what();
        }
      },
      ""));
}

void RemoteWords::fetch(bool quiet) const {
  GlobalOptions global;
  global.quiet = quiet;
  for (const auto& uri : uris_) {
    const auto shown_uri = without_password(uri);
    say(global, "looking at " + shown_uri);
    const auto fetched = fetch_remote(uri, progress_bar(global, shown_uri));
    if (fetched.fetched == 0) continue;
    constexpr double kMega = 1e6;
    say(global, fmt::format("fetched {}: {} of {} files, {:.1f} MB, into {}", shown_uri, fetched.fetched,
                            fetched.files, static_cast<double>(fetched.bytes) / kMega,
                            remote_copy(uri).parent_path().string()));
  }
}

std::string RemoteWords::uri_of(std::string_view path) {
  for (const auto& [copy, uri] : uris_by_copy()) {
    if (path == copy) return uri;
    if (path.starts_with(copy) && path[copy.size()] == '/')
      return uri + std::string(path.substr(copy.size()));
  }
  return {};
}

}  // namespace procsim::tools
