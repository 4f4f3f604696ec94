#include "curate/report/report_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/base/markup.hpp"
#include "tests/curate/report/bird_report.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::report_of;
using test::scored;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportFiles, NothingInTheDataCanEndTheScriptElement) {
  auto info = test::bird_info();
  info.classes[0].name = "</script><script>alert(1)</script>";
  ScoreTable table(info);
  auto row = scored(1, 0, 1, 0.9);
  row.path = "../</SCRIPT><!-- \xe2\x80\xa8 \xff.jpg";  // a line separator, and a byte that is no UTF-8
  table.append(row);
  table.finish();
  const auto text = script_json(to_json(report_of(table)));
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_THAT(text, Not(HasSubstr(">")));
  const auto back = nlohmann::json::parse(text);
  EXPECT_EQ(back["classes"][0], "</script><script>alert(1)</script>");
  EXPECT_THAT(back["cards"][0]["path"].get<std::string>(), HasSubstr("../</SCRIPT><!--"));
}

TEST(ReportFiles, ThePageForbidsRequestsAndNamesItsScriptByHash) {
  const auto table = bird_table({scored(1, 0, 1, 0.9)});
  const auto page = report_html(report_of(table));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("connect-src 'none'"));
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http"))) << "nothing to load";
  EXPECT_THAT(server_html(report_of(table)), HasSubstr("connect-src 'self'"));
}

TEST(ReportFiles, TheSameInputGivesTheSamePage) {
  const auto table = bird_table({scored(1, 0, 1, 0.9), scored(2, 3, 4, 0.7)});
  EXPECT_EQ(report_html(report_of(table)), report_html(report_of(table)));
}

TEST(ReportFiles, CsvQuotesAndMarkdownEscapes) {
  auto info = test::bird_info();
  info.classes[0].name = "Gull, \"herring\"";
  info.classes[1].name = "a|b<c>";
  ScoreTable table(info);
  table.append(scored(1, 0, 1, 0.9));
  table.finish();
  const auto report = report_of(table);
  EXPECT_THAT(table_csv(suspects_table(report)), HasSubstr("\"Gull, \"\"herring\"\"\""));
  EXPECT_THAT(report_markdown(report), HasSubstr("a\\|b\\<c\\>"));
  EXPECT_THAT(report_json(report), HasSubstr("\"curate-report/1\""));
}

TEST(ReportFiles, JsonHasNoImages) {
  auto report = report_of(bird_table({scored(1, 0, 1, 0.9)}));
  const auto without = report_json(report);
  report.thumbnails = {{"AAAA"}, {{1, 0}}};
  EXPECT_EQ(report_json(report), without);
  EXPECT_THAT(report_html(report), HasSubstr("\"images\":[\"AAAA\"],\"image_of\":{\"1\":0}"));
}

TEST(ReportFiles, TheTableHasARowForEachCard) {
  auto suspect = scored(1, 0, 1, 0.9);
  suspect.duplicates = {2, 7};
  const auto table = suspects_table(report_of(bird_table({suspect, scored(2, 2, kUnlabelled, 0.1)})));
  ASSERT_EQ(table.rows(), 2);
  const auto text = [&](const char* column, std::size_t row) {
    return std::get<std::vector<std::string>>(table.find(column)->values).at(row);
  };
  EXPECT_EQ(text("label_name", 0), "Herring Gull");
  EXPECT_EQ(text("common_ancestor", 0), "gull");
  EXPECT_EQ(text("duplicates", 0), "2 7");
  EXPECT_EQ(text("suggested_name", 1), "");
  EXPECT_EQ(text("common_ancestor", 1), "");
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(table.find("taxonomy_distance")->values),
            (std::vector<std::int64_t>{2, -1}));
  EXPECT_EQ(table.metadata.at("label_set"), "digest");
}

TEST(ReportFiles, MarkdownSaysHowManyAndWhere) {
  auto report = report_of(bird_table({scored(1, 0, 1, 0.9), scored(2, 3, 4, 0.7)}));
  const auto text = report_markdown(report);
  EXPECT_THAT(text, HasSubstr("About **2** of 2 labels are probably wrong: 80.0 % (95 % interval"));
  EXPECT_THAT(text, HasSubstr("Review **2** to find 95 % of them."));
  EXPECT_THAT(text, HasSubstr("| Herring Gull | Western Gull | 0.9 | siblings |"));
  EXPECT_THAT(text, HasSubstr("| gull | 2 | 1 | 0.9 | 0.9 |"));
  EXPECT_THAT(text, HasSubstr("| 2 | 2 | 3/2.jpg | Song Sparrow | Fox Sparrow | 0.700 |"));
  EXPECT_THAT(text, Not(HasSubstr("leans")));
  report.summary.noise.leaning = true;
  EXPECT_THAT(report_markdown(report), HasSubstr("leans"));
}

}  // namespace
}  // namespace procsim::curate
