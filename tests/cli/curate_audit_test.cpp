#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/atomic_file.hpp"
#include "data/labels/label_set.hpp"
#include "tests/cli/curate_workspace.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;

// Every fifth label is wrong.
std::string judged(const std::string& cards) {
  std::istringstream lines(cards);
  std::string line, filled;
  std::getline(lines, line);
  filled = line + "\n";
  while (std::getline(lines, line)) {
    const bool wrong = std::stoi(line) % 5 == 0;
    EXPECT_THAT(line, ::testing::EndsWith(",,")) << "verdict and class are to be filled in";
    filled += line.substr(0, line.size() - 2) + (wrong ? ",none,\n" : ",keep,\n");
  }
  return filled;
}

TEST(CurateAudit, DrawsCardsTakesThemBackAndSaysTheRate) {
  test::CurateWorkspace world;
  EXPECT_THAT(world.curate({"audit"}).out, HasSubstr("0 random cards judged, 30 are needed"));
  ASSERT_EQ(world.curate({"audit", "--output", "cards.csv", "--cards", "40"}).exit_code, 0);
  const auto cards = test::read_all(world.folder() / "cards.csv");
  EXPECT_THAT(cards, HasSubstr("sample_id,path,label_name,verdict,new_label\n"));
  EXPECT_EQ(std::ranges::count(cards, '\n'), 41);
  write_file(world.folder() / "judged.csv", judged(cards), IfExists::kReplace);
  EXPECT_EQ(world.curate_json({"import", "judged.csv", "--audit", "--reviewer", "ada"})["added"], 40);
  for (const auto& record : world.open().decisions(world.labels_digest())) EXPECT_EQ(record.source, "audit");
  const auto audit = world.curate_json({"audit"});
  EXPECT_EQ(audit["method"], "audit");
  EXPECT_EQ(audit["audited"], 40);
  EXPECT_NEAR(audit["rate"].get<double>(), 0.2, 0.05);
  EXPECT_LE(audit["low"].get<double>(), 0.2);
  EXPECT_GE(audit["high"].get<double>(), 0.2);
  std::size_t drawn = 0;
  for (const auto& stratum : audit["strata"]) drawn += stratum["cards"].get<std::size_t>();
  EXPECT_EQ(drawn, 40U);
  EXPECT_THAT(world.curate({"audit"}).out, HasSubstr("from 40 random cards"));
  const auto report = world.curate_json({"report", "--format", "csv", "--no-images"});
  EXPECT_EQ(report["noise"]["rate"], audit["rate"]) << "the report says the same";
  EXPECT_EQ(report["judged"], 40);
  // The next cards are others.
  ASSERT_EQ(world.curate({"audit", "--output", "more.csv", "--cards", "40"}).exit_code, 0);
  const auto more = test::read_all(world.folder() / "more.csv");
  EXPECT_EQ(std::ranges::count(more, '\n'), 21) << "60 samples, 40 judged";
}

TEST(CurateDuplicates, ListsCopiesAndWritesALabelSetWithOneOfEach) {
  const test::CurateWorkspace world;  // ten images of each of six birds are the same bytes
  const auto groups = world.curate_json({"duplicates"});
  ASSERT_EQ(groups.size(), 6U);
  EXPECT_TRUE(groups[0]["exact"]);
  EXPECT_TRUE(groups[0]["labels_differ"]);
  EXPECT_FALSE(groups[0]["across_splits"]);
  EXPECT_EQ(groups[0]["samples"].size(), 10U);
  EXPECT_THAT(world.curate({"duplicates", "--top", "1"}).out,
              HasSubstr("60 of 60 samples are copies, in 6 groups: 6 exact, 0 near; 6 under several labels"));
  ASSERT_EQ(world.curate({"duplicates", "--keep-one", "--output", "unique.parquet"}).exit_code, 0);
  LabelSetReader reader(world.folder() / "unique.parquet");
  EXPECT_EQ(reader.info().provenance["operation"], "duplicates");
  EXPECT_EQ(reader.info().provenance["left_out"], 54);
  std::int64_t rows = 0;
  while (const auto batch = reader.next()) rows += batch->rows();
  EXPECT_EQ(rows, 6);
  EXPECT_EQ(world.open().label_sets("birds").front().rows, 6);
  EXPECT_EQ(world.curate({"duplicates", "--keep-one", "--output", "unique.parquet"}).exit_code, 1)
      << "--force";
  EXPECT_EQ(world.curate({"duplicates", "--keep-one", "--drop"}).exit_code, 2);
  EXPECT_EQ(world.curate({"duplicates", "--output", "x.parquet"}).exit_code, 2);
  EXPECT_EQ(world.curate({"duplicates", "--keep-one", "--output", "x.txt"}).exit_code, 2);
}

TEST(CurateDuplicates, NamesDamagedImagesAndGoesOnOnlyWhereThatIsAllowed) {
  const test::CurateWorkspace world;
  const auto whole = test::read_all(world.folder() / "images/7.jpg");
  write_file(world.folder() / "images/7.jpg", whole.substr(0, whole.size() / 2), IfExists::kReplace);
  std::filesystem::remove(world.folder() / "images/12.jpg");
  const auto result = world.curate({"duplicates", "--keep-one", "--output", "unique.parquet"});
  EXPECT_EQ(result.exit_code, 1) << "the list is not complete";
  EXPECT_THAT(result.out, HasSubstr("58 of 60 samples are copies, in 6 groups"))
      << "what can be said is said";
  EXPECT_THAT(result.err, HasSubstr("damaged: images/7.jpg: the JPEG is truncated or damaged"));
  EXPECT_THAT(result.err, HasSubstr("damaged: images/12.jpg: "));
  EXPECT_THAT(result.err, HasSubstr("curate: 2 of 60 images cannot be looked at, the first: images/7.jpg."));
  EXPECT_FALSE(std::filesystem::exists(world.folder() / "unique.parquet"));
  EXPECT_EQ(world.open().label_sets("birds").front().rows, 60) << "nothing was recorded";
  EXPECT_THAT(world.curate({"duplicates", "--top", "1"}).err, HasSubstr("damaged: … and 1 more (--top)"));
  EXPECT_EQ(world.curate({"duplicates", "--json"}).exit_code, 1);
  EXPECT_THAT(world.curate({"duplicates", "--quiet"}).err, HasSubstr("2 of 60 images")) << "an error is said";

  const auto allowed =
      world.curate({"duplicates", "--keep-one", "--skip-broken", "--output", "unique.parquet"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  EXPECT_THAT(allowed.err, HasSubstr("2 of 60 images cannot be looked at: their copies are not found"));
  std::set<std::int64_t> kept;
  for (const auto& row : read_label_set(world.folder() / "unique.parquet").rows) kept.insert(row.sample_id);
  EXPECT_EQ(kept.size(), 8U) << "one of each of six, and the two";
  EXPECT_TRUE(kept.contains(7) && kept.contains(12));
}

TEST(CurateReport, ShowsCopies) {
  const test::CurateWorkspace world;
  const auto result = world.curate({"report", "--format", "json"});
  EXPECT_THAT(result.err, HasSubstr("copies: 6 groups"));
  const auto json = nlohmann::json::parse(test::read_all(world.folder() / "reports/run-1/suspects.json"));
  EXPECT_EQ(json["copies"]["groups"], 6);
  EXPECT_EQ(json["copies"]["leaks"], 0);
  EXPECT_EQ(json["copies"]["list"][0]["samples"].size(), 10U);
}

TEST(CurateScore, TakesAMaskOfErrors) {
  const test::CurateWorkspace world;
  std::string mask = "path,label,wrong\n";
  for (int i = 0; i < 60; ++i)  // ten of the twelve, and two that rank low
    mask += "images/" + std::to_string(i) + ".jpg,0," +
            ((i % 5 == 0 && i < 50) || i == 51 || i == 52 ? "1\n" : "0\n");
  write_file(world.folder() / "mask.csv", mask, IfExists::kReplace);
  const auto result = world.curate_json({"score", "--truth", "mask.csv"});
  EXPECT_EQ(result["wrong"], 12);
  EXPECT_EQ(result["samples"], 60);
  EXPECT_NEAR(result["missed_at_errors"].get<double>(), 2.0 / 12, 1e-9);
  EXPECT_TRUE(result["suggestion_accuracy"].is_null());
  EXPECT_THAT(world.curate({"score", "--truth", "mask.csv"}).out,
              HasSubstr("reviewing as many as are wrong (12) misses 16.7 % of them"));
  write_file(world.folder() / "bad.csv", "sample_id,wrong\n1,perhaps\n", IfExists::kReplace);
  EXPECT_THAT(world.curate({"score", "--truth", "bad.csv"}).err, HasSubstr("'perhaps' is neither 0 nor 1"));
}

}  // namespace
}  // namespace procsim
