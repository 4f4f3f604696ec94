#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/base/progress.hpp"
#include "data/labels/label_set.hpp"
#include "data/labels/scores.hpp"

namespace procsim::curate {

// Predicted class probabilities made elsewhere, a row per sample and a column per class, read row after row:
// a wide matrix need not fit into memory where its format allows.
//   *.npy            a float32 or float64 matrix, C order, rows in the label set's order
//   CSV, TSV         a column per class (under its name, published name or number), sample_id optional
//   Parquet          the same, or one column of lists
class Probabilities {
 public:
  explicit Probabilities(const std::filesystem::path& file, const LabelSetInfo& classes);
  ~Probabilities();
  Probabilities(Probabilities&&) noexcept;

  std::int64_t rows() const;
  // Sample ids, when the file has them; else rows are in the label set's order.
  const std::vector<std::int64_t>& sample_ids() const;
  // The next row, a probability per class; empty at the end. Throws Error with the row when one is not a
  // number or is outside [0, 1].
  std::span<const double> next();

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

struct ForeignScoresOptions {
  std::string split;  // only rows of this split; empty: all labelled rows
  std::size_t rivals = 5;
};

struct ForeignScoresResult {
  std::int64_t rows = 0;
  WrongRate noise_rate;  // estimated on the way
  std::string digest;
};

// A scores file from predicted probabilities, so that everything here works without our trainer. The
// probabilities must be out of sample (from cross-validation), as cleanlab wants them too.
//
// They are judged by the noise model that `procsim-train score` uses (data/noise_model): it finds the softmax
// scale, the rate and where errors go; classes are alike where the model gives the samples of one to another.
// Suspicion is the log-odds of p_mislabelled, rivals are in the order of belief, the file holds estimates.
ForeignScoresResult make_foreign_scores(const std::filesystem::path& probabilities,
                                        const std::filesystem::path& labels, const std::filesystem::path& out,
                                        IfExists if_exists, const ForeignScoresOptions& options,
                                        const Progress& progress = {});
// The same as one of several files that change together: it appears with them.
ForeignScoresResult make_foreign_scores(const std::filesystem::path& probabilities,
                                        const std::filesystem::path& labels, const std::filesystem::path& out,
                                        IfExists if_exists, const ForeignScoresOptions& options,
                                        FileChanges& files, const Progress& progress = {});

}  // namespace procsim::curate
