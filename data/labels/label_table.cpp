#include "data/labels/label_table.hpp"

#include <fmt/format.h>

#include "data/files/table.hpp"
#include "data/labels/label_set.hpp"

namespace procsim {

std::int64_t write_label_table(const std::filesystem::path& labels, AtomicFile& file) {
  LabelSetReader reader(labels);
  file.write("sample_id,path,split,label\n");
  std::int64_t rows = 0;
  while (const auto batch = reader.next()) {
    std::string text;
    for (std::int64_t row = 0; row < batch->rows(); ++row, ++rows) {
      const auto at = static_cast<std::size_t>(row);
      const auto label = batch->labels()[at];
      std::string name;
      if (label != kUnlabelled) {
        const auto& entry = reader.info().classes[static_cast<std::size_t>(label)];
        name = csv_field(entry.published.empty() ? entry.name : entry.published);
      }
      text += fmt::format("{},{},{},{}\n", batch->sample_ids()[at], csv_field(batch->path(row)),
                          csv_field(batch->split(row)), name);
    }
    file.write(text);
  }
  return rows;
}

}  // namespace procsim
