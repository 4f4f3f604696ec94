#include "curate/report/report_files.hpp"

#include <algorithm>

#include "embedded/page_html.hpp"
#include "embedded/script_cards.hpp"
#include "embedded/script_decisions.hpp"
#include "embedded/script_main.hpp"
#include "embedded/script_overview.hpp"
#include "embedded/script_page.hpp"
#include "embedded/script_picker.hpp"
#include "embedded/style_css.hpp"
#include <fmt/format.h>

#include "data/base/base64.hpp"
#include "data/base/digest.hpp"
#include "data/base/markup.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

std::string script() {
  std::string text = "\n\"use strict\";\n";
  for (const auto part : {embedded::script_page(), embedded::script_decisions(), embedded::script_overview(),
                          embedded::script_picker(), embedded::script_cards(), embedded::script_main()})
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

void replace_mark(std::string& page, std::string_view mark, std::string_view text) {
  const auto at = page.find(mark);
  if (at != std::string::npos) page.replace(at, mark.size(), text);
}

std::string page(const Json& report, bool server) {
  std::string text(embedded::page_html());
  replace_mark(text, "{{policy}}", content_policy(server));
  replace_mark(text, "{{title}}",
               markup_text(fmt::format("Suspected mislabels: {}", report.value("dataset", ""))));
  replace_mark(text, "{{style}}", style());
  replace_mark(text, "{{script}}", script());
  replace_mark(text, "{{document}}", json_for_html(report));
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

std::string class_name(const Json& report, const Json& label) {
  const auto index = label.get<std::int32_t>();
  return index < 0 ? "" : report["classes"][static_cast<std::size_t>(index)].get<std::string>();
}

std::string joined(const Json& list) {
  std::string text;
  for (const auto& item : list) {
    if (!text.empty()) text += ' ';
    text += item.get_ref<const std::string&>();
  }
  return text;
}

}  // namespace

std::string content_policy(bool server) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data:{}; connect-src {}; base-uri 'none'; "
      "form-action "
      "'none'",
      source_hash(script()), source_hash(style()), server ? " 'self'" : "", server ? "'self'" : "'none'");
}

std::string json_for_html(const Json& document) {
  const auto text = document.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else if (c == '>')
      safe += "\\u003e";
    else if (c == '&')
      safe += "\\u0026";
    else
      safe += c;
  }
  return safe;
}

std::string report_html(const Json& report) { return page(report, false); }
std::string server_html(const Json& report) { return page(report, true); }

std::string report_json(const Json& report) {
  auto without_images = report;
  without_images.erase("images");
  without_images.erase("image_of");
  return without_images.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Table suspects_table(const Json& report) {
  std::vector<std::int64_t> rank, sample, distance;
  std::vector<std::int32_t> given, suggested;
  std::vector<std::string> path, given_name, suggested_name, kinship, common, duplicates, why;
  std::vector<double> p, suspicion, p_given, margin, loss, confidence;
  for (const auto& card : report["cards"]) {
    rank.push_back(static_cast<std::int64_t>(rank.size()) + 1);
    sample.push_back(card["id"]);
    path.push_back(card["path"]);
    given.push_back(card["given"]);
    given_name.push_back(class_name(report, card["given"]));
    suggested.push_back(card["suggested"]);
    suggested_name.push_back(class_name(report, card["suggested"]));
    p.push_back(card["p"]);
    suspicion.push_back(card["suspicion"]);
    p_given.push_back(card["p_given"]);
    margin.push_back(card["margin"]);
    loss.push_back(card["proxy_loss"]);
    confidence.push_back(card["confidence"]);
    kinship.push_back(card["kinship"]);
    distance.push_back(card.value("distance", -1));
    common.push_back(card.contains("common")
                         ? report["tree"][card["common"].get<std::size_t>()]["name"].get<std::string>()
                         : "");
    std::string ids;
    for (const auto& other : card["duplicates"])
      ids += fmt::format("{}{}", ids.empty() ? "" : " ", other["id"].get<std::int64_t>());
    duplicates.push_back(ids);
    why.push_back(joined(card["why"]));
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
      {"dataset", report["dataset"]}, {"label_set", report["label_set"]}, {"scores", report["scores"]}};
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

std::string report_markdown(const Json& report) {
  constexpr std::size_t kListed = 10, kSuspects = 50;
  const auto& summary = report["summary"];
  const auto& noise = summary["noise"];
  std::string text = fmt::format("# Suspected mislabels: {}\n\n", cell(report.value("dataset", "")));
  text += fmt::format(
      "About **{}** of {} labels are probably wrong: {:.1f} % ({} % interval {:.1f}–{:.1f} %, from the "
      "{}).\n",
      noise["count"].get<std::int64_t>(), summary["samples"].get<std::int64_t>(),
      100 * noise["rate"].get<double>(), noise["level"].get<int>(), 100 * noise["low"].get<double>(),
      100 * noise["high"].get<double>(), noise["method"].get<std::string>());
  if (noise.value("leaning", false))
    text += "The model was trained on these labels and leans towards them: more may be wrong than stated.\n";
  for (const auto& point : summary["effort"])
    if (point["share"] == 0.95)
      text += fmt::format("Review **{}** to find 95 % of them.\n", point["review"].get<std::int64_t>());
  const auto head = [&](const Json& list) { return std::min(kListed, list.size()); };
  text += "\n## Classes\n\n| class | samples | probably wrong |\n|---|---:|---:|\n";
  for (std::size_t i = 0; i < head(summary["classes"]); ++i) {
    const auto& item = summary["classes"][i];
    text += fmt::format("| {} | {} | {:.1f} |\n", cell(item["name"].get<std::string>()),
                        item["samples"].get<std::int64_t>(), item["wrong"].get<double>());
  }
  text += "\n## Class pairs\n\n| labelled | looks like | probably wrong | taxonomy |\n|---|---|---:|---|\n";
  for (std::size_t i = 0; i < head(summary["pairs"]); ++i) {
    const auto& item = summary["pairs"][i];
    text += fmt::format("| {} | {} | {:.1f} | {} |\n", cell(item["given_name"].get<std::string>()),
                        cell(item["suggested_name"].get<std::string>()), item["wrong"].get<double>(),
                        item["kinship"].get<std::string>());
  }
  if (!summary["families"].empty()) {
    text +=
        "\n## Families\n\n| family | classes | samples | probably wrong | of these within the family "
        "|\n|---|---:|---:|---:|---:|\n";
    for (std::size_t i = 0; i < head(summary["families"]); ++i) {
      const auto& item = summary["families"][i];
      text += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} |\n", cell(item["name"].get<std::string>()),
                          item["classes"].get<std::int64_t>(), item["samples"].get<std::int64_t>(),
                          item["wrong"].get<double>(), item["within"].get<double>());
    }
  }
  text +=
      "\n## Most suspect\n\n| # | sample | image | labelled | suggested | probability "
      "|\n|---:|---:|---|---|---|---:|\n";
  for (std::size_t i = 0; i < std::min(kSuspects, report["cards"].size()); ++i) {
    const auto& card = report["cards"][i];
    text += fmt::format("| {} | {} | {} | {} | {} | {:.3f} |\n", i + 1, card["id"].get<std::int64_t>(),
                        cell(card["path"].get<std::string>()), cell(class_name(report, card["given"])),
                        cell(class_name(report, card["suggested"])), card["p"].get<double>());
  }
  return text;
}

}  // namespace procsim::curate
