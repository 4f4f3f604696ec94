#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "data/base/progress.hpp"
#include "data/workspace/workspace.hpp"

namespace procsim::tools {

// What every subcommand of every program understands.
struct GlobalOptions {
  std::optional<std::filesystem::path> workspace;  // --workspace
  bool quiet = false;                              // --quiet
  bool json = false;                               // --json
};

// One of our four programs: subcommands, shared options, help, completion, errors and exit codes.
//
// A subcommand is a file tools/<program>_<name>.cpp with one function that adds it:
//
//   void add_noise_stats(Program& program) {
//     auto options = std::make_shared<Options>();
//     auto* command = program.add("stats", "Rates, entropy and distances of a label set's errors",
//                                 "noise stats labels.parquet");
//     command->add_option("file", options->file, "Label set")->required();
//     program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
//   }
class Program {
 public:
  Program(std::string name, std::string description);
  ~Program();

  // A subcommand with its one-line description and an example that its --help ends with. `parent` nests it.
  CLI::App* add(const std::string& name, const std::string& description, const std::string& example,
                CLI::App* parent = nullptr);
  CLI::App& app();

  // What runs when the command is given. Returns the exit code, 0 when done.
  using Action = std::function<int(const GlobalOptions&)>;
  void on(CLI::App* command, Action action);

  // Parses, runs, and turns errors into one line on stderr: 0 done, 1 could not, 2 wrong command line.
  int main(int argc, char** argv);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A probability written as 0.2; "20" and "20%" are refused with the way to write them.
CLI::Validator probability();

// A seed: a whole number from 0 on. CLI11 alone would take -1 for the largest one.
CLI::Validator seed();

// One line on stderr about what a command chose by itself; silent with --quiet.
void say(const GlobalOptions& global, std::string_view message);

// A bar on stderr that redraws itself; nothing when stderr is not a terminal or with --quiet.
Progress progress_bar(const GlobalOptions& global, std::string what);

}  // namespace procsim::tools
