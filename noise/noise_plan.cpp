#include "noise/noise_plan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "noise/apportion.hpp"
#include "noise/tree_models.hpp"
#include "taxonomy/tree/class_tree.hpp"

namespace procsim::noise {
namespace {

// On disk, in effect: another purpose is another file for the same seed.
KeyedRandom keyed(const NoiseSpec& spec, std::string_view purpose) {
  return {spec.seed, fmt::format("noise/{}/{}", purpose, spec.generation)};
}

Rank cutoff_at(double share) {
  return {static_cast<std::uint64_t>(std::ceil(std::min(1.0, share) * static_cast<double>(kRankRange))),
          kBeforeAll.id};
}

}  // namespace

std::int64_t ClassCensus::labelled() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<std::int32_t> ClassCensus::classes() const {
  std::vector<std::int32_t> present;
  for (std::size_t label = 0; label < counts.size(); ++label) {
    if (counts[label] > 0) present.push_back(static_cast<std::int32_t>(label));
  }
  return present;
}

NoisePlan::NoisePlan(NoiseSpec spec, ClassCensus census, NoiseSources sources)
    : spec_(std::move(spec)),
      census_(std::move(census)),
      sources_(std::move(sources)),
      flips_(keyed(spec_, "flip")) {
  spec_.validate();
  const auto classes = census_.classes();
  if (classes.empty()) throw Error(fmt::format("no row of split '{}' has a label", spec_.split));

  std::shared_ptr<const taxonomy::ClassTree> tree;
  if (spec_.needs_taxonomy()) {
    if (!sources_.taxonomy) throw Error(fmt::format("{} needs a taxonomy", spec_.summary()));
    tree = std::make_shared<const taxonomy::ClassTree>(taxonomy::prune(*sources_.taxonomy, classes));
  }
  for (const auto& component : spec_.components) add_component(component.kind, tree);

  const auto count = census_.counts.size();
  present_.assign(count, 0);
  eligible_.assign(count, 0);
  guard_.assign(count, kAfterAll);
  for (const auto label : classes) present_[static_cast<std::size_t>(label)] = 1;
  for (const auto label : classes) {
    if (!spec_.classes.empty() &&
        std::find(spec_.classes.begin(), spec_.classes.end(), label) == spec_.classes.end()) {
      continue;
    }
    const bool able = std::any_of(components_.begin(), components_.end(), [&](const auto& each) {
      return !each.model || each.model->has_target(label);
    });
    eligible_[static_cast<std::size_t>(label)] = able ? 1 : 0;
    if (!able && !components_.empty()) without_target_.push_back(label);
  }

  cutoffs_.assign(count * components_.size(), kBeforeAll);
  for (const auto label : classes) {
    double share = 0;
    const auto rates = rates_of(label);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      share += rates[i];
      cutoffs_[static_cast<std::size_t>(label) * rates.size() + i] = cutoff_at(share);
    }
  }
  by_class_ = spec_.stratify || !spec_.class_rates.empty() || spec_.has(NoiseKind::kMatrix);
}

void NoisePlan::add_component(NoiseKind kind, const std::shared_ptr<const taxonomy::ClassTree>& tree) {
  const auto classes = census_.classes();
  const auto need = [&](const auto& source, std::string_view what) {
    if (!source) throw Error(fmt::format("{} noise needs {}", to_string(kind), what));
  };
  std::unique_ptr<TargetModel> model;
  switch (kind) {
    case NoiseKind::kUniform:
      model = make_uniform_model(classes);
      break;
    case NoiseKind::kSemantic:
      model = make_semantic_model(tree, spec_.internal);
      break;
    case NoiseKind::kSuperclass:
      model = make_superclass_model(tree, spec_.level);
      break;
    case NoiseKind::kDistance:
      model = make_distance_model(tree, spec_.temperature);
      break;
    case NoiseKind::kPair:
      model = spec_.pair_map.empty() ? make_next_class_model(classes) : make_pair_model(spec_.pair_map);
      break;
    case NoiseKind::kMatrix:
      need(sources_.matrix, "a class matrix");
      model = make_matrix_model(*sources_.matrix);
      break;
    case NoiseKind::kKnn:
      need(sources_.rivals, "a scores file");
      model = make_knn_model(sources_.rivals, classes, spec_.rivals);
      break;
    case NoiseKind::kReplay:
      need(sources_.replay, "labels to replay");
      model = make_replay_model(sources_.replay);
      break;
    case NoiseKind::kOpenSet:
      need(sources_.foreign, "foreign images");
      break;
  }
  components_.push_back({kind, std::move(model), keyed(spec_, fmt::format("target/{}", to_string(kind)))});
}

std::vector<double> NoisePlan::rates_of(std::int32_t label) const {
  std::vector<double> rates;
  for (const auto& component : spec_.components) {
    rates.push_back(component.kind == NoiseKind::kMatrix ? sources_.matrix->leaving_rate(label)
                                                         : component.rate);
  }
  const auto own = spec_.class_rates.find(label);
  if (own == spec_.class_rates.end()) return rates;
  if (rates.size() == 1) return {own->second};
  for (auto& rate : rates) rate *= own->second / spec_.rate();
  return rates;
}

Fate NoisePlan::fate(std::int64_t id, std::int32_t label) const {
  const Fate kept{Fate::What::kKept, 0, label};
  if (!eligible(label) || components_.empty()) return kept;
  const auto own = static_cast<std::size_t>(label);
  const auto* cutoffs = &cutoffs_[own * components_.size()];
  const auto place = rank(id);
  std::uint8_t chosen = 0;
  while (chosen < components_.size() && place >= cutoffs[chosen]) ++chosen;
  if (chosen == components_.size()) return kept;

  const auto& component = components_[chosen];
  Fate fate{Fate::What::kForeign, chosen, label};
  if (component.model) {
    const auto target = component.model->draw(id, label, component.random.for_id(id));
    if (target == kUnlabelled) return {Fate::What::kNoTarget, chosen, label};
    if (target == kRemovedLabel) return {Fate::What::kChanged, chosen, kUnlabelled};
    if (spec_.guards && !present_[static_cast<std::size_t>(target)])
      return {Fate::What::kPhantom, chosen, label};
    fate = {Fate::What::kChanged, chosen, target};
  }
  if (place >= guard_[own]) return {Fate::What::kGuarded, chosen, label};
  return fate;
}

std::vector<OrderStatistics::Group> NoisePlan::exact_groups() const {
  // Classes first: each gets its quota rounded by largest remainders. Then the components of each class,
  // carrying what rounding took from a component over to the next class, so that their totals come out right
  // as well.
  std::vector<std::int32_t> labels;
  std::vector<double> quotas;
  for (const auto label : census_.classes()) {
    if (!eligible(label)) continue;
    const auto rates = rates_of(label);
    labels.push_back(label);
    quotas.push_back(std::accumulate(rates.begin(), rates.end(), 0.0) *
                     static_cast<double>(census_.counts[static_cast<std::size_t>(label)]));
  }
  std::vector<OrderStatistics::Group> groups(by_class_ ? census_.counts.size() : 1);
  if (components_.empty() || labels.empty()) return groups;
  if (!by_class_) {
    for (const auto label : labels) groups[0].size += census_.counts[static_cast<std::size_t>(label)];
    labels = {labels.front()};
    quotas = {std::accumulate(quotas.begin(), quotas.end(), 0.0)};
  }
  const auto counts = largest_remainder(quotas);
  std::vector<double> carried(components_.size(), 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    auto& group = groups[group_of(labels[i])];
    if (by_class_) group.size = census_.counts[static_cast<std::size_t>(labels[i])];
    const auto rates = rates_of(labels[i]);
    const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
    std::vector<double> shares(rates.size(), 0.0);
    double negative = 0;
    for (std::size_t c = 0; c < rates.size(); ++c) {
      shares[c] = (sum > 0 ? static_cast<double>(counts[i]) * rates[c] / sum : 0.0) + carried[c];
      negative += std::min(0.0, shares[c]);
    }
    std::vector<double> positive(shares);
    for (auto& share : positive) share = std::max(0.0, share);
    // A component that is ahead takes nothing here; the others give way so that the class keeps its count.
    const double scale =
        negative < 0 ? static_cast<double>(counts[i]) / (static_cast<double>(counts[i]) - negative) : 1;
    for (auto& share : positive) share *= scale;
    const auto parts = largest_remainder(positive, counts[i]);
    std::int64_t below = 0;
    for (std::size_t c = 0; c < parts.size(); ++c) {
      carried[c] = shares[c] - static_cast<double>(parts[c]);
      below += parts[c];
      group.counts.push_back(below);
    }
  }
  return groups;
}

OrderStatistics NoisePlan::order_statistics() const { return OrderStatistics(exact_groups()); }

void NoisePlan::set_cutoffs(const OrderStatistics& statistics) {
  for (const auto label : census_.classes()) {
    if (!eligible(label)) continue;
    const auto cutoffs = statistics.cutoffs(group_of(label));
    std::copy(
        cutoffs.begin(), cutoffs.end(),
        cutoffs_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(label) * components_.size()));
  }
}

void NoisePlan::set_guard(const CountGuard::Outcome& outcome) {
  for (const auto& [label, cutoff] : outcome.cutoffs) guard_[static_cast<std::size_t>(label)] = cutoff;
}

void NoisePlan::assign_images(std::vector<Rank> samples) {
  const auto& images = sources_.foreign->images;
  if (samples.size() > images.size()) {
    throw Error(
        fmt::format("open-set noise wants {} foreign images but '{}' has {}; lower the rate or give a larger "
                    "data set",
                    samples.size(), sources_.foreign->dataset, images.size()));
  }
  std::sort(samples.begin(), samples.end());
  foreign_samples_ = std::move(samples);
  const auto random = keyed(spec_, "foreign");
  std::vector<Rank> order;
  for (const auto& image : images) order.push_back({random.for_id(image.id).next_bits() >> 11, image.id});
  foreign_order_.resize(images.size());
  std::iota(foreign_order_.begin(), foreign_order_.end(), std::size_t{0});
  std::sort(foreign_order_.begin(), foreign_order_.end(),
            [&](std::size_t a, std::size_t b) { return order[a] < order[b]; });
}

const std::string& NoisePlan::foreign_path(std::int64_t id) const {
  const auto found = std::lower_bound(foreign_samples_.begin(), foreign_samples_.end(), rank(id));
  assert(found != foreign_samples_.end() && found->id == id);
  const auto place = static_cast<std::size_t>(found - foreign_samples_.begin());
  return sources_.foreign->images[foreign_order_[place]].path;
}

}  // namespace procsim::noise
