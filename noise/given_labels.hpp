#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "noise/target_model.hpp"

namespace procsim::noise {

// Lists of labels that others have published.
enum class GivenFormat {
  kLabelSet,  // our own Parquet, by sample id
  kCsv,       // columns sample_id or path, and the label
  kPrism,     // lines "path,label" or "path label" without a header, as PRISM publishes them
  kNumpy,     // an .npy array of integers in the order of the split's sample ids (CIFAR-N)
};

// The names are in the provenance of label sets: they never change. Older files hold the number of the format
// in place of its name; both are read. Throws Error for anything else.
std::vector<std::string> given_format_names();
std::string_view to_string(GivenFormat format);
GivenFormat given_format_from_json(const nlohmann::ordered_json& json);

// By the file's ending: .parquet, .npy, .csv or .tsv, else PRISM's lists.
GivenFormat guess_given_format(const std::filesystem::path& path);

struct GivenLabelsOptions {
  std::string split = "train";
  std::string label_column;  // CSV; empty: label, noisy_label, given_label, class
  std::optional<std::int64_t>
      first_label;            // what the list calls class 0; none: 0 or 1, whichever agrees better
  bool drop_unknown = false;  // labels that are no class: leave the sample unlabelled, else Error
};

struct GivenLabelsFile {
  GivenLabels labels;             // by sample id of the parent; kRemovedLabel where it was dropped
  std::int64_t entries = 0;       // in the file
  std::int64_t unmatched = 0;     // entries that no row of the parent's split answers to
  std::string first_unmatched;    // one of them, as written
  std::int64_t rows_without = 0;  // rows of the split that the file does not mention
  std::int64_t first_label = 0;   // as given or found out
  std::map<std::string, std::int64_t> unknown;  // labels that are no class, with their number
};

// Reads a list and finds the parent's samples in it: by id, by place, or by path, where a path matches the
// sample whose path shares the most trailing components ("/data/CUB_200_2011/images/a/b.jpg" is
// "images/a/b.jpg"). Holds the parent's split in memory. Throws Error with file and line.
GivenLabelsFile read_given_labels(const std::filesystem::path& file, GivenFormat format,
                                  const std::filesystem::path& parent, const GivenLabelsOptions& options);

}  // namespace procsim::noise
