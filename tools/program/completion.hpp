#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace procsim::tools {

class Program;

// Adds `completion bash|zsh|fish`, which prints a script for the shell. The script asks `<program> __complete
// WORD…`. That is no command of CLI11's, because the words may be commands themselves: print_completions
// answers it.
void add_completion(Program& program);
inline constexpr const char* kCompleteWord = "__complete";

// What may follow these words, a line each: subcommands and options, or the values of the option at their
// end.
void print_completions(CLI::App& app, const std::vector<std::string>& words);

}  // namespace procsim::tools
