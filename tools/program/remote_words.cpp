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

namespace procsim::tools {
namespace {

// Options of paths, by the name of their type in the help; and those of them that are written to.
constexpr std::array<std::string_view, 5> kPathTypes{"FILE", "DIR", "SET", "SOURCE", "BEFORE AFTER"};
constexpr std::array<std::string_view, 8> kWritten{"--output", "--workspace", "--cache",  "--save-embeddings",
                                                   "--html",   "--backup",    "--images", "--huggingface"};

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::map<std::string, std::string, std::less<>>& uris_by_copy() {
  static std::map<std::string, std::string, std::less<>> uris;
  return uris;
}

}  // namespace

void RemoteWords::accept_in(CLI::App& app) {
  for (auto* option : app.get_options()) {
    if (is_one_of(kPathTypes, option->get_type_name())) accept_in(*option);
  }
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) accept_in(*command);
}

void RemoteWords::accept_in(CLI::Option& option) {
  const auto name = option.get_name();
  const bool written = is_one_of(kWritten, name);
  option.transform(CLI::Validator(
      [this, name, written](std::string& word) -> std::string {
        if (!is_uri(word)) return {};
        if (written)
          return fmt::format("{} writes on this machine; give it a path, and copy that to {} when it is done",
                             name, without_password(word));
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
