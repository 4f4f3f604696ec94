#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "tools/program/option_groups.hpp"
#include "tools/taxo/commands.hpp"
#include "tools/taxo/shared/taxonomy_review.hpp"
#include "tools/taxo/shared/taxonomy_source.hpp"

namespace procsim::tools {
namespace review_command {
namespace {

struct Options {
  std::optional<std::string> dataset;
};

int run(const Options& options, const GlobalOptions& global) {
  auto session = reopen_session(global, options.dataset);
  const auto merged = review_alike(session.source, std::cin, std::cerr);
  if (!merged.empty()) {
    auto& names = session.request.dataset.merge_names;
    names.insert(names.end(), merged.begin(), merged.end());
    session.source = open_class_source(session.request, session.home());
  }
  const auto before = build(session);
  if (merged.empty() && review_queue(session.source, before).empty()) {
    say(global,
        fmt::format("nothing to review: all {} classes have one clear place", session.source.classes.size()));
    return 0;
  }
  if (review(session, before, std::cin, std::cerr) == 0 && merged.empty()) return 0;
  store_and_print(global, session, build(session));
  return 0;
}

}  // namespace
}  // namespace review_command

void add_taxo_review(Program& program) {
  using namespace review_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add(
      "review", "Decide ambiguous and unresolved names, one after the other, and build again", "taxo review");
  add_dataset_option(command, options->dataset);
  program.on(command, options, run);
}

}  // namespace procsim::tools
