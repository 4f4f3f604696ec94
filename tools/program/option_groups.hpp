#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "data/files/atomic_file.hpp"

namespace procsim::tools {

// Options that mean the same in every command of every program, so that they are spelt and explained alike.

// Where a result goes, and whether it may replace what stands there.
struct OutputOptions {
  std::optional<std::filesystem::path> path;  // --output, -o
  bool force = false;                         // --force

  IfExists if_exists() const { return force ? IfExists::kReplace : IfExists::kFail; }
};
// `what` is written, and where it goes by default. Returns --output, to be made required.
CLI::Option* add_output_options(CLI::App* command, OutputOptions& output, const std::string& what,
                                const std::string& type = "FILE");

// Writes a result file. An equal one that stands there already is left as it is, another one is replaced only
// with --force, else Error.
void write_result(const std::filesystem::path& path, std::string_view content, bool force);
// The same to --output, or to standard output where it was not given.
void write_output(const OutputOptions& output, std::string_view content);

// --dataset
void add_dataset_option(CLI::App* command, std::optional<std::string>& dataset);

// Which label set a command reads: --labels, else the workspace's newest one of a kind of --dataset, else of
// the current data set (choose_labels).
struct LabelChoice {
  std::optional<std::filesystem::path> file;  // a file, or a folder of parts
  std::optional<std::string> dataset;
};
// `what` the label set is to the command; `otherwise` is the one that is taken when none is given.
void add_label_options(CLI::App* command, LabelChoice& choice, const std::string& what,
                       const std::string& otherwise = "the workspace's newest");
void add_labels_option(CLI::App* command, std::optional<std::filesystem::path>& file, const std::string& what,
                       const std::string& otherwise = "the workspace's newest");

// --root
void add_root_option(CLI::App* command, std::optional<std::filesystem::path>& root,
                     const std::string& what = "Folder of the images");

// Which taxonomy a command reads: --taxonomy FILE, else the newest one of --dataset NAME in the workspace,
// else that of the workspace's current data set (load_taxonomy).
struct TaxonomyChoice {
  std::optional<std::filesystem::path> file;
  std::optional<std::string> dataset;
};
void add_taxonomy_options(CLI::App* command, TaxonomyChoice& choice);
void add_taxonomy_file_option(CLI::App* command, std::optional<std::filesystem::path>& file);

// --top: how many of `what`, from `least` on; "all" is the largest number
void add_top_option(CLI::App* command, std::size_t& top, const std::string& what, std::size_t least = 0);

}  // namespace procsim::tools
