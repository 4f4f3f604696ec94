#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/atomic_file.hpp"
#include "tests/curate/exchange/exchange_fixture.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/run_program.hpp"

namespace procsim::curate {
namespace {

using Json = nlohmann::ordered_json;
using test::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Exchange, LabelStudioTasksCarryTheSuggestion) {
  const auto tasks = exported(ExchangeFormat::kLabelStudio);
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks[0]["data"]["image"], "pre/0/1.jpg");
  EXPECT_EQ(tasks[0]["data"]["sample_id"], 1);
  EXPECT_EQ(tasks[0]["data"]["given_label"], "Herring Gull");
  EXPECT_EQ(tasks[0]["predictions"][0]["score"], 0.9);
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["value"]["choices"][0], "Western Gull");
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["from_name"], "label");
}

TEST_F(Exchange, ASuspectWithoutASuggestionIsNotPredicted) {
  report_.cards[0].suggested = kUnlabelled;
  EXPECT_FALSE(exported(ExchangeFormat::kLabelStudio)[0].contains("predictions"));
}

TEST_F(Exchange, TheConfigurationHasAChoiceForEachClassAndTwoMore) {
  report_.classes[5] = "Owl <\"snowy\">";
  const auto config = label_studio_config(report_);
  EXPECT_THAT(config, HasSubstr("<Choice value=\"Arctic Tern\"/>"));
  EXPECT_THAT(config, HasSubstr("<Choice value=\"Owl &lt;&quot;snowy&quot;&gt;\"/>"));
  EXPECT_THAT(config, HasSubstr(kNoneChoice));
  EXPECT_THAT(config, HasSubstr(kAmbiguousChoice));
}

TEST_F(Exchange, DatumaroItemsCarryTheGivenLabel) {
  const auto document = exported(ExchangeFormat::kDatumaro);
  EXPECT_EQ(document["infos"]["label_set"], "label set");
  EXPECT_EQ(document["categories"]["label"]["labels"].size(), 6U);
  EXPECT_EQ(document["items"][0]["id"], "pre/0/1");
  EXPECT_EQ(document["items"][0]["image"]["path"], "pre/0/1.jpg");
  EXPECT_EQ(document["items"][0]["annotations"][0]["label_id"], 0);
  EXPECT_EQ(document["items"][0]["annotations"][0]["attributes"]["suggested"], "Western Gull");
}

TEST_F(Exchange, FiftyOneLabelsAreNamedByThePathWithoutItsExtension) {
  const auto document = exported(ExchangeFormat::kFiftyOne);
  EXPECT_EQ(document["classes"][5], "Snowy Owl");
  const auto& label = document["labels"]["pre/2/3"];
  EXPECT_EQ(label["label"], "Arctic Tern");
  EXPECT_EQ(label["attributes"]["suggested"], "Snowy Owl");
  EXPECT_EQ(label["attributes"]["mistakenness"], 0.7);
}

// x1.jpg and x1.png are two images, and so are the rows of a Parquet file: no row may take another's place.
TEST_F(Exchange, NoSuspectTakesTheNameOfAnother) {
  auto rows = std::vector{test::scored(1, 0, 1, 0.9), test::scored(2, 3, 4, 0.8), test::scored(3, 2, 5, 0.7),
                          test::scored(4, 2, 5, 0.6)};
  rows[0].path = "a/x1.jpg";
  rows[1].path = "a/x1.png";
  rows[2].path = "data/x.parquet#row=156";
  rows[3].path = "data/x.parquet#row=157";
  use(rows);
  std::set<std::string> names;
  const auto items = exported(ExchangeFormat::kDatumaro)["items"];
  for (const auto& item : items) names.insert(item["id"].get<std::string>());
  EXPECT_THAT(names, ::testing::ElementsAre("pre/a/x1.jpg", "pre/a/x1.png", "pre/data/x-row-156",
                                            "pre/data/x-row-157"));
  // FiftyOne looks for images without their endings: it would find neither of the first two.
  EXPECT_THAT(error_of([&] { exported(ExchangeFormat::kFiftyOne); }), HasSubstr("--image-prefix"));
  const ExportedImages absolute{"/pre/", {{3, "data/x-row-156.jpg"}, {4, "data/x-row-157.jpg"}}};
  auto document = Json::parse(export_suspects(report_, table_, ExchangeFormat::kFiftyOne, absolute));
  names.clear();
  for (auto& [name, label] : document["labels"].items()) {
    names.insert(name);
    label = "Snowy Owl";  // as a tool gives it back that drops attributes
  }
  EXPECT_THAT(names, ::testing::ElementsAre("/pre/a/x1.jpg", "/pre/a/x1.png", "/pre/data/x-row-156.jpg",
                                            "/pre/data/x-row-157.jpg"));
  const auto back = import("labels.json", document.dump());
  ASSERT_EQ(back.decisions.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(back.decisions[i].sample, static_cast<std::int64_t>(i + 1));
}

TEST_F(Exchange, TwoLabelsOfOneImageAreRefusedWhereTheFormatHasOne) {
  auto rows = std::vector{test::scored(1, 0, 1, 0.9), test::scored(2, 3, 4, 0.8)};
  rows[1].path = rows[0].path;
  use(rows);
  EXPECT_THAT(error_of([&] { exported(ExchangeFormat::kFiftyOne); }), HasSubstr("Use --format label-studio"));
  const auto items = exported(ExchangeFormat::kDatumaro)["items"];
  EXPECT_EQ(items[0]["id"], "pre/0/1.jpg");
  EXPECT_EQ(items[1]["id"], "pre/0/1.jpg@2");
  EXPECT_EQ(items[1]["image"]["path"], "pre/0/1.jpg");
}

TEST_F(Exchange, ImagesInsideParquetBecomeFiles) {
  test::write_image(folder_ / "one.jpg", 1);
  const auto parquet = folder_ / "set/data/x.parquet";
  std::filesystem::create_directories(parquet.parent_path());
  const auto script =
      folder_.write("embed.py",
                    "import sys, pyarrow as pa, pyarrow.parquet as pq\n"
                    "picture = open(sys.argv[1], 'rb').read()\n"
                    "images = [{'bytes': b'no', 'path': None}, {'bytes': picture, 'path': None}]\n"
                    "pq.write_table(pa.table({'image': images}), sys.argv[2])\n");
  ASSERT_EQ(test::run_program(test::python_program(), {script, folder_ / "one.jpg", parquet}).exit_code, 0);
  auto rows = std::vector{test::scored(1, 0, 1, 0.9), test::scored(2, 3, 4, 0.8)};
  rows[0].path = "data/x.parquet#row=1";
  use(rows);
  EXPECT_TRUE(has_embedded_images(report_));
  const auto written = write_embedded_images(report_, ImageStore(folder_ / "set"), folder_ / "out");
  EXPECT_THAT(written, ::testing::ElementsAre(::testing::Pair(1, "data/x-row-1.jpg")));
  EXPECT_EQ(read_file(folder_ / "out/data/x-row-1.jpg"), read_file(folder_ / "one.jpg"));
  const auto tasks =
      Json::parse(export_suspects(report_, table_, ExchangeFormat::kLabelStudio, {"pre/", written}));
  EXPECT_EQ(tasks[0]["data"]["image"], "pre/data/x-row-1.jpg");
  EXPECT_EQ(tasks[1]["data"]["image"], "pre/3/2.jpg") << "a file stays where it is";
  rows[0].path = "data/x.parquet#row=7";
  use(rows);
  EXPECT_THAT(error_of([&] { write_embedded_images(report_, ImageStore(folder_ / "set"), folder_ / "out"); }),
              HasSubstr("the image of sample 1 (data/x.parquet#row=7) cannot be written out"));
}

TEST_F(Exchange, CsvHasColumnsToFillIn) {
  const auto text = export_suspects(report_, table_, ExchangeFormat::kCsv, {});
  EXPECT_THAT(text, StartsWith("sample_id,path,label_name,suggested_name,p_mislabelled,why,verdict,new_label,"
                               "node,reviewer\n1,0/1.jpg,Herring Gull,Western Gull,0.9,"));
  EXPECT_THAT(text, HasSubstr("easily confused.\",,,,\n2,"));
}

TEST_F(Exchange, FormatsAreKnownByName) {
  for (const auto& name : exchange_format_names())
    EXPECT_EQ(to_string(exchange_format_from_string(name)), name);
  EXPECT_THAT(error_of([] { exchange_format_from_string("datumarro"); }),
              HasSubstr("did you mean 'datumaro'"));
  EXPECT_THAT(error_of([&] { export_suspects(report_, table_, ExchangeFormat::kDecisions, {}); }),
              HasSubstr("cannot be exported as decisions"));
}

}  // namespace
}  // namespace procsim::curate
