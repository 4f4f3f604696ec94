#include "train/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "train/metrics/neighbours.hpp"

namespace procsim {
namespace {

constexpr std::int64_t kBlock = 1024;

torch::Tensor int_tensor(std::span<const std::int64_t> values) {
  return torch::tensor(std::vector<std::int64_t>(values.begin(), values.end()), torch::kInt64);
}

// d/dt of the mean log-likelihood at scale t: mean of (cos of the given class − expected cos).
double slope(const torch::Tensor& cosines, const torch::Tensor& labels, double scale) {
  double sum = 0;
  for (std::int64_t first = 0; first < cosines.size(0); first += kBlock) {
    const auto block = cosines.slice(0, first, std::min(first + kBlock, cosines.size(0))).to(torch::kFloat64);
    const auto own = labels.slice(0, first, first + block.size(0)).unsqueeze(1);
    const auto expected = (torch::softmax(scale * block, 1) * block).sum(1, true);
    sum += (block.gather(1, own) - expected).sum().item<double>();
  }
  return sum / static_cast<double>(cosines.size(0));
}

// The nearest samples that carry a label, per sample: rows of `wanted` dense classes, −1 for none.
class ClassNeighbours {
 public:
  ClassNeighbours(const torch::Tensor& embeddings, const TrainData& data, std::int64_t count)
      : embeddings_(embeddings), data_(data), count_(count), members_(data.classes.size()) {
    for (std::size_t i = 0; i < data.train_class.size(); ++i)
      members_[static_cast<std::size_t>(data.train_class[i])].push_back(static_cast<std::int64_t>(i));
  }

  // Fills `target` of every row whose wanted class is `wanted[i]`, class by class: exact, and never more than
  // one class's similarities at a time.
  void fill(std::span<const std::int64_t> wanted, std::vector<ScoreRow>& rows,
            std::vector<std::int64_t> ScoreRow::* target) const {
    std::map<std::int64_t, std::vector<std::int64_t>> askers;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] >= 0) askers[wanted[i]].push_back(static_cast<std::int64_t>(i));
    for (const auto& [wanted_class, samples] : askers) {
      const auto& members = members_[static_cast<std::size_t>(wanted_class)];
      const auto gallery = embeddings_.index_select(0, int_tensor(members));
      const auto queries = embeddings_.index_select(0, int_tensor(samples));
      NeighbourOptions blocks;
      blocks.exclude_self = false;
      for_similarity_blocks(queries, gallery, blocks, [&](std::int64_t first, const torch::Tensor& block) {
        const auto k =
            std::min<std::int64_t>(count_ + 1, block.size(1));  // one more: the sample itself may be there
        const auto nearest = top_k_by_index(block, k).indices.contiguous();
        for (std::int64_t q = 0; q < block.size(0); ++q) {
          const auto self = samples[static_cast<std::size_t>(first + q)];
          auto& list = rows[static_cast<std::size_t>(self)].*target;
          for (std::int64_t j = 0; j < k && static_cast<std::int64_t>(list.size()) < count_; ++j) {
            const auto other = members[static_cast<std::size_t>(nearest.data_ptr<std::int64_t>()[q * k + j])];
            if (other != self) list.push_back(data_.train[static_cast<std::size_t>(other)].id);
          }
        }
      });
    }
  }

 private:
  const torch::Tensor& embeddings_;
  const TrainData& data_;
  std::int64_t count_;
  std::vector<std::vector<std::int64_t>> members_;
};

void fill_duplicates(const ScoringInput& input, const ScoringOptions& options, std::vector<ScoreRow>& rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  if (count < 2) return;
  const auto k = std::min(options.neighbours, count - 1);
  const auto nearest = nearest_neighbours(input.embeddings, input.embeddings, {.k = k});
  const auto indices = nearest.indices.contiguous();
  const auto similarities = nearest.similarities.to(torch::kFloat32).contiguous();
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < k; ++j) {
      if (similarities.data_ptr<float>()[i * k + j] < options.duplicate_similarity) break;
      const auto other = static_cast<std::size_t>(indices.data_ptr<std::int64_t>()[i * k + j]);
      if (rows[other].label != rows[static_cast<std::size_t>(i)].label)
        rows[static_cast<std::size_t>(i)].duplicates.push_back(rows[other].sample_id);
    }
  }
}

}  // namespace

double fit_softmax_scale(const torch::Tensor& cosines, std::span<const std::int64_t> labels) {
  // The likelihood is concave in the scale: bisect its slope.
  const auto own = int_tensor(labels);
  double low = 0;
  double high = 200;
  if (slope(cosines, own, low) <= 0) return 0;
  if (slope(cosines, own, high) >= 0) return high;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (slope(cosines, own, middle) > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<ScoreRow> score_samples(const ScoringInput& input, const ScoringOptions& options) {
  const torch::NoGradGuard no_gradients;
  const auto& data = input.data;
  const double scale = fit_softmax_scale(input.class_cosines, data.train_class);
  const auto classes = static_cast<std::int64_t>(data.classes.size());
  const auto kept = std::min(options.rivals + 1, classes);  // the given class may be among the best
  std::vector<ScoreRow> rows(data.train.size());
  std::vector<std::int64_t> suggested(rows.size(), -1);
  for (std::int64_t first = 0; first < static_cast<std::int64_t>(rows.size()); first += kBlock) {
    const auto block = input.class_cosines.slice(0, first, first + kBlock).to(torch::kFloat64);
    const auto logs = torch::log_softmax(scale * block, 1).contiguous();
    const auto best = top_k_by_index(logs, kept).indices.contiguous();
    for (std::int64_t r = 0; r < logs.size(0); ++r) {
      const auto i = static_cast<std::size_t>(first + r);
      const auto& sample = data.train[i];
      const auto own = data.train_class[i];
      const double* log_p = logs.data_ptr<double>() + r * classes;
      auto& row = rows[i];
      row.sample_id = sample.id;
      row.path = sample.path;
      row.label = sample.label;
      row.true_label = sample.true_label;
      const bool seen = !std::isnan(input.proxy_loss[i]);
      row.proxy_loss = seen ? input.proxy_loss[i] : static_cast<float>(-log_p[own]);
      row.confidence = seen ? input.sigma[i] : 1.0F;
      row.p_given = static_cast<float>(std::exp(log_p[own]));
      row.p_mislabelled = static_cast<float>(-std::expm1(log_p[own]));
      for (std::int64_t k = 0; k < kept; ++k) {
        const auto rival = best.data_ptr<std::int64_t>()[r * kept + k];
        if (rival == own || static_cast<std::int64_t>(row.rivals.size()) == options.rivals) continue;
        row.rivals.push_back(
            {data.classes[static_cast<std::size_t>(rival)], static_cast<float>(std::exp(log_p[rival]))});
        if (row.rivals.size() == 1) {
          row.margin = static_cast<float>(log_p[rival] - log_p[own]);
          row.suspicion = row.margin;
          row.suggested = row.rivals.front().label;
          suggested[i] = rival;
        }
      }
    }
  }
  const ClassNeighbours neighbours(input.embeddings, data, options.neighbours);
  neighbours.fill(data.train_class, rows, &ScoreRow::near_given);
  neighbours.fill(suggested, rows, &ScoreRow::near_suggested);
  fill_duplicates(input, options, rows);
  return rows;
}

}  // namespace procsim
