#include "curate/report/report_files.hpp"

#include <algorithm>

#include "embedded/page_html.hpp"
#include "embedded/script_cards.hpp"
#include "embedded/script_decisions.hpp"
#include "embedded/script_main.hpp"
#include "embedded/script_map.hpp"
#include "embedded/script_overview.hpp"
#include "embedded/script_page.hpp"
#include "embedded/script_picker.hpp"
#include "embedded/style_css.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/report/six_digits.hpp"
#include "data/base/base64.hpp"
#include "data/base/digest.hpp"
#include "data/base/markup.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

std::string script() {
  std::string text = "\n\"use strict\";\n";
  for (const auto part :
       {embedded::script_page(), embedded::script_decisions(), embedded::script_overview(),
        embedded::script_picker(), embedded::script_cards(), embedded::script_map(), embedded::script_main()})
    text += part;
  return text;
}

std::string style() {
  std::string text = "\n";
  text += embedded::style_css();
  return text;
}

// 'sha256-…' as a content security policy names an inline script or style.
std::string source_hash(std::string_view text) {
  const auto hex = sha256_hex(text);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return fmt::format("'sha256-{}'", base64(bytes));
}

std::string page(const Report& report, bool server) {
  std::string text(embedded::page_html());
  replace_mark(text, "{{policy}}", content_policy(server));
  replace_mark(text, "{{title}}", markup_text(fmt::format("Suspected mislabels: {}", report.dataset)));
  replace_mark(text, "{{style}}", style());
  replace_mark(text, "{{script}}", script());
  replace_mark(text, "{{document}}", script_json(to_json(report)));
  return text;
}

// A cell of a Markdown table: what would end it, or be read as HTML or a link, stays text.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\|<>[]*_`&#").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped;
}

}  // namespace

std::string content_policy(bool server) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data:{}; connect-src {}; base-uri 'none'; "
      "form-action "
      "'none'",
      source_hash(script()), source_hash(style()), server ? " 'self'" : "", server ? "'self'" : "'none'");
}

std::string report_html(const Report& report) { return page(report, false); }
std::string server_html(const Report& report) { return page(report, true); }

std::string report_json(const Report& report) {
  auto without_images = report;
  without_images.thumbnails.reset();
  return to_json(without_images).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Table suspects_table(const Report& report) {
  std::vector<std::int64_t> rank, sample, distance;
  std::vector<std::int32_t> given, suggested;
  std::vector<std::string> path, given_name, suggested_name, kinship, common, duplicates, why;
  std::vector<double> p, suspicion, p_given, margin, loss, confidence;
  for (const auto& card : report.cards) {
    const auto scores = card.scores.value_or(Card::Scores{});
    rank.push_back(static_cast<std::int64_t>(rank.size()) + 1);
    sample.push_back(card.id);
    path.push_back(card.path.value_or(""));
    given.push_back(card.given);
    given_name.emplace_back(report.class_name(card.given));
    suggested.push_back(card.suggested);
    suggested_name.emplace_back(report.class_name(card.suggested));
    p.push_back(scores.p);
    suspicion.push_back(scores.suspicion);
    p_given.push_back(scores.p_given);
    margin.push_back(scores.margin);
    loss.push_back(scores.proxy_loss);
    confidence.push_back(scores.confidence);
    kinship.emplace_back(to_string(card.relation.kinship));
    distance.push_back(card.relation.distance);
    common.push_back(card.relation.common == taxonomy::ClassTree::kNone
                         ? ""
                         : report.tree[static_cast<std::size_t>(card.relation.common)].name);
    std::vector<std::int64_t> ids;
    for (const auto& other : card.duplicates) ids.push_back(other.id);
    duplicates.push_back(fmt::format("{}", fmt::join(ids, " ")));
    why.push_back(card.reason());
  }
  Table table;
  table.columns = {{"rank", rank},
                   {"sample_id", sample},
                   {"path", path},
                   {"label", given},
                   {"label_name", given_name},
                   {"suggested", suggested},
                   {"suggested_name", suggested_name},
                   {"p_mislabelled", p},
                   {"suspicion", suspicion},
                   {"p_given", p_given},
                   {"margin", margin},
                   {"proxy_loss", loss},
                   {"confidence", confidence},
                   {"kinship", kinship},
                   {"taxonomy_distance", distance},
                   {"common_ancestor", common},
                   {"duplicates", duplicates},
                   {"why", why}};
  table.metadata = {
      {"dataset", report.dataset}, {"label_set", report.source.label_set}, {"scores", report.source.scores}};
  return table;
}

std::string table_csv(const Table& table) {
  std::string text;
  for (const auto& column : table.columns) {
    if (!text.empty()) text += ',';
    text += csv_field(column.name);
  }
  text += '\n';
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += ',';
      std::visit(
          [&](const auto& values) {
            using Values = std::decay_t<decltype(values)>;
            if constexpr (std::is_same_v<Values, TableColumn::FloatLists>) {
            } else if constexpr (std::is_same_v<Values, std::vector<std::string>>) {
              text += csv_field(values[static_cast<std::size_t>(row)]);
            } else {
              text += fmt::format("{}", values[static_cast<std::size_t>(row)]);
            }
          },
          table.columns[c].values);
    }
    text += '\n';
  }
  return text;
}

namespace {

// Empty where the tree does not say.
std::string kin_cell(const Relation& relation) {
  if (relation.kinship == Kinship::kUnknown) return {};
  return fmt::format("{}{}", relation.doubtful ? "perhaps " : "", to_string(relation.kinship));
}

}  // namespace

std::string report_markdown(const Report& report) {
  constexpr std::size_t kListed = 10, kSuspects = 50;
  const auto head = [](const auto& list, std::size_t most) {
    return std::span(list).first(std::min(most, list.size()));
  };
  const auto& summary = report.summary;
  const auto& noise = summary.noise;
  std::string text = fmt::format("# Suspected mislabels: {}\n\n", cell(report.dataset));
  text += fmt::format(
      "About **{}** of {} labels are probably wrong: {:.1f} % ({} % interval {:.1f}–{:.1f} %, from the "
      "{}).\n",
      summary.wrong_labels().count, summary.samples, 100 * six_digits(noise.rate), noise.level(),
      100 * six_digits(noise.low), 100 * six_digits(noise.high), to_string(noise.method));
  if (noise.leaning)
    text += "The model was trained on these labels and leans towards them: more may be wrong than stated.\n";
  if (const auto review = summary.review_for(0.95))
    text += fmt::format("Review **{}** to find 95 % of them.\n", *review);
  text += "\n## Classes\n\n| class | samples | probably wrong |\n|---|---:|---:|\n";
  for (const auto& count : head(summary.classes, kListed))
    text += fmt::format("| {} | {} | {:.1f} |\n", cell(report.class_name(count.label)), count.samples,
                        six_digits(count.wrong));
  text += "\n## Class pairs\n\n| labelled | looks like | probably wrong | taxonomy |\n|---|---|---:|---|\n";
  for (const auto& pair : head(summary.pairs, kListed))
    text +=
        fmt::format("| {} | {} | {:.1f} | {} |\n", cell(report.class_name(pair.given)),
                    cell(report.class_name(pair.suggested)), six_digits(pair.wrong), kin_cell(pair.relation));
  if (!summary.families.empty()) {
    text +=
        "\n## Families\n\n| family | classes | samples | probably wrong | of these within the family "
        "|\n|---|---:|---:|---:|---:|\n";
    for (const auto& family : head(summary.families, kListed))
      text += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} |\n",
                          cell(report.tree[static_cast<std::size_t>(family.node)].name), family.classes,
                          family.samples, six_digits(family.wrong), six_digits(family.within));
  }
  text +=
      "\n## Most suspect\n\n| # | sample | image | labelled | suggested | probability "
      "|\n|---:|---:|---|---|---|---:|\n";
  std::size_t rank = 0;
  for (const auto& card : head(report.cards, kSuspects))
    text += fmt::format("| {} | {} | {} | {} | {} | {:.3f} |\n", ++rank, card.id,
                        cell(card.path.value_or("")), cell(report.class_name(card.given)),
                        cell(report.class_name(card.suggested)), card.scores.value_or(Card::Scores{}).p);
  return text;
}

}  // namespace procsim::curate
