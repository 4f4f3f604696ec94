#include "noise/target_model.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace procsim::noise {
namespace {

using Weighted = std::pair<std::int32_t, double>;

// The entry that a uniform draw falls on, weights being shares of their sum.
std::int32_t pick(std::span<const Weighted> weighted, double draw) {
  double sum = 0;
  for (const auto& entry : weighted) sum += entry.second;
  double left = draw * sum;
  for (const auto& [label, weight] : weighted) {
    if (left < weight) return label;
    left -= weight;
  }
  // Rounding can carry the draw past the end: the last entry with any weight.
  for (auto entry = weighted.rbegin(); entry != weighted.rend(); ++entry) {
    if (entry->second > 0) return entry->first;
  }
  return kUnlabelled;
}

class UniformModel final : public TargetModel {
 public:
  explicit UniformModel(std::span<const std::int32_t> classes) : classes_(classes.begin(), classes.end()) {}

  std::int32_t draw(std::int64_t, std::int32_t label, Draws draws) const override {
    if (classes_.size() < 2) return kUnlabelled;
    const auto own = static_cast<std::size_t>(std::lower_bound(classes_.begin(), classes_.end(), label) -
                                              classes_.begin());
    auto index = static_cast<std::size_t>(draws.below(classes_.size() - 1));
    if (index >= own) ++index;
    return classes_[index];
  }
  bool has_target(std::int32_t) const override { return classes_.size() >= 2; }

 private:
  std::vector<std::int32_t> classes_;
};

class PairModel final : public TargetModel {
 public:
  explicit PairModel(std::map<std::int32_t, std::int32_t> map) : map_(std::move(map)) {}

  std::int32_t draw(std::int64_t, std::int32_t label, Draws) const override {
    const auto found = map_.find(label);
    return found == map_.end() ? kUnlabelled : found->second;
  }
  bool has_target(std::int32_t label) const override { return map_.contains(label); }

 private:
  std::map<std::int32_t, std::int32_t> map_;
};

class MatrixModel final : public TargetModel {
 public:
  explicit MatrixModel(const ClassMatrix& matrix) {
    for (const auto& [from, row] : matrix.rows) {
      auto& others = rows_[from];
      for (const auto& [to, probability] : row) {
        if (to != from && probability > 0) others.emplace_back(to, probability);
      }
    }
  }

  std::int32_t draw(std::int64_t, std::int32_t label, Draws draws) const override {
    const auto found = rows_.find(label);
    return found == rows_.end() ? kUnlabelled : pick(found->second, draws.uniform());
  }
  // A class that the matrix leaves alone is no surprise, so it is not reported.
  bool has_target(std::int32_t) const override { return true; }

 private:
  std::map<std::int32_t, std::vector<Weighted>> rows_;
};

class KnnModel final : public TargetModel {
 public:
  KnnModel(std::shared_ptr<const RivalTable> table, std::span<const std::int32_t> classes, std::int32_t count)
      : table_(std::move(table)),
        classes_(classes.begin(), classes.end()),
        count_(static_cast<std::size_t>(count)) {}

  std::int32_t draw(std::int64_t id, std::int32_t label, Draws draws) const override {
    std::vector<Weighted> able;
    for (const auto& rival : table_->of(id)) {
      if (count_ != 0 && able.size() == count_) break;
      if (rival.first != label && rival.second > 0 && classes_.contains(rival.first)) able.push_back(rival);
    }
    return pick(able, draws.uniform());
  }
  bool has_target(std::int32_t) const override { return classes_.size() >= 2; }

 private:
  std::shared_ptr<const RivalTable> table_;
  std::unordered_set<std::int32_t> classes_;
  std::size_t count_;
};

class ReplayModel final : public TargetModel {
 public:
  explicit ReplayModel(std::shared_ptr<const GivenLabels> labels) : labels_(std::move(labels)) {}

  std::int32_t draw(std::int64_t id, std::int32_t label, Draws) const override {
    const auto found = labels_->find(id);
    return found == labels_->end() || found->second == label ? kUnlabelled : found->second;
  }
  bool has_target(std::int32_t) const override { return true; }

 private:
  std::shared_ptr<const GivenLabels> labels_;
};

}  // namespace

double ClassMatrix::leaving_rate(std::int32_t label) const {
  const auto row = rows.find(label);
  if (row == rows.end()) return 0;
  double leaving = 0;
  for (const auto& [to, probability] : row->second) leaving += to == label ? 0 : probability;
  return std::min(1.0, leaving);
}

void RivalTable::add(std::int64_t id, std::span<const Weighted> rivals) {
  ranges_[id] = {rivals_.size(), rivals.size()};
  rivals_.insert(rivals_.end(), rivals.begin(), rivals.end());
}

std::span<const Weighted> RivalTable::of(std::int64_t id) const {
  const auto found = ranges_.find(id);
  if (found == ranges_.end()) return {};
  return std::span<const Weighted>(rivals_).subspan(found->second.first, found->second.second);
}

std::unique_ptr<TargetModel> make_uniform_model(std::span<const std::int32_t> classes) {
  return std::make_unique<UniformModel>(classes);
}

std::unique_ptr<TargetModel> make_next_class_model(std::span<const std::int32_t> classes) {
  std::map<std::int32_t, std::int32_t> next;
  if (classes.size() >= 2) {
    for (std::size_t i = 0; i < classes.size(); ++i) next[classes[i]] = classes[(i + 1) % classes.size()];
  }
  return std::make_unique<PairModel>(std::move(next));
}

std::unique_ptr<TargetModel> make_pair_model(std::map<std::int32_t, std::int32_t> map) {
  return std::make_unique<PairModel>(std::move(map));
}

std::unique_ptr<TargetModel> make_matrix_model(const ClassMatrix& matrix) {
  return std::make_unique<MatrixModel>(matrix);
}

std::unique_ptr<TargetModel> make_knn_model(std::shared_ptr<const RivalTable> table,
                                            std::span<const std::int32_t> classes, std::int32_t count) {
  return std::make_unique<KnnModel>(std::move(table), classes, count);
}

std::unique_ptr<TargetModel> make_replay_model(std::shared_ptr<const GivenLabels> labels) {
  return std::make_unique<ReplayModel>(std::move(labels));
}

}  // namespace procsim::noise
