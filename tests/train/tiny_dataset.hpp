#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "data/images/image.hpp"
#include "data/labels/label_set.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {

// Twelve classes of striped pictures, eight of each: six train, six test. Some training labels are wrong.
struct TinyDataset {
  static constexpr int kClasses = 12;
  static constexpr int kPerClass = 8;

  TemporaryFolder folder;
  LabelSet labels;

  explicit TinyDataset(int wrong = 6);
  std::filesystem::path root() const { return folder.path() / "images"; }
  std::filesystem::path label_file() const { return folder.path() / "labels.parquet"; }
  // Writes the label set again after a change.
  void rewrite() const;
};

}  // namespace procsim::test
