#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/files/atomic_file.hpp"

namespace procsim {

// The guidance format (docs/formats.md). These constants are on disk: they never change.
inline constexpr std::string_view kGuidanceFormat = "guidance";
inline constexpr int kGuidanceVersion = 1;

// One of the classes of a pretrained classifier that a class (or sample) looks like.
struct PseudoLabel {
  std::string wnid;      // "n02058221"
  std::string name;      // "albatross"
  double score = 0;      // the classifier's logit, averaged over what the entry stands for
  std::size_t text = 0;  // which of the table's vectors

  bool operator==(const PseudoLabel&) const = default;
};

// The pseudo-labels of a class or of a sample, best first.
struct GuidanceEntry {
  std::int64_t key = 0;  // label, or sample id
  std::string name;      // the class's name, or the sample's path
  std::vector<PseudoLabel> labels;

  bool operator==(const GuidanceEntry&) const = default;
};

struct GuidanceTable {
  bool per_sample = false;             // entries are samples, not classes
  std::vector<GuidanceEntry> entries;  // all with the same number of pseudo-labels
  std::int64_t dimension = 0;
  std::vector<float> vectors;  // a text vector per distinct pseudo-label, one after another
  nlohmann::ordered_json provenance;

  std::size_t ranks() const { return entries.empty() ? 0 : entries.front().labels.size(); }
};

// Throws Error with the file for another format, entries with unequal numbers of pseudo-labels, or a vector
// with a number that is not finite.
GuidanceTable read_guidance_table(const std::filesystem::path& path);
void write_guidance_table(const std::filesystem::path& path, const GuidanceTable& table, IfExists if_exists);

// Vectors that somebody else made, by name (`name`, `vector`) or by sample (`sample_id`, `vector`); a column
// called `embedding` serves as `vector` too. Throws Error naming what the file lacks, a key that occurs
// twice, or the row of a vector with a number that is not finite.
struct NamedVectors {
  std::vector<std::string> names;  // one of the two is empty
  std::vector<std::int64_t> ids;
  std::int64_t dimension = 0;
  std::vector<float> values;
};
NamedVectors read_sample_vectors(const std::filesystem::path& path);
// A guidance table, where the file says that it is one; else vectors by name.
std::variant<GuidanceTable, NamedVectors> read_text_guidance(const std::filesystem::path& path);

}  // namespace procsim
