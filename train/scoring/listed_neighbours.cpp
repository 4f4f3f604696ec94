#include "train/scoring/listed_neighbours.hpp"

#include <algorithm>

#include "train/models/torch.hpp"
#include "train/scoring/sample_neighbours.hpp"

namespace procsim::train {
namespace {

// The most probable classes of each sample; one group for all where every pair can be compared.
std::vector<std::int32_t> duplicate_groups(const CrossFit& fit, const ListingOptions& options,
                                           std::int64_t& each) {
  const auto count = fit.scores.size();
  each = count <= options.exact_duplicates ? 1 : std::min(options.duplicate_groups, fit.scores.width);
  if (each == 1) return std::vector<std::int32_t>(static_cast<std::size_t>(count), 0);
  std::vector<std::int32_t> groups;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto candidates = fit.scores.candidates_of(i);
    groups.insert(groups.end(), candidates.begin(), candidates.begin() + each);
  }
  return groups;
}

}  // namespace

void fill_neighbours(const TrainData& data, const torch::Tensor& embeddings, const CrossFit& fit,
                     const ListingOptions& options, std::vector<ScoreRow>& rows) {
  const RowsAroundMean around(embeddings);
  const auto class_count = static_cast<std::int64_t>(data.classes.size());
  const auto place_of = [&](std::int32_t label) -> std::int64_t {
    if (label == kUnlabelled) return -1;
    return std::lower_bound(data.classes.begin(), data.classes.end(), label) - data.classes.begin();
  };
  std::vector<std::int64_t> suggested;
  for (const auto& row : rows) suggested.push_back(place_of(row.suggested));
  const auto fill = [&](const SampleLists& lists, std::vector<std::int64_t> ScoreRow::* target) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto other : lists[i])
        (rows[i].*target).push_back(data.train[static_cast<std::size_t>(other)].id);
  };
  fill(nearest_of_class(around, data.train_class, class_count, data.train_class, options.neighbours),
       &ScoreRow::near_given);
  fill(nearest_of_class(around, data.train_class, class_count, suggested, options.neighbours),
       &ScoreRow::near_suggested);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(options.shown_rivals); ++rank) {
    std::vector<std::int64_t> wanted;
    for (const auto& row : rows) {
      const bool other = rank < row.rivals.size() && row.rivals[rank].label != row.suggested;
      wanted.push_back(other ? place_of(row.rivals[rank].label) : -1);
    }
    fill(nearest_of_class(around, data.train_class, class_count, wanted, options.rival_neighbours),
         &ScoreRow::near_rivals);
  }
  std::int64_t each = 1;
  const auto groups = duplicate_groups(fit, options, each);
  fill(near_duplicates(around, groups, each, static_cast<float>(options.duplicate_similarity),
                       options.duplicates),
       &ScoreRow::duplicates);
}

}  // namespace procsim::train
