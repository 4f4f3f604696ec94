#include "train/reports/result_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ResultTable table() {
  return {.title = "Ablation",
          .caption = "fieldguide, 3 epochs",
          .columns = {"none", "uniform 10 %"},
          .rows = {{.name = "A & B", .group = "first", .cells = {{{70, 72}, 69.3}, {{50.04}, {}}}},
                   {.name = "C", .group = "second", .cells = {{{71.5}, {}}, {{49.96}, {}}}},
                   {.name = "D", .group = "second", .cells = {{{}, 65.0}, {}}},
                   {.name = "E", .group = "", .quoted = true, .cells = {{{}, 90.0, 0.3}, {}}}}};
}

TEST(ResultTable, TheDeviationIsThatOfASample) {
  EXPECT_EQ(mean_of({70, 72}), 71);
  EXPECT_NEAR(deviation_of({70, 72}).value(), 1.414213562, 1e-9);
  EXPECT_FALSE(deviation_of({70}).has_value());
}

TEST(ResultTable, TheBestHasRunAndWhatReadsAlikeSharesIt) {
  const auto best = best_rows(table());
  EXPECT_EQ(best[0], (std::vector<std::size_t>{1}));
  EXPECT_EQ(best[1], (std::vector<std::size_t>{0, 1}));
}

TEST(ResultTable, MarkdownHasMeansDeviationsPaperAndDashes) {
  const auto text = to_markdown(table());
  EXPECT_THAT(text, HasSubstr("| A & B | 71.0 ± 1.4 (69.3) | **50.0** |"));
  EXPECT_THAT(text, HasSubstr("| C | **71.5** | **50.0** |"));
  EXPECT_THAT(text, HasSubstr("| D | – (65.0) | – |"));
  EXPECT_THAT(text, HasSubstr("| E (quoted) | (90.0 ± 0.3) | – |"));
  EXPECT_THAT(text, HasSubstr("| *second* | | |"));
  EXPECT_THAT(text, HasSubstr("fieldguide, 3 epochs"));
}

TEST(ResultTable, HtmlAndLatexEscapeNames) {
  EXPECT_THAT(to_html(table()),
              HasSubstr("<td>A &amp; B</td><td>71.0 ± 1.4 (69.3)</td><td><b>50.0</b></td>"));
  const auto latex = to_latex(table());
  EXPECT_THAT(latex, HasSubstr("A \\& B & 71.0 $\\pm$ 1.4 (69.3) & \\textbf{50.0} \\\\"));
  EXPECT_THAT(latex, HasSubstr("uniform 10 \\%"));
  EXPECT_THAT(latex, HasSubstr("\\begin{tabular}{lrr}"));
}

TEST(ResultTable, CsvHasALineForEachCell) {
  const auto text = to_csv(table());
  EXPECT_THAT(text, HasSubstr("first,A & B,none,71.0000,1.4142,2,69.3,0,\n"));
  EXPECT_THAT(text, HasSubstr("second,D,none,,,0,65.0,0,\n"));
  EXPECT_THAT(text, HasSubstr("E,none,,,0,90.0,0,0.3\n"));
  EXPECT_THAT(text, HasSubstr("second,C,none,71.5000,,1,,1,\n"));
}

}  // namespace
}  // namespace procsim::train
