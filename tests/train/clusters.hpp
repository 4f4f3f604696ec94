#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/base/keyed_random.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/label_scores.hpp"
#include "train/scoring/rankings.hpp"

namespace procsim::train {

// Normal clusters around random centres, some under the wrong label. Few samples for many dimensions, so that
// a model which has seen a label remembers it.
struct Clusters {
  static constexpr std::int64_t kFirstId = 1000;
  TrainData data;
  torch::Tensor embeddings;

  enum class Errors {
    kAnywhere,
    kInPairs
  };  // kInPairs: classes 0 and 1, 2 and 3, … lie close and are confused

  Clusters(std::int64_t classes, std::int64_t per_class, double spread, double rate, std::uint64_t seed = 2,
           std::int64_t dimension = 24, Errors errors = Errors::kAnywhere) {
    const KeyedRandom centres(seed, "test/centres");
    const KeyedRandom rows(seed, "test/rows");
    const auto count = classes * per_class;
    embeddings = torch::zeros({count, dimension});
    std::vector<std::vector<double>> centre;
    for (std::int64_t c = 0; c < classes; ++c) {
      data.info.classes.push_back({"class " + std::to_string(c), "", ""});
      auto draws = centres.for_id(c);
      auto& place = centre.emplace_back();
      for (std::int64_t d = 0; d < dimension; ++d) place.push_back(draws.normal());
      if (errors == Errors::kInPairs && c % 2 == 1)
        for (std::size_t d = 0; d < place.size(); ++d)
          place[d] = 0.5 * place[d] + centre[centre.size() - 2][d];
    }
    for (std::int64_t i = 0; i < count; ++i) {
      auto draws = rows.for_id(i);
      const auto truth = i % classes;
      auto given = truth;
      if (draws.uniform() < rate)
        given = errors == Errors::kInPairs
                    ? truth ^ 1
                    : (truth + 1 +
                       static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(classes - 1)))) %
                          classes;
      data.train.push_back({kFirstId + i, "p" + std::to_string(i), static_cast<std::int32_t>(given),
                            static_cast<std::int32_t>(truth)});
      float* row = embeddings.data_ptr<float>() + i * dimension;
      for (std::int64_t d = 0; d < dimension; ++d)
        row[d] = static_cast<float>(centre[static_cast<std::size_t>(truth)][static_cast<std::size_t>(d)] +
                                    spread * draws.normal());
    }
    index_classes(data);
  }

  LabelScores score(const LabelScoreOptions& options = {}) const {
    return score_labels(data, embeddings, nullptr, {}, options);
  }

  std::map<std::string, DetectionRanking> rank() const {
    const LabelScoreOptions options;
    std::map<std::string, DetectionRanking> result;
    for (const auto& one : compare_rankings(data, all_rankings(data, embeddings, score(), {}, options)))
      result[one.name] = one.quality;
    return result;
  }
};

}  // namespace procsim::train
