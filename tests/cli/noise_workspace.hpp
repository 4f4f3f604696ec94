#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/workspace/workspace.hpp"
#include "noise/injection.hpp"
#include "tests/cli/stored_taxonomy.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {

// A workspace as `taxo build birds` would leave it: data set, taxonomy, base label set.
class NoiseWorkspace {
 public:
  explicit NoiseWorkspace(std::int64_t rows = 2400) {
    auto workspace = Workspace::open_or_create(folder.path());
    DatasetRecord record;
    record.name = "birds";
    record.kind = "folder";
    record.source = "birds";
    record.root = (folder / "images").string();
    record.classes = taxonomy.class_count();
    record.samples = rows;
    record.options = "{}";
    workspace.put_dataset(record);
    taxonomy_file = test::store_taxonomy(workspace, taxonomy);
    base = test::store_base_labels(workspace, even_labels(taxonomy, rows), taxonomy);
  }

  ProgramResult noise(const std::vector<std::string>& arguments) const {
    ProgramOptions options;
    options.folder = folder.path();
    return run_program("noise", arguments, options);
  }

  TemporaryFolder folder;
  taxonomy::Taxonomy taxonomy = noise_birds();
  std::filesystem::path taxonomy_file, base;
};

// The same files with no workspace around them.
class NoiseFiles {
 public:
  explicit NoiseFiles(std::int64_t rows = 2400) {
    write_label_set(folder / "clean.parquet", even_labels(taxonomy, rows), IfExists::kFail);
    folder.write("birds.json", taxonomy.to_json());
  }

  ProgramResult noise(const std::vector<std::string>& arguments) const {
    ProgramOptions options;
    options.folder = folder.path();
    return run_program("noise", arguments, options);
  }

  // Names of everything in a folder, hidden files too.
  std::vector<std::string> names(const std::string& name = ".") const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name)) {
      result.push_back(entry.path().filename().string());
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  TemporaryFolder folder;
  taxonomy::Taxonomy taxonomy = noise_birds();
};

inline int lines_of(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace procsim::test
