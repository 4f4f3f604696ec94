#include "noise/label_statistics.hpp"

#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "noise/confusion_drawing.hpp"
#include "noise/label_export.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::noise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Statistics : public testing::Test {
 protected:
  // birds: gulls 0 1, auklet 2, finch 3, sparrows 4 5. Errors: 0→1 twice, 0→5 once, 4→5 once.
  Statistics() {
    LabelSet set{test::info_of(taxonomy), {}};
    std::int64_t id = 0;
    const auto add = [&](std::int32_t truth, std::int32_t label, int times, const char* split = "train") {
      for (int i = 0; i < times; ++i, ++id) {
        set.rows.push_back({id, "i/" + std::to_string(id) + ".jpg", split, label, truth});
      }
    };
    for (std::int32_t label = 0; label < 6; ++label) add(label, label, 5);
    add(0, 1, 2);
    add(0, 5, 1);
    add(4, 5, 1);
    add(3, 2, 4, "test");
    set.rows.push_back({id++, "i/x.jpg", "train", kUnlabelled, std::nullopt});
    set.rows.push_back({id++, "i/y.jpg", "train", 1, std::nullopt});
    write_label_set(path, set, IfExists::kFail);
  }

  taxonomy::Taxonomy taxonomy = test::birds();
  test::TemporaryFolder folder;
  std::filesystem::path path = folder / "set.parquet";
};

// An image of no class is under a wrong label, whichever that is.
TEST_F(Statistics, NoneOfTheseCountsAsWrongAndInNoPair) {
  auto set = read_label_set(path);
  set.rows.push_back({1000, "i/z.jpg", "train", 2, kNoneOfThese});
  write_label_set(folder / "open.parquet", set, IfExists::kFail);
  const auto counts = count_confusions(folder / "open.parquet", "train", 2, {});
  EXPECT_EQ(counts.none_of_these, 1);
  EXPECT_EQ(counts.classes().size(), 6u);
  EXPECT_EQ(counts.pairs, count_confusions(path, "train", 2, {}).pairs);
  const auto statistics = statistics_of(counts, nullptr);
  EXPECT_EQ(statistics.compared, 35);
  EXPECT_EQ(statistics.wrong, 5);
  EXPECT_NEAR(statistics.entropy, statistics_of(count_confusions(path, "train", 2, {}), nullptr).entropy,
              1e-12);
}

TEST_F(Statistics, CountsRatesAndEntropy) {
  const auto counts = count_confusions(path, "train", 2, {});
  EXPECT_EQ(counts.rows, 36);
  EXPECT_EQ(counts.unlabelled, 1);
  EXPECT_EQ(counts.truth_unknown, 1);
  const auto statistics = statistics_of(counts, nullptr);
  EXPECT_EQ(statistics.compared, 34);
  EXPECT_EQ(statistics.wrong, 4);
  ASSERT_EQ(statistics.classes.size(), 6u);
  EXPECT_EQ(statistics.classes[0].samples, 8);
  EXPECT_EQ(statistics.classes[0].wrong, 3);
  EXPECT_EQ(statistics.classes[1].given, 8);
  const double two_one = -(2.0 / 3 * std::log2(2.0 / 3) + 1.0 / 3 * std::log2(1.0 / 3));
  EXPECT_NEAR(statistics.classes[0].entropy, two_one, 1e-12);
  EXPECT_NEAR(statistics.entropy, 0.75 * two_one, 1e-12);
  EXPECT_NEAR(statistics.largest_entropy, std::log2(5), 1e-12);
  EXPECT_FALSE(statistics.tree);
}

TEST_F(Statistics, MeasuresErrorsInTheTree) {
  const auto tree = statistics_of(count_confusions(path, "train", 1, {}), &taxonomy).tree;
  ASSERT_TRUE(tree);
  // Collapsed: bird(seabird(gull(0,1),2), finch(sparrow(4,5),3)). 0–1: 2 edges, 0–5: 6, 4–5: 2.
  EXPECT_EQ(tree->errors_by_distance, (std::map<std::int32_t, std::int64_t>{{2, 3}, {6, 1}}));
  EXPECT_NEAR(tree->mean_distance, 3.0, 1e-12);
  EXPECT_EQ(tree->sibling_errors, 3);
  // From 0 (and by symmetry from 4): 2 + 3 + 6 + 6 + 5 over 5 others.
  EXPECT_NEAR(tree->mean_distance_uniform, 22.0 / 5, 1e-12);
}

TEST_F(Statistics, ConfusionsComeInTheOrderOfTheTree) {
  const auto counts = count_confusions(path, "train", 1, {});
  const auto order = order_classes(counts, &taxonomy);
  // Children in canonical order: nodes by id, then leaves. finch before seabird, sparrow before Purple Finch,
  // auk before gull.
  EXPECT_THAT(order.labels, ElementsAre(4, 5, 3, 2, 0, 1));
  ASSERT_EQ(order.groups.size(), 4u);
  EXPECT_EQ(order.groups[0].name, "finch");
  EXPECT_EQ(order.groups[0].begin, 0u);
  EXPECT_EQ(order.groups[0].end, 3u);
  EXPECT_THAT(order_classes(counts, nullptr).labels, ElementsAre(0, 1, 2, 3, 4, 5));

  const auto csv = confusion_csv(counts, order);
  EXPECT_THAT(csv, testing::StartsWith(
                       "true_label,true_class,label,class,count,share\n4,Fox Sparrow,4,Fox Sparrow,5,"));
  EXPECT_THAT(csv, HasSubstr("\n0,Heermann Gull,1,Ivory Gull,2,0.250000\n"));
}

TEST_F(Statistics, DrawingsAreWellFormedAndEscaped) {
  auto counts = count_confusions(path, "train", 1, {});
  counts.info.classes[0].name = "A <b> & \"c\" </script>";
  const auto order = order_classes(counts, &taxonomy);
  const auto svg = confusion_svg(counts, order);
  EXPECT_THAT(svg, HasSubstr("4 of 34 labels wrong"));
  EXPECT_THAT(svg, HasSubstr("A &lt;b&gt; &amp; &quot;c&quot;"));
  EXPECT_EQ(svg, confusion_svg(counts, order));
  const auto html = confusion_html(counts, order);
  EXPECT_THAT(html, Not(HasSubstr("\"c\\\" </script>")));
  EXPECT_THAT(html, HasSubstr("<svg"));
}

// Somebody else's label set may say anything of where it comes from.
TEST_F(Statistics, AProvenanceOfOtherTypesIsDrawnWithoutASummary) {
  auto counts = count_confusions(path, "train", 1, {});
  const auto order = order_classes(counts, &taxonomy);
  const auto svg = confusion_svg(counts, order);
  for (const char* provenance : {R"({"summary": 7})", R"({"summary": null})", R"([1])", "null"}) {
    counts.info.provenance = nlohmann::ordered_json::parse(provenance);
    EXPECT_EQ(confusion_svg(counts, order), svg) << provenance;
  }
  counts.info.provenance = {{"summary", "uniform 0.2"}};
  EXPECT_THAT(confusion_svg(counts, order), HasSubstr("uniform 0.2"));
}

TEST_F(Statistics, ExportsCsvAndPrismLists) {
  EXPECT_EQ(export_csv(path, folder / "out.csv", IfExists::kFail, {}).written, 40);
  const auto csv = test::read_all(folder / "out.csv");
  EXPECT_THAT(csv, HasSubstr("\n30,i/30.jpg,train,1,Ivory Gull,0,Heermann Gull\n"));
  EXPECT_THAT(csv, HasSubstr("i/x.jpg,train,,,,\n"));
  const auto counts = export_prism(path, folder / "out.txt", IfExists::kFail, "train", "/data/", 1, {});
  EXPECT_EQ(counts.written, 35);
  EXPECT_EQ(counts.skipped, 5);
  EXPECT_THAT(test::read_all(folder / "out.txt"), testing::StartsWith("/data/i/0.jpg,1\n"));
  EXPECT_THROW(export_csv(path, folder / "out.csv", IfExists::kFail, {}), Error);
}

TEST_F(Statistics, ExportsAFolderOfLinks) {
  namespace fs = std::filesystem;
  folder.write("root/i/0.jpg", "image zero");
  const auto counts = export_image_folder(path, folder / "links", IfExists::kFail, folder / "root", {});
  EXPECT_EQ(counts.written, 39);
  EXPECT_EQ(counts.missing, 38);
  EXPECT_EQ(test::read_all(folder / "links/train/Heermann Gull/0-0.jpg"), "image zero");
  EXPECT_TRUE(fs::is_symlink(folder / "links/train/Ivory Gull/30-30.jpg"));  // a wrong label: 0 under 1
  EXPECT_THROW(export_image_folder(path, folder / "links", IfExists::kFail, folder / "root", {}), Error);
  EXPECT_NO_THROW(export_image_folder(path, folder / "links", IfExists::kReplace, folder / "root", {}));
  folder.write("precious/file", "do not delete");
  EXPECT_THROW(export_image_folder(path, folder / "precious", IfExists::kReplace, folder / "root", {}),
               Error);
  EXPECT_TRUE(fs::exists(folder / "precious/file"));
}

TEST_F(Statistics, AFolderOfLinksStaysUntilTheNewOneStands) {
  namespace fs = std::filesystem;
  folder.write("root/i/0.jpg", "image zero");
  const auto links = folder / "links";
  export_image_folder(path, links, IfExists::kFail, folder / "root", {});
  const auto has_links = [&] { return fs::exists(links / "train/Heermann Gull/0-0.jpg"); };
  // Nothing can be moved where it would have to wait: the old folder stays as it is.
  folder.write(".links.replaced/file", "in the way");
  EXPECT_ANY_THROW(export_image_folder(path, links, IfExists::kReplace, folder / "root", {}));
  EXPECT_TRUE(has_links());
  fs::remove_all(folder / ".links.replaced");
  // Killed between: the next one finds the old folder, and brings it back.
  fs::rename(links, folder / ".links.replaced");
  EXPECT_THROW(export_image_folder(path, links, IfExists::kFail, folder / "root", {}), Error);
  EXPECT_TRUE(has_links());
  EXPECT_FALSE(fs::exists(folder / ".links.replaced"));
  EXPECT_NO_THROW(export_image_folder(path, links, IfExists::kReplace, folder / "root", {}));
  EXPECT_FALSE(fs::exists(folder / ".links.replaced"));
}

}  // namespace
}  // namespace procsim::noise
