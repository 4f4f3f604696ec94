#include "tools/program/program.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/base/letters.hpp"
#include "data/base/suggest.hpp"
#include "data/base/version.hpp"
#include "data/files/atomic_file.hpp"
#include "tools/program/completion.hpp"
#include "tools/program/progress_lines.hpp"
#include "tools/program/remote_words.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {

struct Program::State {
  explicit State(const std::string& name, const std::string& description) : app(description, name) {}

  CLI::App app;
  GlobalOptions global;
  struct Steps {
    Setup setup;
    Run run;
  };
  std::map<const CLI::App*, Steps> commands;

  void add_global_options(CLI::App* command);
  const CLI::App* chosen() const;
  std::string chosen_words() const;  // "noise inject"
  int run(int argc, char** argv);
  // What is wrong with the words that no command took.
  std::string explain_extras() const;
  std::string explain_option(const std::string& option) const;
};

namespace {

std::vector<const CLI::App*> all_subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* sub : all_subcommands(app)) names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The option that a slip stands for: the most alike, else the one that it begins.
std::string nearest_option(const std::string& slip, const std::vector<std::string>& known) {
  if (auto nearest = nearest_match(slip, known); !nearest.empty()) return nearest;
  const auto longer = [&](const std::string& name) { return slip.size() > 3 && name.starts_with(slip); };
  const auto found = std::find_if(known.begin(), known.end(), longer);
  return found != known.end() ? *found : std::string{};
}

std::string suggest_option(const std::string& slip, const std::vector<std::string>& known) {
  const auto nearest = nearest_option(slip, known);
  return nearest.empty() ? std::string{} : fmt::format("; did you mean '{}'?", nearest);
}

// A program that is told to stop takes its unfinished files along; what stood there before stays.
void stop_cleanly(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Names and paths in a message come from files: line ends would break the line, other control characters
// could steer a terminal.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  // Names and words of files may be of any length, and whoever reads it has a terminal.
  constexpr std::size_t kLongest = 2000;
  return printable(shortened(text, kLongest));
}

}  // namespace

void Program::State::add_global_options(CLI::App* command) {
  const std::string group = "Shared options";
  command
      ->add_option("--workspace", global.workspace,
                   "Folder that holds .procsim (default: nearest parent with one)")
      ->group(group)
      ->type_name("DIR")
      ->check(written_here());
  command->add_flag("--quiet", global.quiet, "Say nothing on stderr but errors")->group(group);
  command->add_flag("--json", global.json, "Results as JSON")->group(group);
}

const CLI::App* Program::State::chosen() const {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  return command;
}

std::string Program::State::chosen_words() const {
  std::string words = app.get_name();
  for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
    command = command->get_subcommands().back();
    words += " " + command->get_name();
  }
  return words;
}

std::string Program::State::explain_option(const std::string& option) const {
  const auto& command = *chosen();
  const auto known = option_names(command);
  if (std::find(known.begin(), known.end(), option) != known.end()) {
    return fmt::format("option '{}' stands before its command; write it after '{}'", option, chosen_words());
  }
  if (const auto hint = suggest_option(option, known); !hint.empty() || command.get_parent() != nullptr) {
    return fmt::format("unknown option '{}'{}", option, hint);
  }
  for (const auto* sub : all_subcommands(command)) {
    const auto of_command = option_names(*sub);
    const auto meant = nearest_option(option, of_command);
    if (!meant.empty()) {
      return fmt::format("unknown option '{}'; did you mean '{}' of '{} {}'?", option, meant, chosen_words(),
                         sub->get_name());
    }
  }
  return fmt::format("unknown option '{}'", option);
}

std::string Program::State::explain_extras() const {
  const auto extras = app.remaining(true);
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const std::string& extra) { return extra.starts_with('-'); });
  if (option != extras.end()) return explain_option(option->substr(0, option->find('=')));
  if (extras.empty()) return {};
  const auto known = subcommand_names(*chosen());
  if (known.empty()) return fmt::format("unexpected argument '{}'", extras.front());
  return fmt::format("unknown command '{}'{}", extras.front(), did_you_mean(extras.front(), known));
}

int Program::State::run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == kCompleteWord) {
    print_completions(app, {argv + 2, argv + argc});
    return 0;
  }
  RemoteWords remote;
  const auto may_be_remote = [](std::string_view word) { return word.find("://") != std::string_view::npos; };
  if (std::any_of(argv + 1, argv + argc, may_be_remote)) remote.accept_in(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", chosen()->help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    fmt::print("{} {}\n", app.get_name(), version());
    return 0;
  } catch (const CLI::ParseError& error) {
    // A slip in an option's name is the reason why something else is missing.
    const auto extras = explain_extras();
    throw UsageError(extras.empty() ? error.what() : extras);
  }
  const auto command = commands.find(chosen());
  if (command == commands.end()) {
    throw UsageError(
        fmt::format("a command is missing; one of: {}", fmt::join(subcommand_names(*chosen()), ", ")));
  }
  command->second.setup();
  remote.fetch(global.quiet);
  return command->second.run(global);
}

Program::Program(const std::string& name, const std::string& description)
    : state_(std::make_unique<State>(name, description)) {
  auto& app = state_->app;
  app.set_help_flag("--help,-h", "Show this help");
  app.set_version_flag("--version", std::string(version()));
  app.option_defaults()->always_capture_default();
  app.get_formatter()->column_width(34);
  state_->add_global_options(&app);
  add_completion(*this);
}

Program::~Program() = default;

CLI::App& Program::app() { return state_->app; }

CLI::App* Program::add(const std::string& name, const std::string& description, const std::string& example,
                       CLI::App* parent) {
  auto* command = (parent != nullptr ? parent : &state_->app)->add_subcommand(name, description);
  command->footer("Example:\n  " + example);
  command->option_defaults()->always_capture_default();
  state_->add_global_options(command);
  return command;
}

void Program::on(CLI::App* command, Setup setup, Run run) {
  state_->commands[command] = {std::move(setup), std::move(run)};
}

int Program::main(int argc, char** argv) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, stop_cleanly);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then an error like a full disk
  const auto report = [&](std::string message) {
    fmt::print(stderr, "{}: {}\n", state_->app.get_name(), one_line(std::move(message)));
  };
  try {
    const int code = state_->run(argc, argv);
    if (std::fflush(stdout) != 0) throw Error("cannot write the result to standard output");
    return code;
  } catch (const UsageError& error) {
    report(error.what());
    fmt::print(stderr, "Try: {} --help\n", state_->chosen_words());
    return 2;
  } catch (const Error& error) {
    report(error.what());
  } catch (const std::bad_alloc&) {
    report("out of memory");
  } catch (const std::filesystem::filesystem_error& error) {
    report(fmt::format("{}: {}", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    report(fmt::format("unexpected failure: {}", error.what()));
  }
  return 1;
}

int run_program(const char* name, const char* description, void (*add)(Program&), int argc, char** argv) {
  try {
    Program program(name, description);
    add(program);
    return program.main(argc, argv);
  } catch (const std::exception& error) {  // an option that is declared wrongly: no start gets past it
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
}

std::string shown(const std::filesystem::path& path) {
  if (auto uri = RemoteWords::uri_of(path.string()); !uri.empty()) return uri;
  std::error_code failed;
  const auto relative = std::filesystem::relative(path, failed).string();
  const auto plain = path.string();
  return !failed && !relative.empty() && relative.size() < plain.size() ? relative : plain;
}

void say(const GlobalOptions& global, std::string_view message) {
  if (!global.quiet) fmt::print(stderr, "{}\n", one_line(std::string(message)));
}

Progress progress_bar(const GlobalOptions& global, std::string what) {
  if (global.quiet) return {};
  if (::isatty(STDERR_FILENO) == 0) {
    ProgressLines lines;
    lines.print = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    return lines.start(std::move(what));
  }
  using Clock = std::chrono::steady_clock;
  struct Bar {
    std::string what;
    Clock::time_point start = Clock::now();
    Clock::time_point drawn{};
  };
  auto bar = std::make_shared<Bar>(Bar{std::move(what)});
  return [bar](std::uint64_t done, std::uint64_t total) {
    const auto now = Clock::now();
    const bool complete = total != 0 && done >= total;
    if (!complete && now - bar->drawn < std::chrono::milliseconds(100)) return;
    bar->drawn = now;
    const double seconds = std::chrono::duration<double>(now - bar->start).count();
    const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
    if (total == 0) {
      fmt::print(stderr, "\r\033[K{}: {} ({:.0f}/s)", bar->what, done, rate);
      return;
    }
    constexpr int kWidth = 30;
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const int filled = static_cast<int>(share * kWidth);
    const double left = rate > 0 ? static_cast<double>(total - std::min(done, total)) / rate : 0;
    fmt::print(stderr, "\r\033[K{}: [{:=<{}}{: <{}}] {:3.0f} % {}/{} {:.0f} s left{}", bar->what, "", filled,
               "", kWidth - filled, 100 * share, done, total, left, complete ? "\n" : "");
  };
}

}  // namespace procsim::tools
