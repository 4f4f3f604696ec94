#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/files/atomic_file.hpp"
#include "taxonomy/export/matrix_export.hpp"
#include "taxonomy/export/tree_drawing.hpp"
#include "taxonomy/export/tree_export.hpp"
#include "taxonomy/export/tree_page.hpp"
#include "taxonomy/tree/display_tree.hpp"
#include "tools/program/taxonomy_store.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace {

struct Options {
  TaxonomyChoice taxonomy;
  std::string format;
  std::optional<std::filesystem::path> output;
  std::string layout = "radial";
  std::string measure = "distance";
  bool full = false;
  bool pairs = false;
  bool force = false;
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
                                          {"labelstudio", ".xml"},
                                          {"datumaro", ""},
                                          {"taxonomy", ""}}};

std::string choose_format(const Options& options) {
  std::vector<std::string> known;
  for (const auto& format : kFormats) known.emplace_back(format.name);
  if (!options.format.empty()) {
    if (std::find(known.begin(), known.end(), options.format) != known.end()) return options.format;
    throw UsageError(fmt::format("unknown format '{}'{} Known: {}.", options.format,
                                 did_you_mean(options.format, known), fmt::join(known, ", ")));
  }
  if (options.output) {
    for (const auto& format : kFormats) {
      if (!format.ending.empty() && options.output->extension() == format.ending)
        return std::string(format.name);
    }
  }
  throw UsageError(fmt::format("which format? Give --format {}, or an output file that ends in one of them",
                               fmt::join(known, "|")));
}

taxonomy::Layout layout_from_string(const std::string& text) {
  if (text == "radial") return taxonomy::Layout::kRadial;
  if (text == "layered") return taxonomy::Layout::kLayered;
  const std::vector<std::string> known{"radial", "layered"};
  throw UsageError(
      fmt::format("unknown layout '{}'{} Known: radial, layered.", text, did_you_mean(text, known)));
}

std::string render(const std::string& format, const taxonomy::Taxonomy& taxonomy, const Options& options) {
  if (format == "taxonomy") return taxonomy.to_json();
  const auto tree =
      taxonomy::display_tree(taxonomy, options.full ? taxonomy::Chains::kKeep : taxonomy::Chains::kCollapse);
  if (format == "svg")
    return taxonomy::svg(taxonomy, tree,
                         taxonomy::lay_out(taxonomy, tree, layout_from_string(options.layout)));
  if (format == "html") return taxonomy::html_page(taxonomy, tree);
  if (format == "dot") return taxonomy::dot_graph(taxonomy, tree);
  if (format == "newick") return taxonomy::newick(taxonomy, tree);
  if (format == "labelstudio") return taxonomy::label_studio_config(taxonomy, tree);
  if (format == "datumaro") return taxonomy::datumaro_categories(taxonomy, tree);
  return taxonomy::nested_json(taxonomy, tree);
}

int export_taxonomy(const Options& options, const GlobalOptions& global) {
  const auto format = choose_format(options);
  const auto measure = taxonomy::measure_from_string(options.measure);
  const bool is_radial = layout_from_string(options.layout) == taxonomy::Layout::kRadial;
  if (format == "svg" && is_radial && options.full) {
    throw UsageError("--full does not fit into a radial drawing; use --layout layered");
  }
  if (format == "parquet" && !options.output) throw UsageError("a Parquet file needs a name: give -o FILE");
  const auto if_exists = options.force ? IfExists::kReplace : IfExists::kFail;

  const auto taxonomy = load_taxonomy(global, options.taxonomy);
  if (format == "parquet") {
    if (options.pairs) {
      taxonomy::write_class_pairs(*options.output, taxonomy, measure, if_exists,
                                  progress_bar(global, "pairs"));
    } else {
      taxonomy::write_class_matrix(*options.output, taxonomy, measure, if_exists);
    }
  } else if (options.output) {
    write_file(*options.output, render(format, taxonomy, options), if_exists);
  } else {
    fmt::print("{}", render(format, taxonomy, options));
  }
  return 0;
}

}  // namespace

void add_taxo_export(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("export", "The tree as a drawing, a web page, or a file for other tools",
                              "taxo export -o tree.svg\n  taxo export --format html -o tree.html\n"
                              "  taxo export -o distances.parquet --measure wu-palmer");
  add_taxonomy_options(command, options->taxonomy);
  command
      ->add_option(
          "--format", options->format,
          "svg, html, dot, json, newick, parquet (class-by-class matrix), labelstudio, datumaro or taxonomy "
          "(our own file); default: by the output file's ending")
      ->type_name("NAME");
  command->add_option("-o,--output", options->output, "File to write (default: standard output)")
      ->type_name("FILE");
  command->add_option("--layout", options->layout, "svg: radial or layered")->type_name("NAME");
  command->add_option("--measure", options->measure, "parquet: distance, path, wu-palmer or leacock-chodorow")
      ->type_name("NAME");
  command->add_flag("--pairs", options->pairs,
                    "parquet: a row per pair of classes, for any number of classes");
  command->add_flag("--full", options->full, "Keep nodes with a single child");
  command->add_flag("--force", options->force, "Replace the output file when it exists");
  program.on(command, [options](const GlobalOptions& global) { return export_taxonomy(*options, global); });
}

}  // namespace procsim::tools
