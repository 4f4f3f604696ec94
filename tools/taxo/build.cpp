#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/sets/alike_classes.hpp"
#include "tools/taxo/commands.hpp"
#include "tools/taxo/shared/split_options.hpp"
#include "tools/taxo/shared/taxonomy_source.hpp"

namespace procsim::tools {
namespace build_command {
namespace {

struct Options {
  BuildRequest request;
  bool strict = false;
};

void fail_unresolved(const taxonomy::BuiltTaxonomy& built) {
  std::vector<std::string> names;
  for (const auto& entry : built.parts.classes) {
    if (entry.how == taxonomy::Resolution::kUnresolved) names.push_back(entry.name);
  }
  if (names.empty()) return;
  throw Error(fmt::format(
      "{} of {} classes are not in WordNet below the root (--strict): {}. Place them with --overrides FILE",
      names.size(), built.parts.classes.size(), fmt::join(names, ", ")));
}

// A workspace that this build began goes again when the build fails.
class BegunWorkspace {
 public:
  explicit BegunWorkspace(std::optional<Workspace>& workspace) : workspace_(workspace) {}
  ~BegunWorkspace() {
    if (!workspace_ || !workspace_->is_new()) return;
    try {
      workspace_->discard_unused();
    } catch (const Error&) {  // the build's own error says what is wrong
    }
  }
  BegunWorkspace(const BegunWorkspace&) = delete;
  BegunWorkspace& operator=(const BegunWorkspace&) = delete;

 private:
  std::optional<Workspace>& workspace_;
};

// Names that were typed by hand: shown with how many samples each has, merged only when asked for.
void say_alike(const GlobalOptions& global, const ClassSource& source) {
  constexpr std::size_t kMostShown = 8;
  if (!source.dataset) return;
  const auto groups = find_alike_classes(*source.dataset);
  if (groups.empty()) return;
  say(global, fmt::format("{} names look like another's, with how many samples each has:", groups.size()));
  for (std::size_t i = 0; i < std::min(groups.size(), kMostShown); ++i)
    say(global, fmt::format("  {}", groups[i].in_words()));
  if (groups.size() > kMostShown) say(global, fmt::format("  … and {} more", groups.size() - kMostShown));
  say(global, "make one class of each with --merge-alike, or of some with 'taxo review'");
}

int run(const Options& options, const GlobalOptions& global) {
  const auto folder = Workspace::find(global.workspace).value_or(std::filesystem::current_path());
  auto session = open_session(folder, options.request);
  const BegunWorkspace begun(session.workspace);
  if (session.source.dataset) {
    for (const auto& note : session.source.dataset->notes) say(global, note);
  }
  say_alike(global, session.source);
  const auto built = build(session);
  if (options.strict) fail_unresolved(built);
  store_and_print(global, session, built);
  return 0;
}

}  // namespace
}  // namespace build_command

void add_taxo_build(Program& program) {
  using namespace build_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("build", "Build a class tree from class names with WordNet", "taxo build cub200");
  command
      ->add_option("source", options->request.source,
                   "cub200, cars196, sop, fieldguide, or the path of a data set, a label set or a file of "
                   "names (one a line)")
      ->required()
      ->type_name("SOURCE");
  command
      ->add_option("--root-synset", options->request.root_synset,
                   "Synset that all classes are under: bird.n.01, or a sense key (default: known for the "
                   "benchmarks, else "
                   "the lowest common hypernym)")
      ->type_name("SYNSET");
  command
      ->add_option(
          "--overrides", options->request.overrides,
          "TSV file of class, sense key and reason; wins over the built-in ones and those of taxo review")
      ->type_name("FILE");
  command->add_flag("--strict", options->strict,
                    "Fail when a class stays unresolved, instead of hanging it from the root");
  command
      ->add_option("--name", options->request.name,
                   "What to call the data set in the workspace (default: its file's or folder's name)")
      ->type_name("NAME");
  add_dataset_options(command, options->request.dataset);
  program.on(command, options, run);
}

}  // namespace procsim::tools
