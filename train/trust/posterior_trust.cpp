#include "train/trust/posterior_trust.hpp"

#include <algorithm>
#include <cmath>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "train/frame/component.hpp"

namespace procsim::train {
namespace {

constexpr const char* kPrefix = "posterior";
constexpr const char* kFate = "What became of doubted samples";
constexpr double kHalf = 0.5;          // a partner at or below it takes no part (LossBatch)
constexpr double kLeastRight = 0.5;    // of the labels, on average
constexpr double kMostLogFactor = 40;  // beyond it beliefs of kLeastBelief are beliefs of one
constexpr int kHalvings = 60;          // of the interval that the factor is sought in
constexpr double kLeastBelief = 1e-7;  // beliefs enter the logarithm no smaller than this

template <typename Value, typename Read>
torch::Tensor column_of(const std::vector<LabelPosterior>& beliefs, torch::Dtype type, const Read& read) {
  std::vector<Value> values;
  values.reserve(beliefs.size());
  for (const auto& one : beliefs) values.push_back(read(one));
  return torch::tensor(values, type);
}

// What is believed when labels are right by so many times higher odds than was assumed.
LabelPosterior at_odds(const LabelPosterior& one, double factor) {
  const double all = factor * one.given + 1 - one.given;
  return {factor * one.given / all, one.other, one.other_belief / all};
}

}  // namespace

void PosteriorOptions::validate() const {
  if (rounds < 1 || rounds > 20) throw UsageError("--posterior-rounds must be in [1, 20]");
  if (!(memory >= 0 && memory < 1)) throw UsageError("--posterior-memory must be in [0, 1)");
}

CrossFitOptions judges_of_epoch(std::uint64_t seed, std::int64_t epoch) {
  CrossFitOptions options;
  options.seed = KeyedRandom(seed, "train/posterior").for_id(epoch).next_bits();
  options.threads = torch::get_num_threads();
  return options;
}

double least_odds_factor(const std::vector<LabelPosterior>& beliefs) {
  const auto believed = [&](double factor) {
    double sum = 0;
    for (const auto& one : beliefs) sum += at_odds(one, factor).given;
    return sum;
  };
  const double wanted = kLeastRight * static_cast<double>(beliefs.size());
  if (believed(1) >= wanted) return 1;
  double low = 0, high = kMostLogFactor;
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double middle = (low + high) / 2;
    (believed(std::exp(middle)) < wanted ? low : high) = middle;
  }
  return std::exp(high);
}

std::vector<Quantity> PosteriorTrust::quantities() const {
  using Meaning = Quantity::Meaning;
  return {{.name = "label_loss",
           .title = "−ln of the belief in the label",
           .meaning = Meaning::kSuspicion,
           .plot = "Losses"},
          {.name = "trust", .title = "trust", .meaning = Meaning::kTrust, .symbol = "trust", .plot = "Trust"},
          {.name = "believed",
           .title = "labels believed",
           .meaning = Meaning::kKept,
           .symbol = "believed",
           .plot = "Trust"},
          {.name = "relabelled", .title = "counted as another class", .plot = kFate},
          {.name = "left_out", .title = "left out of the pairs", .plot = kFate}};
}

void PosteriorTrust::begin_epoch(const TrainingSet& set) {
  labels_.assign(set.labels.begin(), set.labels.end());
  remember(label_posteriors(set.embeddings(), set.ids, set.labels, *set.distances,
                            judges_of_epoch(seed_, set.epoch), static_cast<int>(options_.rounds)));
}

void PosteriorTrust::remember(const std::vector<LabelPosterior>& now) {
  if (beliefs_.size() != now.size()) {
    beliefs_ = now;
    adjust();
    return;
  }
  const double stays = options_.memory;
  for (std::size_t i = 0; i < now.size(); ++i) {
    auto& before = beliefs_[i];
    before.given = stays * before.given + (1 - stays) * now[i].given;
    const double old_belief = stays * before.other_belief;
    const double new_belief = (1 - stays) * now[i].other_belief;
    if (before.other == now[i].other) {
      before.other_belief = old_belief + new_belief;
    } else if (new_belief > old_belief) {
      before.other = now[i].other;
      before.other_belief = new_belief;
    } else {
      before.other_belief = old_belief;
    }
  }
  adjust();
}

void PosteriorTrust::adjust() {
  adjusted_ = beliefs_;
  const double factor = least_odds_factor(beliefs_);
  if (factor > 1)
    for (auto& one : adjusted_) one = at_odds(one, factor);
}

bool PosteriorTrust::is_relabelled(std::size_t sample) const {
  const auto& one = adjusted_[sample];
  return options_.relabel && one.other >= 0 && one.other_belief > one.given;
}

double PosteriorTrust::belief(std::size_t sample) const {
  return is_relabelled(sample) ? adjusted_[sample].other_belief : adjusted_[sample].given;
}

Columns PosteriorTrust::set_columns() const {
  std::vector<double> loss, trust, believed, relabelled, left_out;
  for (std::size_t i = 0; i < adjusted_.size(); ++i) {
    loss.push_back(-std::log(std::max(adjusted_[i].given, kLeastBelief)));
    trust.push_back(is_relabelled(i) ? 0 : belief(i));  // in the label
    believed.push_back(adjusted_[i].given > kHalf ? 1 : 0);
    left_out.push_back(belief(i) <= kHalf ? 1 : 0);
    relabelled.push_back(is_relabelled(i) && left_out.back() == 0 ? 1 : 0);
  }
  return {{"label_loss", std::move(loss)},
          {"trust", std::move(trust)},
          {"believed", std::move(believed)},
          {"relabelled", std::move(relabelled)},
          {"left_out", std::move(left_out)}};
}

Trust PosteriorTrust::operator()(const Batch& batch, const torch::Tensor&) {
  Trust trust;
  for (const auto sample : batch.samples) {
    const auto i = static_cast<std::size_t>(sample);
    trust.weight.push_back(belief(i));
    trust.labels.push_back(is_relabelled(i) ? adjusted_[i].other : labels_[i]);
  }
  return trust;
}

void PosteriorTrust::save(const CheckpointPart& part) const {
  if (beliefs_.empty()) return;
  part.put("labels", torch::tensor(labels_, torch::kInt64));
  part.put("given", column_of<double>(beliefs_, torch::kFloat64, [](const auto& one) { return one.given; }));
  part.put("other",
           column_of<std::int64_t>(beliefs_, torch::kInt64, [](const auto& one) { return one.other; }));
  part.put("other_belief",
           column_of<double>(beliefs_, torch::kFloat64, [](const auto& one) { return one.other_belief; }));
}

void PosteriorTrust::restore(const CheckpointPart& part) {
  beliefs_.clear();
  labels_.clear();
  adjusted_.clear();
  if (!part.holds("given")) return;
  const auto& labels = part.tensor("labels");
  labels_.assign(labels.data_ptr<std::int64_t>(), labels.data_ptr<std::int64_t>() + labels.numel());
  const auto* given = part.tensor("given").data_ptr<double>();
  const auto* other = part.tensor("other").data_ptr<std::int64_t>();
  const auto* other_belief = part.tensor("other_belief").data_ptr<double>();
  for (std::size_t i = 0; i < labels_.size(); ++i) beliefs_.push_back({given[i], other[i], other_belief[i]});
  adjust();
}

TrustComponent posterior_trust() {
  TrustComponent component;
  component.name = "posterior";
  component.description = "the probability that the label is right, by judges that have not seen it";
  component.source = "ours";
  component.options = option_infos<PosteriorOptions>(kPrefix);
  component.check = [](const TrainConfig& config) {
    read_options<PosteriorOptions>(config, kPrefix).validate();
    if (config.warmup > 0)
      throw UsageError(
          "--warmup does not go with --confidence posterior, which learns from half of the labels while the "
          "features say little. Leave it out.");
  };
  component.make = [](MethodParts& parts) {
    return std::make_unique<PosteriorTrust>(read_options<PosteriorOptions>(parts.config, kPrefix),
                                            parts.config.seed);
  };
  return component;
}

}  // namespace procsim::train
