#include "curate/evidence/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

std::vector<std::size_t> usual_ranks(std::size_t samples, std::size_t errors) {
  std::vector<std::size_t> ranks;
  for (std::size_t decade = 10; decade <= samples; decade *= 10)
    for (const std::size_t factor : {1, 2, 5})
      if (decade * factor <= samples) ranks.push_back(decade * factor);
  if (errors > 0) ranks.push_back(errors);
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

// The judged rows in ranked order.
struct Judged {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint8_t> wrong;
  std::vector<double> suspicion, probability;
};

Judged judge(const ScoreTable& table, const Truth& truth, std::span<const double> probabilities) {
  Judged judged;
  for (const auto row : table.ranking()) {
    const bool known = truth.mask.empty() ? truth.labels[row] != kUnlabelled : truth.mask[row] >= 0;
    if (!known || table.labels()[row] == kUnlabelled) continue;
    judged.rows.push_back(row);
    judged.wrong.push_back(truth.mask.empty() ? truth.labels[row] != table.labels()[row]
                                              : truth.mask[row] > 0);
    judged.suspicion.push_back(table.suspicion()[row]);
    judged.probability.push_back(probabilities.empty() ? table.p_mislabelled()[row] : probabilities[row]);
  }
  return judged;
}

std::vector<GroupQuality> by_group(const Judged& judged, std::size_t errors,
                                   const std::function<std::string(std::uint32_t)>& group_of) {
  std::map<std::string, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < judged.rows.size(); ++i)
    if (judged.wrong[i])
      if (const auto name = group_of(judged.rows[i]); !name.empty()) members[name].push_back(i);
  std::vector<GroupQuality> groups;
  for (const auto& [name, positions] : members) {
    std::vector<double> scores;
    std::vector<std::uint8_t> wrong;
    for (std::size_t i = 0; i < judged.rows.size(); ++i)
      if (!judged.wrong[i]) {
        scores.push_back(judged.suspicion[i]);
        wrong.push_back(0);
      }
    GroupQuality group;
    group.name = name;
    group.wrong = positions.size();
    std::size_t found = 0;
    for (const auto i : positions) {
      scores.push_back(judged.suspicion[i]);
      wrong.push_back(1);
      found += i < errors ? 1 : 0;
    }
    group.auroc = auroc(scores, wrong);
    group.average_precision = average_precision(scores, wrong);
    group.recall = static_cast<double>(found) / static_cast<double>(positions.size());
    groups.push_back(std::move(group));
  }
  return groups;
}

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json groups_json(const std::vector<GroupQuality>& groups) {
  Json list = Json::array();
  for (const auto& group : groups)
    list.push_back({{"name", group.name},
                    {"wrong", group.wrong},
                    {"auroc", optional_number(group.auroc)},
                    {"average_precision", optional_number(group.average_precision)},
                    {"recall_at_errors", group.recall}});
  return list;
}

// How well p_none finds the images that belong to no class.
void judge_none(const ScoreTable& table, const Truth& truth, const Judged& judged,
                DetectionQuality& quality) {
  if (!truth.mask.empty()) return;
  std::vector<double> scores;
  std::vector<std::uint8_t> none;
  for (const auto row : judged.rows) {
    const bool outlier = truth.labels[row] == kNoneOfThese;
    quality.none += outlier ? 1 : 0;
    if (table.p_none().empty() || !std::isfinite(table.p_none()[row])) continue;
    scores.push_back(table.p_none()[row]);
    none.push_back(outlier ? 1 : 0);
  }
  if (quality.none == 0 || scores.empty()) return;
  quality.none_auroc = auroc(scores, none);
  quality.none_average_precision = average_precision(scores, none);
}

}  // namespace

std::size_t Truth::known() const {
  if (!mask.empty())
    return static_cast<std::size_t>(std::ranges::count_if(mask, [](auto wrong) { return wrong >= 0; }));
  return static_cast<std::size_t>(
      std::ranges::count_if(labels, [](auto label) { return label != kUnlabelled; }));
}

Truth truth_in(const ScoreTable& table) {
  Truth truth;
  for (std::uint32_t row = 0; row < table.size(); ++row)
    truth.labels.push_back(table.true_label(row).value_or(kUnlabelled));
  return truth;
}

DetectionQuality evaluate(const ScoreTable& table, const Truth& truth, const ClassFamilies& families,
                          std::span<const double> probabilities) {
  const auto judged = judge(table, truth, probabilities);
  DetectionQuality quality;
  quality.samples = judged.rows.size();
  quality.wrong = static_cast<std::size_t>(std::ranges::count(judged.wrong, 1));
  quality.auroc = auroc(judged.suspicion, judged.wrong);
  quality.average_precision = average_precision(judged.suspicion, judged.wrong);
  quality.at = precision_recall_at(judged.wrong, usual_ranks(quality.samples, quality.wrong));
  for (const auto& at : quality.at)
    if (at.k == quality.wrong) quality.at_errors = at;
  std::size_t flagged = 0, hits = 0, suggested_right = 0;
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    const auto row = judged.rows[i];
    if (judged.probability[i] >= 0.5) {
      ++flagged;
      hits += judged.wrong[i];
    }
    if (judged.wrong[i] && table.suggested()[row] == truth.labels[row]) ++suggested_right;
  }
  if (flagged > 0) quality.precision = static_cast<double>(hits) / static_cast<double>(flagged);
  if (quality.wrong > 0) {
    quality.recall = static_cast<double>(hits) / static_cast<double>(quality.wrong);
    quality.missed_at_errors = 1 - quality.at_errors.recall;
    if (truth.mask.empty())
      quality.suggestion_accuracy = static_cast<double>(suggested_right) / static_cast<double>(quality.wrong);
  }
  if (quality.precision + quality.recall > 0)
    quality.f1 = 2 * quality.precision * quality.recall / (quality.precision + quality.recall);
  quality.reliability = reliability(judged.probability, judged.wrong, 10);
  quality.calibration_error = expected_calibration_error(quality.reliability);
  quality.brier = brier_score(judged.probability, judged.wrong);

  if (families.known() && truth.mask.empty()) {
    quality.by_kinship = by_group(judged, quality.wrong, [&](std::uint32_t row) {
      return std::string(to_string(families.relation(table.labels()[row], truth.labels[row]).kinship));
    });
    quality.by_distance = by_group(judged, quality.wrong, [&](std::uint32_t row) {
      const auto distance = families.relation(table.labels()[row], truth.labels[row]).distance;
      return distance < 0 ? std::string() : fmt::format("{:2}", distance);
    });
  }
  if (!truth.noise_types.empty())
    quality.by_noise_type =
        by_group(judged, quality.wrong, [&](std::uint32_t row) { return truth.noise_types[row]; });
  judge_none(table, truth, judged, quality);
  return quality;
}

Json to_json(const DetectionQuality& quality) {
  Json json{{"samples", quality.samples},
            {"wrong", quality.wrong},
            {"auroc", optional_number(quality.auroc)},
            {"average_precision", optional_number(quality.average_precision)},
            {"precision_at_errors", quality.at_errors.precision},
            {"missed_at_errors", quality.missed_at_errors},
            {"precision", quality.precision},
            {"recall", quality.recall},
            {"f1", quality.f1},
            {"suggestion_accuracy", optional_number(quality.suggestion_accuracy)},
            {"calibration_error", quality.calibration_error},
            {"brier", quality.brier}};
  auto& at = json["at"] = Json::array();
  for (const auto& point : quality.at)
    at.push_back({{"k", point.k}, {"precision", point.precision}, {"recall", point.recall}});
  auto& bins = json["reliability"] = Json::array();
  for (const auto& bin : quality.reliability)
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"count", bin.count},
                    {"predicted", bin.predicted},
                    {"observed", bin.observed}});
  json["by_kinship"] = groups_json(quality.by_kinship);
  json["by_distance"] = groups_json(quality.by_distance);
  json["by_noise_type"] = groups_json(quality.by_noise_type);
  if (quality.none > 0)
    json["none_of_these"] = {{"samples", quality.none},
                             {"auroc", optional_number(quality.none_auroc)},
                             {"average_precision", optional_number(quality.none_average_precision)}};
  return json;
}

RankingComparison compare_rankings(const Ranking& first, const Ranking& second,
                                   const std::unordered_map<std::int64_t, bool>& truth) {
  RankingComparison result;
  std::vector<std::int64_t> ids;
  for (const auto& [id, score] : first.scores)
    if (second.scores.contains(id)) ids.push_back(id);
  std::ranges::sort(ids);
  result.shared = ids.size();
  std::vector<double> a, b;
  for (const auto id : ids) {
    a.push_back(first.scores.at(id));
    b.push_back(second.scores.at(id));
  }
  result.spearman = spearman(a, b);

  const auto first_order = descending_order(a), second_order = descending_order(b);
  for (const auto k : usual_ranks(ids.size(), 0)) {
    std::vector<bool> in_first(ids.size(), false);
    for (std::size_t i = 0; i < k; ++i) in_first[first_order[i]] = true;
    std::size_t both = 0;
    for (std::size_t i = 0; i < k; ++i) both += in_first[second_order[i]] ? 1 : 0;
    result.overlap.push_back({k, static_cast<double>(both) / static_cast<double>(k)});
  }

  const auto find_wrong = [&](std::int64_t id) -> std::optional<bool> {
    for (const auto* known : {&truth, &first.wrong, &second.wrong})
      if (const auto found = known->find(id); found != known->end()) return found->second;
    return std::nullopt;
  };
  std::vector<double> known_a, known_b;
  std::vector<std::uint8_t> wrong;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto is_wrong = find_wrong(ids[i]);
    if (!is_wrong) continue;
    known_a.push_back(a[i]);
    known_b.push_back(b[i]);
    wrong.push_back(*is_wrong ? 1 : 0);
  }
  result.known = wrong.size();
  result.wrong = static_cast<std::size_t>(std::ranges::count(wrong, 1));
  if (result.known == 0) return result;
  result.auroc = compare_auroc(known_a, known_b, wrong);
  result.first_precision = average_precision(known_a, wrong);
  result.second_precision = average_precision(known_b, wrong);
  const auto ranked = [&](const std::vector<double>& scores) {
    std::vector<std::uint8_t> in_order;
    for (const auto i : descending_order(scores)) in_order.push_back(wrong[i]);
    return in_order;
  };
  const auto ranks = usual_ranks(result.known, result.wrong);
  const auto at_first = precision_recall_at(ranked(known_a), ranks),
             at_second = precision_recall_at(ranked(known_b), ranks);
  for (std::size_t i = 0; i < at_first.size(); ++i) result.at.emplace_back(at_first[i], at_second[i]);
  return result;
}

}  // namespace procsim::curate
