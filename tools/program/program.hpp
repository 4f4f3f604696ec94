#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "data/base/progress.hpp"

namespace procsim::tools {

// What every subcommand of every program understands.
struct GlobalOptions {
  std::optional<std::filesystem::path> workspace;  // --workspace
  bool quiet = false;                              // --quiet
  bool json = false;                               // --json
};

// One of our four programs: subcommands, shared options, help, completion, errors and exit codes.
//
// A subcommand <name> of a program is the file tools/<program>/<name>.cpp with one function that adds it:
//
//   void add_noise_stats(Program& program) {
//     auto options = std::make_shared<Options>();
//     auto* command = program.add("stats", "Rates, entropy and distances of a label set's errors",
//                                 "noise stats --labels noisy.parquet");
//     add_label_options(command, options->labels, "Label set to count");
//     program.on(command, options, setup, run);
//   }
class Program {
 public:
  Program(const std::string& name, const std::string& description);
  ~Program();

  // A subcommand with its one-line description and an example that its --help ends with. `parent` nests it.
  CLI::App* add(const std::string& name, const std::string& description, const std::string& example,
                CLI::App* parent = nullptr);
  CLI::App& app();

  // What happens when the command is given, in two steps. `setup` checks all words of the command line that
  // the parser could not check by itself, and may turn them into what `run` needs; it opens no file and no
  // workspace, and throws UsageError. `run` does the work and returns the exit code, 0 when done. It throws
  // UsageError only where the words are right by themselves but do not fit the files they name.
  template <typename Options>
  void on(CLI::App* command, const std::shared_ptr<Options>& options, void (*setup)(Options&),
          int (*run)(const Options&, const GlobalOptions&)) {
    on(
        command, [options, setup] { setup(*options); },
        [options, run](const GlobalOptions& global) { return run(*options, global); });
  }
  // The same for a command whose words the parser checks alone.
  template <typename Options>
  void on(CLI::App* command, const std::shared_ptr<Options>& options,
          int (*run)(const Options&, const GlobalOptions&)) {
    on(command, [] {}, [options, run](const GlobalOptions& global) { return run(*options, global); });
  }

  // Parses, runs, and turns errors into one line on stderr: 0 done, 1 could not, 2 wrong command line.
  int main(int argc, char** argv);

 private:
  using Setup = std::function<void()>;
  using Run = std::function<int(const GlobalOptions&)>;
  void on(CLI::App* command, Setup setup, Run run);

  struct State;
  std::unique_ptr<State> state_;
};

// main() of a program: makes it, has `add` give it its commands, and does what the words say. Returns the
// exit code; throws nothing.
int run_program(const char* name, const char* description, void (*add)(Program&), int argc, char** argv);

// One line on stderr about what a command chose by itself; silent with --quiet.
void say(const GlobalOptions& global, std::string_view message);

// A path as it is shown: relative to the current folder where that is shorter; a copy of what a URI names by
// the URI.
std::string shown(const std::filesystem::path& path);

// A bar on stderr that redraws itself; nothing when stderr is not a terminal or with --quiet.
Progress progress_bar(const GlobalOptions& global, std::string what);

}  // namespace procsim::tools
