#include "train/methods/methods.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/print_safely.hpp"
#include "tools/train/commands.hpp"

namespace procsim::tools {
namespace methods_command {
namespace {

struct MethodsOptions {};

int run(const MethodsOptions&, const GlobalOptions& global) {
  if (global.json) {
    auto json = nlohmann::ordered_json::array();
    for (const auto& method : train::method_list())
      json.push_back({{"method", method.name},
                      {"about", method.description},
                      {"source", method.source},
                      {"keeps", method.state},
                      {"needs_noise_rate", method.needs_rate}});
    fmt::print("{}\n", json.dump());
    return 0;
  }
  for (const auto& method : train::method_list())
    print_safely("{:<24} {} ({}). Keeps {}.{}\n", method.name, method.description, method.source,
                 method.state.empty() ? "nothing between steps" : method.state,
                 method.needs_rate ? " Needs --noise-rate, or true labels." : "");
  return 0;
}

}  // namespace
}  // namespace methods_command

void add_procsim_train_methods(Program& program) {
  using namespace methods_command;
  auto options = std::make_shared<MethodsOptions>();
  auto* command =
      program.add("methods", "What --method can be: sources, what each keeps, which need the noise rate",
                  "procsim-train methods --json");
  program.on(command, options, run);
}

}  // namespace procsim::tools
