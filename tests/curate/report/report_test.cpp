#include "curate/report/report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curate/report/report_files.hpp"
#include "data/base/base64.hpp"
#include "data/base/error.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::scored;
using ::testing::HasSubstr;
using ::testing::Not;

ClassFamilies families() { return {test::bird_taxonomy(), test::bird_classes()}; }

nlohmann::ordered_json report_of(const ScoreTable& table, std::size_t top = 100) {
  const auto ranking = table.ranking();
  const auto tree = families();
  return make_report(table, ranking, tree, summarize(table, ranking, tree), {"noise", "digest", "scores"},
                     top);
}

TEST(Base64, EncodesTheVectorsOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Report, CardsComeRankedAndSayWhy) {
  auto row = scored(1, 0, 1, 0.9);
  row.duplicates = {2};
  const auto table = bird_table({scored(2, 2, 3, 0.2), row});
  const auto report = report_of(table);
  ASSERT_EQ(report["cards"].size(), 2U);
  const auto& card = report["cards"][0];
  EXPECT_EQ(card["id"], 1);
  EXPECT_EQ(card["kinship"], "siblings");
  EXPECT_EQ(card["distance"], 2);
  const auto why = card["why"].dump();
  EXPECT_THAT(why, HasSubstr("sample 2, which is labelled Arctic Tern"));
  EXPECT_THAT(why, HasSubstr("Siblings in the taxonomy, both gull"));
  EXPECT_THAT(report["cards"][1]["why"].dump(), HasSubstr("a gross error"));
  EXPECT_EQ(report_of(table, 1)["cards"].size(), 1U);
}

TEST(Report, SpeaksOfATrainingOnlyWhereThereWasOne) {
  auto row = scored(1, 0, 1, 0.9);
  row.confidence = 0.08F;
  const auto why = [&](const nlohmann::ordered_json& provenance) {
    auto info = test::bird_info();
    info.provenance = provenance;
    ScoreTable table(info);
    table.append(row);
    table.finish();
    return report_of(table)["cards"][0]["why"].dump();
  };
  EXPECT_THAT(why({{"embeddings", {{"from", "run"}, {"memory", "in training"}}}}),
              HasSubstr("Training trusted it little: confidence 0.08"));
  EXPECT_THAT(why({{"embeddings", {{"from", "file"}}}}), Not(HasSubstr("Training")));
  EXPECT_THAT(why({{"program", "curate"}}), Not(HasSubstr("Training")));
  EXPECT_THAT(why(nullptr), Not(HasSubstr("Training")));
}

TEST(Report, NothingInTheDataCanEndTheScriptElement) {
  auto info = test::bird_info();
  info.classes[0].name = "</script><script>alert(1)</script>";
  ScoreTable table(info);
  auto row = scored(1, 0, 1, 0.9);
  row.path = "../</SCRIPT><!-- \xe2\x80\xa8 \xff.jpg";  // a line separator, and a byte that is no UTF-8
  table.append(row);
  table.finish();
  const auto text = json_for_html(report_of(table));
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_THAT(text, Not(HasSubstr(">")));
  const auto back = nlohmann::json::parse(text);
  EXPECT_EQ(back["classes"][0], "</script><script>alert(1)</script>");
  EXPECT_THAT(back["cards"][0]["path"].get<std::string>(), HasSubstr("../</SCRIPT><!--"));
}

TEST(Report, ThePageForbidsRequestsAndNamesItsScriptByHash) {
  const auto table = bird_table({scored(1, 0, 1, 0.9)});
  const auto page = report_html(report_of(table));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("connect-src 'none'"));
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http"))) << "nothing to load";
  EXPECT_THAT(server_html(report_of(table)), HasSubstr("connect-src 'self'"));
}

TEST(Report, TheSameInputGivesTheSamePage) {
  const auto table = bird_table({scored(1, 0, 1, 0.9), scored(2, 3, 4, 0.7)});
  EXPECT_EQ(report_html(report_of(table)), report_html(report_of(table)));
}

TEST(Report, CsvQuotesAndMarkdownEscapes) {
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

class Thumbnails : public ::testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

TEST_F(Thumbnails, AreSharedAndOnlyForImagesInsideTheRoot) {
  auto first = scored(1, 0, 1, 0.9);
  first.near_given = {2, 3};
  first.near_suggested = {3};
  auto second = scored(2, 0, 1, 0.8);
  second.near_given = {1, 3};
  auto outside = scored(4, 0, 1, 0.7);
  outside.path = "../secret.jpg";
  auto absolute = scored(5, 0, 1, 0.6);
  absolute.path = (folder_ / "secret.jpg").string();
  auto linked = scored(6, 0, 1, 0.5);
  linked.path = "link/secret.jpg";
  auto missing = scored(7, 0, 1, 0.4);
  for (const auto* name :
       {"root/0/1.jpg", "root/0/2.jpg", "root/0/3.jpg", "secret.jpg", "elsewhere/secret.jpg"})
    test::write_image(folder_ / name, 1);
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder_ / "root/link");
  const auto table = bird_table({first, second, scored(3, 0, 1, 0.01), outside, absolute, linked, missing});
  auto report = report_of(table, 6);
  const auto unreadable = add_thumbnails(report, table, ImageStore(folder_ / "root"));
  EXPECT_EQ(unreadable.count, 4U);
  EXPECT_THAT(unreadable.first, HasSubstr("../secret.jpg: outside the data set's folder"));
  EXPECT_EQ(report["images"].size(), 3U);
  EXPECT_TRUE(report["image_of"].contains("3")) << "a neighbour";
  for (const auto* id : {"4", "5", "6", "7"}) EXPECT_FALSE(report["image_of"].contains(id)) << id;
}

TEST_F(Thumbnails, EveryNeighbourOfAFewCardsIsThere) {
  auto suspect = scored(1, 0, 1, 0.9);
  std::vector<ScoreRow> rows;
  for (int id = 2; id <= 7; ++id) {
    suspect.near_given.push_back(id);
    rows.push_back(scored(id, 0, 1, 0.01));
  }
  rows.push_back(suspect);
  for (int id = 1; id <= 7; ++id) test::write_image(folder_ / fmt::format("root/0/{}.jpg", id), 1);
  const auto table = bird_table(rows);
  auto report = report_of(table, 1);
  add_thumbnails(report, table, ImageStore(folder_ / "root"));
  EXPECT_EQ(report["images"].size(), 7U);
}

TEST_F(Thumbnails, LinksThatStayInsideAreFollowed) {
  test::write_image(folder_ / "root/real/1.jpg", 1);
  std::filesystem::create_directory_symlink("real", folder_ / "root/alias");
  const ImageStore store(folder_ / "root");
  EXPECT_TRUE(store.inside("alias/1.jpg"));
  EXPECT_TRUE(store.thumbnail("alias/1.jpg", 32, 70));
  EXPECT_FALSE(store.inside("real/../real/1.jpg"));
  EXPECT_FALSE(store.inside(""));
  EXPECT_FALSE(store.inside(std::string("real/1.jpg\0.png", 15)));
}

TEST_F(Thumbnails, ARootThatIsAPrefixOfAnotherFolderDoesNotOpenIt) {
  test::write_image(folder_ / "root/1.jpg", 1);
  test::write_image(folder_ / "root2/1.jpg", 1);
  std::filesystem::create_directory_symlink(folder_ / "root2", folder_ / "root/out");
  EXPECT_FALSE(ImageStore(folder_ / "root").inside("out/1.jpg"));
  EXPECT_THROW(ImageStore(folder_ / "nowhere"), Error);
}

}  // namespace
}  // namespace procsim::curate
