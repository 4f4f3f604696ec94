#include "train/scoring/cross_fit_rounds.hpp"

#include "data/base/keyed_random.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/judged_rows.hpp"

namespace procsim::train {

std::vector<CrossFit> cross_fit_rounds(const torch::Tensor& embeddings, std::span<const std::int64_t> ids,
                                       std::span<const std::int64_t> classes, const ClassDistances& distances,
                                       const CrossFitOptions& options, int rounds) {
  std::vector<CrossFit> fits;
  const JudgedRows rows(embeddings, ids, classes, distances.classes(), options.scoring.discriminant,
                        options.threads);
  for (int round = 0; round < rounds; ++round) {
    auto one = options;
    one.seed = KeyedRandom(options.seed, "score/rounds").for_id(round).next_bits();
    if (options.progress)
      one.progress = [&, round](std::uint64_t done, std::uint64_t total) {
        options.progress(done + total * static_cast<std::uint64_t>(round),
                         total * static_cast<std::uint64_t>(rounds));
      };
    fits.push_back(cross_fit({&rows, 1}, ids, classes, distances, one));
  }
  return fits;
}

}  // namespace procsim::train
