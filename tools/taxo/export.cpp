#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "taxonomy/export/matrix_export.hpp"
#include "taxonomy/export/tree_drawing.hpp"
#include "taxonomy/export/tree_export.hpp"
#include "taxonomy/export/tree_page.hpp"
#include "taxonomy/tree/display_tree.hpp"
#include "taxonomy/tree/queries.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/program/validators.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace export_command {
namespace {

struct Options {
  TaxonomyChoice taxonomy;
  OutputOptions output;
  std::string format;
  std::string layout = "radial";
  std::string measure = "distance";
  bool full = false;
  bool pairs = false;
};

struct Format {
  std::string_view name;
  std::string_view ending;  // of file names, by which -o chooses
};
constexpr std::array<Format, 9> kFormats{{{"svg", ".svg"},
                                          {"html", ".html"},
                                          {"dot", ".dot"},
                                          {"json", ".json"},
                                          {"newick", ".nwk"},
                                          {"parquet", ".parquet"},
                                          {"label-studio", ".xml"},
                                          {"datumaro", ""},
                                          {"taxonomy", ""}}};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& format : kFormats) names.emplace_back(format.name);
  return names;
}

std::string format_by_ending(const std::optional<std::filesystem::path>& output) {
  for (const auto& format : kFormats) {
    if (output && !format.ending.empty() && lower_extension(*output) == format.ending)
      return std::string(format.name);
  }
  throw UsageError(fmt::format("which format? Give --format {}, or an output file that ends in one of them",
                               fmt::join(format_names(), "|")));
}

void setup(Options& options) {
  if (options.format.empty()) options.format = format_by_ending(options.output.path);
  if (options.format == "svg" && options.layout == "radial" && options.full) {
    throw UsageError("--full does not fit into a radial drawing; use --layout layered");
  }
  if (options.format == "parquet" && !options.output.path)
    throw UsageError("a Parquet file needs a name: give -o FILE");
}

std::string render(const taxonomy::Taxonomy& taxonomy, const Options& options) {
  const auto& format = options.format;
  if (format == "taxonomy") return taxonomy.to_json();
  const auto tree =
      taxonomy::display_tree(taxonomy, options.full ? taxonomy::Chains::kKeep : taxonomy::Chains::kCollapse);
  if (format == "svg") {
    const auto layout = options.layout == "radial" ? taxonomy::Layout::kRadial : taxonomy::Layout::kLayered;
    return taxonomy::svg(taxonomy, tree, taxonomy::lay_out(taxonomy, tree, layout));
  }
  if (format == "html") return taxonomy::html_page(taxonomy, tree);
  if (format == "dot") return taxonomy::dot_graph(taxonomy, tree);
  if (format == "newick") return taxonomy::newick(taxonomy, tree);
  if (format == "label-studio") return taxonomy::label_studio_config(taxonomy, tree);
  if (format == "datumaro") return taxonomy::datumaro_categories(taxonomy, tree);
  return taxonomy::nested_json(taxonomy, tree);
}

int run(const Options& options, const GlobalOptions& global) {
  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  if (options.format != "parquet") {
    write_output(options.output, render(taxonomy, options));
    return 0;
  }
  const auto measure = taxonomy::measure_from_string(options.measure);
  if (options.pairs) {
    taxonomy::write_class_pairs(*options.output.path, taxonomy, measure, options.output.if_exists(),
                                progress_bar(global, "pairs"));
  } else {
    taxonomy::write_class_matrix(*options.output.path, taxonomy, measure, options.output.if_exists());
  }
  return 0;
}

}  // namespace
}  // namespace export_command

void add_taxo_export(Program& program) {
  using namespace export_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("export", "The tree as a drawing, a web page, or a file for other tools",
                              "taxo export -o tree.svg\n  taxo export --format html -o tree.html\n"
                              "  taxo export -o distances.parquet --measure wu-palmer");
  add_taxonomy_options(command, options->taxonomy);
  command
      ->add_option("--format", options->format,
                   "What to write: parquet is the class-by-class matrix, taxonomy our own file (default: by "
                   "the output file's ending)")
      ->check(one_of(format_names()));
  add_output_options(command, options->output, "File to write (default: standard output)");
  command->add_option("--layout", options->layout, "svg: how it is drawn")
      ->check(one_of({"radial", "layered"}));
  command->add_option("--measure", options->measure, "parquet: what of each pair of classes")
      ->check(one_of(taxonomy::measure_names()));
  command->add_flag("--pairs", options->pairs,
                    "parquet: a row per pair of classes, for any number of classes");
  command->add_flag("--full", options->full, "Keep nodes with a single child");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
