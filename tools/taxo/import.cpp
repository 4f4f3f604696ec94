#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"
#include "data/labels/label_set.hpp"
#include "taxonomy/import/imported_tree.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace import_command {
namespace {

struct Options {
  std::filesystem::path file;
  std::string format;
  std::string dataset;
  OutputOptions output;
  bool allow_missing = false;
  taxonomy::TreeFormat tree_format{};
};

void setup(Options& options) {
  if (!options.format.empty()) {
    options.tree_format = taxonomy::tree_format_from_string(options.format);
    return;
  }
  try {
    options.tree_format = taxonomy::tree_format_of(options.file);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

// The classes of the data set, when the workspace knows them.
std::vector<taxonomy::WantedClass> wanted_classes(const Workspace& workspace, const std::string& dataset) {
  const auto record = workspace.newest_label_set(dataset, "base");
  if (!record) return {};
  std::vector<taxonomy::WantedClass> wanted;
  const LabelSetReader reader(label_file(workspace, *record));
  for (const auto& c : reader.info().classes) wanted.push_back({c.name, c.published});
  return wanted;
}

taxonomy::Taxonomy read(const Options& options, const std::vector<taxonomy::WantedClass>& wanted,
                        std::vector<std::string>& notes) {
  const auto missing = options.allow_missing ? taxonomy::Missing::kHangFromRoot : taxonomy::Missing::kRefuse;
  try {
    if (options.tree_format == taxonomy::TreeFormat::kJson) {
      const auto text = read_file(options.file);
      if (taxonomy::is_taxonomy_file(text)) {
        auto parts = taxonomy::taxonomy_parts_from_json(text, options.file.string());
        parts.dataset = options.dataset;
        return taxonomy::adopt_taxonomy(std::move(parts), wanted, missing, notes);
      }
    }
    return taxonomy::adopt_tree(taxonomy::read_tree(options.file, options.tree_format), options.dataset,
                                wanted, missing, notes);
  } catch (const Error& error) {
    const auto file = options.file.string();
    if (std::string_view(error.what()).starts_with(file)) throw;
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
}

// A tree without a data set makes one of its own: classes, no samples.
void remember_dataset(Workspace& workspace, const taxonomy::Taxonomy& taxonomy,
                      const std::filesystem::path& file) {
  auto record = workspace.dataset(taxonomy.dataset()).value_or(DatasetRecord{});
  if (record.name.empty()) {
    record.name = taxonomy.dataset();
    record.kind = "taxonomy";
    record.source = std::filesystem::absolute(file).string();
    record.root = std::filesystem::absolute(file).parent_path().string();
    record.options = "{}";
  }
  record.classes = taxonomy.class_count();
  workspace.put_dataset(record);
}

int import(const Options& options, const GlobalOptions& global) {
  const auto folder = Workspace::find(global.workspace);
  std::vector<taxonomy::WantedClass> wanted;
  if (folder) wanted = wanted_classes(Workspace::open(*folder), options.dataset);
  std::vector<std::string> notes;
  const auto taxonomy = read(options, wanted, notes);
  for (const auto& note : notes) say(global, note);
  if (!wanted.empty()) {
    say(global, fmt::format("classes: those of {}, found in the tree by name", options.dataset));
  }
  std::filesystem::path written;
  if (options.output.path) {
    written = *options.output.path;
    write_result(written, taxonomy.to_json(), options.output.force);
  } else {
    auto workspace = Workspace::open_or_create(folder.value_or(std::filesystem::current_path()));
    FileChanges files;
    const auto record = write_taxonomy(files, workspace, taxonomy);
    const auto labels = write_refreshed_labels(files, workspace, taxonomy);
    workspace.put_together(files, [&] {
      workspace.put_taxonomy(record);
      if (labels) record_base_labels(workspace, *labels);
      remember_dataset(workspace, taxonomy, options.file);  // last: it becomes the current one
    });
    written = workspace.resolve(record.path);
  }
  if (global.json) {
    const nlohmann::ordered_json result{{"dataset", taxonomy.dataset()},
                                        {"classes", taxonomy.class_count()},
                                        {"nodes", taxonomy.node_count()},
                                        {"taxonomy", written.string()},
                                        {"digest", taxonomy.digest()}};
    fmt::print("{}\n", result.dump(2));
  } else {
    print_safely("{}: {} classes below {} nodes, root '{}' ({})\n", taxonomy.dataset(),
                 taxonomy.class_count(), taxonomy.node_count(), taxonomy.display_name(taxonomy.root()),
                 written.string());
  }
  return 0;
}

}  // namespace
}  // namespace import_command

void add_taxo_import(Program& program) {
  using namespace import_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("import", "A class tree from a file: parent-child CSV, nested JSON, Newick or OBO",
                  "taxo import families.csv --dataset birds");
  command->add_option("file", options->file, "The tree")->required()->type_name("FILE");
  command
      ->add_option("--dataset", options->dataset,
                   "Data set that the tree is for; its classes are found by name")
      ->required()
      ->type_name("NAME");
  command->add_option("--format", options->format, "What it is (default: by the file's ending)")
      ->check(one_of(taxonomy::tree_format_names()));
  add_output_options(command, options->output, "Write the taxonomy to this file instead of the workspace");
  command->add_flag("--allow-missing", options->allow_missing,
                    "Hang classes that the tree lacks from its root instead of refusing");
  program.on(command, options, setup, import);
}

}  // namespace procsim::tools
