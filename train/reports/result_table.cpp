#include "train/reports/result_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "data/base/markup.hpp"
#include "train/reports/html_page.hpp"

namespace procsim::train {
namespace {

// How a format writes the parts of a cell.
struct CellMarks {
  std::string plus_minus, bold_from, bold_to, dash;
};

std::string cell_text(const ResultCell& cell, bool best, bool quoted, const CellMarks& marks) {
  std::string text = quoted ? "" : marks.dash;
  if (!cell.values.empty()) {
    text = fmt::format("{:.1f}", mean_of(cell.values));
    if (const auto deviation = deviation_of(cell.values))
      text += fmt::format(" {} {:.1f}", marks.plus_minus, *deviation);
    if (best) text = marks.bold_from + text + marks.bold_to;
  }
  if (cell.paper) {
    const auto deviation =
        cell.paper_deviation ? fmt::format(" {} {:.1f}", marks.plus_minus, *cell.paper_deviation) : "";
    text += fmt::format("{}({:.1f}{})", text.empty() ? "" : " ", *cell.paper, deviation);
  }
  return text.empty() ? marks.dash : text;
}

std::string name_of(const ResultRow& row) { return row.quoted ? row.name + " (quoted)" : row.name; }

// Calls row(row, texts) for each, heading(group) where another group begins.
template <typename Heading, typename Row>
void for_each_row(const ResultTable& table, const CellMarks& marks, const Heading& heading, const Row& line) {
  const auto best = best_rows(table);
  std::string group;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    if (row.group != group && !row.group.empty()) heading(row.group);
    group = row.group;
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const bool is_best = std::find(best[c].begin(), best[c].end(), r) != best[c].end();
      texts.push_back(cell_text(row.cells[c], is_best, row.quoted, marks));
    }
    line(row, texts);
  }
}

std::string escaped_latex(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    if (std::string_view("&%$#_{}").find(letter) != std::string_view::npos) safe += '\\';
    safe += letter;
  }
  return safe;
}

std::string escaped_csv(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

}  // namespace

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::vector<std::vector<std::size_t>> best_rows(const ResultTable& table) {
  std::vector<std::vector<std::size_t>> best(table.columns.size());
  for (std::size_t c = 0; c < best.size(); ++c) {
    double most = -1;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const auto& values = table.rows[r].cells.at(c).values;
      if (values.empty()) continue;
      const double shown = std::round(10 * mean_of(values));  // what reads alike is alike
      if (!best[c].empty() && shown < most) continue;
      if (shown > most) best[c].clear();
      best[c].push_back(r);
      most = shown;
    }
  }
  return best;
}

std::string to_markdown(const ResultTable& table) {
  std::string text = fmt::format("### {}\n\n{}\n\n| method |", table.title, table.caption);
  for (const auto& column : table.columns) text += fmt::format(" {} |", column);
  text += "\n|---|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += "---|";
  text += '\n';
  for_each_row(
      table, {"±", "**", "**", "–"},
      [&](const std::string& group) {
        text += fmt::format("| *{}* |", group);
        for (std::size_t c = 0; c < table.columns.size(); ++c) text += " |";
        text += '\n';
      },
      [&](const ResultRow& row, const std::vector<std::string>& cells) {
        text += fmt::format("| {} |", name_of(row));
        for (const auto& cell : cells) text += fmt::format(" {} |", cell);
        text += '\n';
      });
  return text;
}

std::string to_html(const ResultTable& table) {
  std::string text =
      fmt::format("<h1>{}</h1><p class=\"sub\">{}</p><div class=\"scroll\"><table><tr><th>method</th>",
                  markup_text(table.title), markup_text(table.caption));
  for (const auto& column : table.columns) text += fmt::format("<th>{}</th>", markup_text(column));
  text += "</tr>\n";
  for_each_row(
      table, {"±", "<b>", "</b>", "–"},
      [&](const std::string& group) {
        text += fmt::format("<tr><th colspan=\"{}\">{}</th></tr>\n", table.columns.size() + 1,
                            markup_text(group));
      },
      [&](const ResultRow& row, const std::vector<std::string>& cells) {
        text += fmt::format("<tr><td>{}</td>", markup_text(name_of(row)));
        for (const auto& cell : cells) text += fmt::format("<td>{}</td>", cell);
        text += "</tr>\n";
      });
  return html_page(table.title, text + "</table></div>");
}

std::string to_latex(const ResultTable& table) {
  std::string text = fmt::format(
      "% needs booktabs\n\\begin{{table*}}\n\\caption{{{}. {}}}\n\\begin{{tabular}}{{l{}}}\n\\toprule\n"
      "Method",
      escaped_latex(table.title), escaped_latex(table.caption), std::string(table.columns.size(), 'r'));
  for (const auto& column : table.columns) text += " & " + escaped_latex(column);
  text += " \\\\\n\\midrule\n";
  for_each_row(
      table, {"$\\pm$", "\\textbf{", "}", "--"},
      [&](const std::string& group) {
        text += fmt::format("\\multicolumn{{{}}}{{l}}{{\\textit{{{}}}}} \\\\\n", table.columns.size() + 1,
                            escaped_latex(group));
      },
      [&](const ResultRow& row, const std::vector<std::string>& cells) {
        text += escaped_latex(name_of(row));
        for (const auto& cell : cells) text += " & " + cell;
        text += " \\\\\n";
      });
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table*}\n";
}

std::string to_csv(const ResultTable& table) {
  const auto best = best_rows(table);
  std::string text = "group,row,column,mean,deviation,seeds,paper,best,paper_deviation\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const auto& cell = row.cells[c];
      const auto deviation = deviation_of(cell.values);
      const bool is_best = std::find(best[c].begin(), best[c].end(), r) != best[c].end();
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", escaped_csv(row.group), escaped_csv(row.name),
                          escaped_csv(table.columns[c]),
                          cell.values.empty() ? "" : fmt::format("{:.4f}", mean_of(cell.values)),
                          deviation ? fmt::format("{:.4f}", *deviation) : "", cell.values.size(),
                          cell.paper ? fmt::format("{:.1f}", *cell.paper) : "", is_best ? 1 : 0,
                          cell.paper_deviation ? fmt::format("{:.1f}", *cell.paper_deviation) : "");
    }
  }
  return text;
}

}  // namespace procsim::train
