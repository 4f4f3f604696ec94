#pragma once

#include <set>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace procsim::tools {

// URIs among the words of a command line. Every option that takes a path takes a URI too, unless it is
// declared as written_here() (validators.hpp): while the words are parsed it is replaced by the place of its
// copy on this machine, and before the command runs the copies are made.
class RemoteWords {
 public:
  // Prepares the options of a program and its commands. Parsing then throws UsageError (through CLI11) for a
  // URI that cannot be read.
  void accept_in(CLI::App& app);

  // Fetches what the parsed words name, and says on stderr what it does unless quiet. Throws Error.
  void fetch(bool quiet) const;

  // The URI of a path that stands in or is such a copy, as it may be shown; empty for any other path.
  static std::string uri_of(std::string_view path);

 private:
  void accept_in(CLI::Option& option);
  std::set<std::string> uris_;
};

}  // namespace procsim::tools
