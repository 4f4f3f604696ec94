#include "curate/report/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

// Six digits say all that a float knows, and keep the page small.
double rounded(double value) {
  if (!std::isfinite(value) || value == 0) return std::isfinite(value) ? value : 0;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

std::string percent(double share) {
  if (share >= 0.9995) return "over 99.9 %";
  if (share > 0 && share < 0.001) return "under 0.1 %";
  return fmt::format("{:.{}f} %", 100 * share, share < 0.1 || share > 0.99 ? 1 : 0);
}

Json neighbours(const ScoreTable& table, const std::vector<std::int64_t>& ids) {
  Json list = Json::array();
  for (const auto id : ids) {
    const auto index = table.find(id);
    list.push_back({{"id", id}, {"label", index ? table.labels()[*index] : kUnlabelled}});
  }
  return list;
}

Json tree_json(const ClassFamilies& families, std::size_t classes) {
  Json nodes = Json::array();
  if (!families.known()) return nodes;
  std::vector<std::int32_t> label_of(families.tree().nodes.size(), kUnlabelled);
  for (std::size_t label = 0; label < classes; ++label)
    if (const auto leaf = families.leaf(static_cast<std::int32_t>(label)); leaf != taxonomy::ClassTree::kNone)
      label_of[static_cast<std::size_t>(leaf)] = static_cast<std::int32_t>(label);
  for (std::size_t i = 0; i < label_of.size(); ++i) {
    const auto node = static_cast<std::int32_t>(i);
    nodes.push_back({{"name", families.name(node)},
                     {"id", families.id(node)},
                     {"parent", families.parent(node)},
                     {"label", label_of[i]}});
  }
  return nodes;
}

}  // namespace

std::vector<std::string> reasons(const ScoreTable& table, const ClassFamilies& families,
                                 const ScoreRow& row) {
  std::vector<std::string> why;
  const auto& given = table.class_name(row.label);
  const auto& suggested = table.class_name(row.suggested);
  for (const auto id : row.duplicates) {
    const auto other = table.find(id);
    if (other)
      why.push_back(fmt::format("Nearly the same image as sample {}, which is labelled {}.", id,
                                table.class_name(table.labels()[*other])));
    else
      why.push_back(fmt::format("Nearly the same image as sample {}, which carries another label.", id));
  }
  const auto rival = std::ranges::find(row.rivals, row.suggested, &RivalClass::label);
  if (row.suggested >= 0 && rival != row.rivals.end())
    why.push_back(fmt::format("The model sees {} with {}, {} with {}.", suggested,
                              percent(rival->probability), given, percent(row.p_given)));
  if (row.suggested >= 0 && row.margin > 0 && std::isfinite(row.margin)) {
    const double times = std::exp(std::min(row.margin, 10.F));
    const auto how_many = times >= 1000 ? "over 1,000" : fmt::format("{:.{}f}", times, times < 10 ? 1 : 0);
    why.push_back(fmt::format("Margin {:.2f}: {} is {} times as likely as {}.", row.margin, suggested,
                              how_many, given));
  }
  const auto relation = families.relation(row.label, row.suggested);
  switch (relation.kinship) {
    case Kinship::kSiblings:
      why.push_back(
          fmt::format("Siblings in the taxonomy, both {}: easily confused.", families.name(relation.common)));
      break;
    case Kinship::kRelatives:
      why.push_back(fmt::format("Relatives in the taxonomy, both {} ({} steps apart).",
                                families.name(relation.common), relation.distance));
      break;
    case Kinship::kStrangers:
      why.push_back(
          fmt::format("Far apart in the taxonomy ({} steps, only {} in common): a gross error if it is one.",
                      relation.distance, families.name(relation.common)));
      break;
    case Kinship::kUnknown:
    case Kinship::kSame:
      break;
  }
  if (remembers_training(table.info()) && row.confidence < 0.5F)
    why.push_back(fmt::format("Training trusted it little: confidence {:.2f}, proxy loss {:.2f}.",
                              row.confidence, row.proxy_loss));
  return why;
}

Json make_card(const ScoreTable& table, const ClassFamilies& families, std::uint32_t index) {
  const auto row = table.row(index);
  const auto relation = families.relation(row.label, row.suggested);
  Json rivals = Json::array();
  for (const auto& rival : row.rivals) rivals.push_back({rival.label, rounded(rival.probability)});
  Json card{{"id", row.sample_id},
            {"path", row.path},
            {"given", row.label},
            {"suggested", row.suggested},
            {"p", rounded(row.p_mislabelled)},
            {"suspicion", rounded(row.suspicion)},
            {"p_given", rounded(row.p_given)},
            {"margin", rounded(row.margin)},
            {"proxy_loss", rounded(row.proxy_loss)},
            {"confidence", rounded(row.confidence)},
            {"rivals", std::move(rivals)},
            {"near_given", neighbours(table, row.near_given)},
            {"near_suggested", neighbours(table, row.near_suggested)},
            {"duplicates", neighbours(table, row.duplicates)},
            {"kinship", to_string(relation.kinship)}};
  if (relation.kinship != Kinship::kUnknown) {
    card["distance"] = relation.distance;
    card["common"] = relation.common;
  }
  card["why"] = reasons(table, families, row);
  return card;
}

Json to_json(const Summary& summary, const ScoreTable& table, const ClassFamilies& families) {
  constexpr std::size_t kListed = 100;  // a person reads ten; filters want some more
  const auto n = static_cast<double>(summary.samples);
  const auto& noise = summary.noise;
  Json result{{"samples", summary.samples},
              {"suspects", summary.suspects},
              {"noise",
               {{"rate", rounded(noise.rate)},
                {"low", rounded(noise.low)},
                {"high", rounded(noise.high)},
                {"level", noise.method == "scores file" ? 90 : 95},  // docs/formats.md: the file's are 90 %
                {"count", std::llround(noise.rate * n)},
                {"count_low", std::llround(noise.low * n)},
                {"count_high", std::llround(noise.high * n)},
                {"method", noise.method},
                {"leaning", noise.leaning},
                {"audited", noise.audited}}}};
  auto& effort = result["effort"] = Json::array();
  for (const auto& point : summary.effort)
    effort.push_back({{"share", point.share}, {"review", point.review}});
  auto& curve = result["curve"] = Json::array();
  for (const double share : summary.curve) curve.push_back(std::round(share * 1e4) / 1e4);
  result["curve_end"] = summary.curve_end;
  Json kinship;
  for (const auto kind : {Kinship::kSiblings, Kinship::kRelatives, Kinship::kStrangers, Kinship::kUnknown})
    kinship[std::string(to_string(kind))] = summary.kinship[static_cast<std::size_t>(kind)];
  result["kinship"] = std::move(kinship);
  const auto put_interval = [](Json& entry, const ExpectedErrors& errors) {
    if (!errors.low || !errors.high) return;
    entry["low"] = rounded(*errors.low);
    entry["high"] = rounded(*errors.high);
  };
  auto& classes = result["classes"] = Json::array();
  for (const auto& count : std::span(summary.classes).first(std::min(kListed, summary.classes.size()))) {
    classes.push_back({{"label", count.label},
                       {"name", table.class_name(count.label)},
                       {"samples", count.samples},
                       {"wrong", rounded(count.wrong)},
                       {"suspects", count.suspects}});
    put_interval(classes.back(), count);
  }
  auto& pairs = result["pairs"] = Json::array();
  for (const auto& pair : std::span(summary.pairs).first(std::min(kListed, summary.pairs.size()))) {
    pairs.push_back({{"given", pair.given},
                     {"suggested", pair.suggested},
                     {"given_name", table.class_name(pair.given)},
                     {"suggested_name", table.class_name(pair.suggested)},
                     {"suspects", pair.suspects},
                     {"wrong", rounded(pair.wrong)},
                     {"kinship", to_string(pair.relation.kinship)}});
    put_interval(pairs.back(), pair);
  }
  auto& listed = result["families"] = Json::array();
  for (const auto& family : std::span(summary.families).first(std::min(kListed, summary.families.size())))
    listed.push_back({{"node", family.node},
                      {"name", families.name(family.node)},
                      {"classes", family.classes},
                      {"samples", family.samples},
                      {"wrong", rounded(family.wrong)},
                      {"within", rounded(family.within)}});
  return result;
}

Json make_report(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                 const ClassFamilies& families, const Summary& summary, const ReportSource& source,
                 std::size_t top) {
  Json report{{"format", kReportFormat},
              {"dataset", table.info().dataset},
              {"labels", source.labels},
              {"label_set", source.label_set},
              {"scores", source.scores}};
  auto& classes = report["classes"] = Json::array();
  for (const auto& item : table.info().classes) classes.push_back(item.name);
  report["tree"] = tree_json(families, table.info().classes.size());
  report["summary"] = to_json(summary, table, families);
  auto& cards = report["cards"] = Json::array();
  for (const auto index : ranking.first(std::min(top, ranking.size())))
    cards.push_back(make_card(table, families, index));
  return report;
}

}  // namespace procsim::curate
