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

// What may follow these words: the subcommands of the command they reach, and its options.
std::vector<std::string> candidates(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* command = &root;
  for (const auto& word : words) {
    const auto subcommands =
        command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (!subcommands.empty()) command = subcommands.front();
  }
  std::vector<std::string> found;
  for (const auto* sub : command->get_subcommands([](const CLI::App*) { return true; })) {
    found.push_back(sub->get_name());
  }
  for (const auto* option : command->get_options()) {
    for (const auto& name : option->get_lnames()) found.push_back("--" + name);
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

void print_completions(const CLI::App& app, const std::vector<std::string>& words) {
  for (const auto& candidate : candidates(app, words)) fmt::print("{}\n", candidate);
}

}  // namespace procsim::tools
