#include "tools/program/completion.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/program/program.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {
namespace {

constexpr const char* kBash = R"sh(_{0}_complete() {{
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$({1} __complete "${{COMP_WORDS[@]:1:COMP_CWORD-1}}" 2>/dev/null)" -- "${{COMP_WORDS[COMP_CWORD]}}"))
  [ ${{#COMPREPLY[@]}} -eq 0 ] && COMPREPLY=($(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o filenames -F _{0}_complete {1}
)sh";

constexpr const char* kZsh = R"sh(#compdef {1}
_{0}_complete() {{
  local -a candidates
  candidates=(${{(f)"$({1} __complete ${{words[2,CURRENT-1]}} 2>/dev/null)"}})
  compadd -a candidates
  _files
}}
compdef _{0}_complete {1}
)sh";

constexpr const char* kFish = R"sh(complete -c {1} -a '({1} __complete (commandline -opc)[2..] 2>/dev/null)'
)sh";

// The option of this name, of the command or of those that it is a command of.
CLI::Option* option_named(CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent())
    for (auto* option : command->get_options())
      if (option->nonpositional() && option->check_name(name)) return option;
  return nullptr;
}

// What may follow these words: the values of the option at their end, or else the subcommands of the command
// they reach, its options, and the words it takes without one.
std::vector<std::string> candidates(CLI::App& root, std::vector<std::string> words) {
  CLI::App* command = &root;
  for (const auto& word : words) {
    const auto subcommands = command->get_subcommands([&](CLI::App* sub) { return sub->get_name() == word; });
    if (!subcommands.empty()) command = subcommands.front();
  }
  if (!words.empty() && words.back() == "=") words.pop_back();  // bash parts --option=value there
  auto* option = words.empty() ? nullptr : option_named(command, words.back());
  if (option != nullptr && option->get_items_expected_min() > 0) return words_of(*option);
  std::vector<std::string> found;
  for (const auto* sub : command->get_subcommands([](CLI::App*) { return true; }))
    found.push_back(sub->get_name());
  for (auto* own : command->get_options()) {
    for (const auto& name : own->get_lnames()) found.push_back("--" + name);
    if (!own->get_positional()) continue;
    const auto values = words_of(*own);
    found.insert(found.end(), values.begin(), values.end());
  }
  return found;
}

struct Options {
  std::string program;
  std::string shell;
};

int print_script(const Options& options, const GlobalOptions&) {
  auto function = options.program;
  std::replace(function.begin(), function.end(), '-', '_');
  const auto* script = options.shell == "bash" ? kBash : options.shell == "zsh" ? kZsh : kFish;
  fmt::print(fmt::runtime(script), function, options.program);
  return 0;
}

}  // namespace

void add_completion(Program& program) {
  const auto name = program.app().get_name();
  auto options = std::make_shared<Options>();
  options->program = name;
  auto* completion = program.add("completion", "Print a completion script for a shell",
                                 fmt::format("source <({} completion bash)", name));
  completion->add_option("shell", options->shell, "Shell")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  program.on(completion, options, print_script);
}

void print_completions(CLI::App& app, const std::vector<std::string>& words) {
  for (const auto& candidate : candidates(app, words)) fmt::print("{}\n", candidate);
}

}  // namespace procsim::tools
