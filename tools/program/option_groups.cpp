#include "tools/program/option_groups.hpp"

#include <fmt/format.h>

#include "data/files/leftovers.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;

CLI::Option* add_output_options(CLI::App* command, OutputOptions& output, const std::string& what,
                                const std::string& type) {
  auto* option =
      command->add_option("--output,-o", output.path, what)->type_name(type)->check(written_here());
  command->add_flag("--force", output.force, "Replace what is there");
  return option;
}

void write_result(const fs::path& path, std::string_view content, bool force) {
  std::error_code missing;
  if (!force && fs::is_regular_file(path, missing) && fs::file_size(path) == content.size() &&
      read_file(path) == content) {
    remove_leftovers(path);
    return;
  }
  write_file(path, content, force ? IfExists::kReplace : IfExists::kFail);
}

void write_output(const OutputOptions& output, std::string_view content) {
  if (output.path)
    write_result(*output.path, content, output.force);
  else
    fmt::print("{}", content);
}

void add_dataset_option(CLI::App* command, std::optional<std::string>& dataset) {
  command->add_option("--dataset", dataset, "Data set in the workspace (default: the current one)")
      ->type_name("NAME");
}

void add_label_options(CLI::App* command, LabelChoice& choice, const std::string& what,
                       const std::string& otherwise) {
  add_labels_option(command, choice.file, what, otherwise);
  add_dataset_option(command, choice.dataset);
}

void add_labels_option(CLI::App* command, std::optional<fs::path>& file, const std::string& what,
                       const std::string& otherwise) {
  command->add_option("--labels", file, fmt::format("{} (default: {})", what, otherwise))->type_name("FILE");
}

void add_root_option(CLI::App* command, std::optional<fs::path>& root, const std::string& what) {
  command->add_option("--root", root, what + " (default: as the workspace knows)")->type_name("DIR");
}

void add_taxonomy_file_option(CLI::App* command, std::optional<fs::path>& file) {
  command->add_option("--taxonomy", file, "Taxonomy file (default: the workspace's newest)")
      ->type_name("FILE");
}

void add_taxonomy_options(CLI::App* command, TaxonomyChoice& choice) {
  add_taxonomy_file_option(command, choice.file);
  add_dataset_option(command, choice.dataset);
}

void add_top_option(CLI::App* command, std::size_t& top, const std::string& what, std::size_t least) {
  command->add_option("--top", top, what)->type_name("N|all")->transform(count_or_all(least));
}

}  // namespace procsim::tools
