#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/taxo/commands.hpp"
#include "tools/taxo/shared/taxonomy_review.hpp"
#include "tools/taxo/shared/taxonomy_source.hpp"

namespace procsim::tools {
namespace resolve_command {
namespace {

struct Options {
  std::string class_name;
  std::string place;
  std::string reason = "set with taxo resolve";
  std::optional<std::string> dataset;
};

int run(const Options& options, const GlobalOptions& global) {
  auto session = reopen_session(global, options.dataset);
  set_override(session, find_subject(session.source, options.class_name), options.place, options.reason);
  store_and_print(global, session, build(session));
  return 0;
}

}  // namespace
}  // namespace resolve_command

void add_taxo_resolve(Program& program) {
  using namespace resolve_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("resolve", "Say what a class is, by sense key, and build the taxonomy again",
                              "taxo resolve Gadwall duck%1:05:00:: --reason 'a dabbling duck'");
  command
      ->add_option("class", options->class_name,
                   "Class by name, published name or label, or a category of SOP")
      ->required()
      ->type_name("CLASS");
  command
      ->add_option("sense-key", options->place,
                   "Where it belongs: a sense key (taxo senses WORD lists them), or a path below one: "
                   "'SENSE-KEY / node / node'")
      ->required()
      ->type_name("SENSE-KEY");
  command->add_option("--reason", options->reason, "Why, for those who read the overrides file")
      ->capture_default_str();
  add_dataset_option(command, options->dataset);
  program.on(command, options, run);
}

}  // namespace procsim::tools
