#include "curate/report/report.hpp"

#include <algorithm>

#include "curate/report/six_digits.hpp"

namespace procsim::curate {

namespace {

std::vector<Report::Node> nodes_of(const ClassFamilies& families, std::size_t classes) {
  std::vector<Report::Node> nodes;
  if (!families.known()) return nodes;
  for (std::size_t i = 0; i < families.tree().nodes.size(); ++i) {
    const auto node = static_cast<std::int32_t>(i);
    nodes.push_back({families.name(node), families.id(node), families.parent(node)});
  }
  for (std::int32_t label = 0; static_cast<std::size_t>(label) < classes; ++label)
    if (const auto leaf = families.leaf(label); leaf != taxonomy::ClassTree::kNone)
      nodes[static_cast<std::size_t>(leaf)].label = label;
  return nodes;
}

// The first of the ranking, and behind them what else looks like none of the classes, most of all first.
std::vector<std::uint32_t> with_nones(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                                      std::size_t top) {
  constexpr std::size_t kMost = 200;
  const auto first = ranking.first(std::min(top, ranking.size()));
  std::vector<std::uint32_t> rows(first.begin(), first.end()), nones;
  if (!table.p_none().empty())
    for (const auto row : ranking.subspan(first.size()))
      if (table.p_none()[row] >= 0.5F) nones.push_back(row);
  std::ranges::stable_sort(nones, std::ranges::greater{}, [&](auto row) { return table.p_none()[row]; });
  nones.resize(std::min(nones.size(), kMost));
  rows.insert(rows.end(), nones.begin(), nones.end());
  return rows;
}

}  // namespace

std::string_view Report::class_name(std::int32_t label) const {
  return label < 0 ? std::string_view() : classes[static_cast<std::size_t>(label)];
}

Report make_report(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                   const ClassFamilies& families, const Summary& summary, const ReportSource& source,
                   std::size_t top, const Findings* findings) {
  Report report;
  report.dataset = table.info().dataset;
  report.source = source;
  for (const auto& item : table.info().classes) report.classes.push_back(item.name);
  report.tree = nodes_of(families, report.classes.size());
  report.summary = summary;
  const auto shown = with_nones(table, ranking, top);
  const std::span first(shown);
  for (const auto index : first) {
    report.cards.push_back(make_card(table, families, index));
    if (findings != nullptr) report.cards.back().scores->p = six_digits(findings->probability[index]);
  }
  report.map =
      findings != nullptr ? make_sample_map(table, first, findings->wrong) : make_sample_map(table, first);
  report.doubtful_places = find_doubtful_places(table, families);
  return report;
}

}  // namespace procsim::curate
