#include "curate/report/left_out.hpp"

#include <set>

#include "data/labels/label_set.hpp"

namespace procsim::curate {

std::vector<LeftOut> find_left_out(const std::filesystem::path& labels, const ScoreTable& table,
                                   const ImageStore* images) {
  constexpr int kTriedSide = 64;  // whether it can be decoded shows at any size
  std::set<std::string, std::less<>> scored;
  std::vector<std::pair<std::string, LeftOut>> candidates;
  LabelSetReader reader(labels);
  while (const auto batch = reader.next()) {
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      const auto sample = batch->sample_ids()[at];
      if (table.find(sample)) {
        if (!scored.contains(batch->split(row))) scored.insert(std::string(batch->split(row)));
      } else if (batch->labels()[at] != kUnlabelled) {
        candidates.push_back(
            {std::string(batch->split(row)), {sample, std::string(batch->path(row)), "not scored"}});
      }
    }
  }
  std::vector<LeftOut> found;
  for (auto& [split, one] : candidates) {
    if (!scored.contains(split)) continue;
    std::string why;
    if (images && !images->thumbnail(one.path, kTriedSide, 50, &why)) one.why = without_path(why, one.path);
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace procsim::curate
