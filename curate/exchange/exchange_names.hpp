#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

// What Datumaro and FiftyOne call the images of a table: the path without its ending. Where two images differ
// in the ending alone (x1.jpg, x1.png) or one has none (x1), it stays; an image inside a Parquet file is
// named by its row
// ("part-row-156"). Every name leads back to one row. The table must outlive it.
class ExchangeNames {
 public:
  explicit ExchangeNames(const ScoreTable& table);

  // Unique, unless several rows have the very same path: then it is that path. The sample must be in the
  // table.
  std::string name(std::int64_t sample) const;
  // The row of a name, of a whole path or of an image written out of a Parquet file, also behind a prefix
  // that ends with '/' or '='. Empty where there is none; Error where several rows have it.
  std::optional<std::uint32_t> find(std::string_view name) const;

 private:
  static constexpr std::uint32_t kSeveral = ~0U;

  static void add(std::unordered_map<std::string, std::uint32_t>& names, std::string name, std::uint32_t row);

  const ScoreTable& table_;
  std::unordered_map<std::string, std::uint32_t> row_of_;  // kSeveral: of more than one
};

// A path as a file of its own can have it: "data/part.parquet#row=156" is "data/part-row-156". Others stay.
std::string file_path_of(std::string_view sample_path);

}  // namespace procsim::curate
