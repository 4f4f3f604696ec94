#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/curate/exchange/exchange_fixture.hpp"
#include "tests/support/errors.hpp"

namespace procsim::curate {
namespace {

using Json = nlohmann::ordered_json;
using test::error_of;
using ::testing::HasSubstr;

TEST_F(Exchange, AnnotatedLabelStudioTasksComeBackAsDecisions) {
  auto tasks = exported(ExchangeFormat::kLabelStudio);
  const auto annotate = [&](std::size_t task, const std::string& choice, Json who, bool cancelled = false) {
    Json result{{"type", "choices"}, {"from_name", "label"}, {"to_name", "image"}};
    result["value"]["choices"] = Json::array({choice});
    Json annotation{
        {"completed_by", who}, {"was_cancelled", cancelled}, {"updated_at", "2026-01-02T03:04:05Z"}};
    annotation["result"] = Json::array({result});
    tasks[task]["annotations"].push_back(annotation);
  };
  annotate(0, "Western Gull", {{"email", "ada@example.org"}});
  annotate(0, "Herring Gull", 7);
  annotate(1, std::string(kNoneChoice), 7);
  annotate(2, "Snowy Owl", 7, true);
  const auto result = import("tasks.json", tasks.dump());
  EXPECT_EQ(result.format, ExchangeFormat::kLabelStudio);
  ASSERT_EQ(result.decisions.size(), 3U) << "a cancelled one is none";
  EXPECT_EQ(result.decisions[0].verdict, "relabel");
  EXPECT_EQ(result.decisions[0].new_label, 1);
  EXPECT_EQ(result.decisions[0].reviewer, "ada@example.org");
  EXPECT_EQ(result.decisions[0].time, "2026-01-02T03:04:05Z");
  EXPECT_EQ(result.decisions[1].verdict, "keep");
  EXPECT_EQ(result.decisions[1].reviewer, "label-studio:7");
  EXPECT_EQ(result.decisions[2].verdict, "none");
}

TEST_F(Exchange, SamplesAreNamedByWholeNumbersOnly) {
  const auto of = [&](const std::string& sample) {
    return R"({"format":"decisions/1","decisions":[{"sample":)" + sample + R"(,"verdict":"keep"}]})";
  };
  for (const std::string sample : {"1", "1.0", "\"1\"", "\"1.0\""})
    EXPECT_EQ(import("own.json", of(sample)).decisions.at(0).sample, 1) << sample;
  for (const std::string sample : {"1.5", "\"1.5\"", "\"1st\"", "\"\"", "1e300", "null", "true"})
    EXPECT_THAT(error_of([&] { import("own.json", of(sample)); }),
                HasSubstr("'sample' is missing or not a sample id"))
        << sample;
}

// Whatever reads such values level by level would run out of stack.
TEST_F(Exchange, JsonNestedWithoutEndIsRefused) {
  constexpr std::size_t kDeep = 300'000;
  const auto deep = std::string(kDeep, '[') + std::string(kDeep, ']');
  for (const auto& text : {R"({"classes":[)" + deep + R"(],"labels":{}})",
                           R"({"format":"decisions/1","decisions":[{"sample":1,"verdict":)" + deep + "}]}",
                           R"([{"data":{"sample_id":1},"annotations":)" + deep + "}]"})
    EXPECT_THAT(error_of([&] { import("deep.json", text); }),
                HasSubstr("deep.json: nested more than 1000 levels"));
}

TEST_F(Exchange, DatumaroTellsChangedLabelsFromUntouchedOnes) {
  auto document = exported(ExchangeFormat::kDatumaro);
  document["items"][0]["annotations"][0]["label_id"] = 1;
  document["items"][1]["annotations"] = Json::array();
  auto result = import("default.json", document.dump());
  EXPECT_EQ(result.format, ExchangeFormat::kDatumaro);
  ASSERT_EQ(result.decisions.size(), 2U);
  EXPECT_EQ(result.decisions[0].new_label, 1);
  EXPECT_EQ(result.decisions[1].verdict, "none");
  EXPECT_EQ(result.decisions[1].sample, 2);
  EXPECT_EQ(result.unchanged, 1U);
  ImportOptions keep;
  keep.unchanged_is_keep = true;
  result = import("default2.json", document.dump(), keep);
  EXPECT_EQ(result.decisions.size(), 3U);
  EXPECT_EQ(result.decisions[2].verdict, "keep");
}

// A program that keeps ids and drops what it does not know: every label still finds its sample.
TEST_F(Exchange, DatumaroItemsComeBackWithoutTheirAttributes) {
  auto rows = std::vector{test::scored(1, 0, 1, 0.9), test::scored(2, 3, 4, 0.8), test::scored(3, 2, 5, 0.7),
                          test::scored(4, 2, 5, 0.6)};
  rows[0].path = "a/x1.jpg";
  rows[1].path = "a/x1.png";
  rows[2].path = "a/x1";
  rows[3].path = "data/x.parquet#row=156";
  use(rows);
  auto document = Json::parse(
      export_suspects(report_, table_, ExchangeFormat::kDatumaro, {"pre/", {{4, "data/x-row-156.jpg"}}}));
  std::set<std::string> ids;
  for (auto& item : document["items"]) {
    ids.insert(item["id"].get<std::string>());
    item.erase("attr");
    item["annotations"][0].erase("attributes");
    item["annotations"][0]["label_id"] = 1;
  }
  EXPECT_EQ(ids.size(), 4U);
  for (const bool with_paths : {true, false}) {
    if (!with_paths)
      for (auto& item : document["items"]) item.erase("image");
    const auto back = import(with_paths ? "paths.json" : "ids.json", document.dump());
    ASSERT_EQ(back.decisions.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(back.decisions[i].sample, static_cast<std::int64_t>(i + 1));
  }
}

TEST_F(Exchange, FiftyOneLabelsComeBackByIdOrPath) {
  auto document = exported(ExchangeFormat::kFiftyOne);
  document["labels"]["pre/0/1"]["label"] = "Western Gull";
  document["labels"]["pre/3/2"] = "Snowy Owl";  // written by hand, no attributes left
  const auto result = import("labels.json", document.dump());
  EXPECT_EQ(result.format, ExchangeFormat::kFiftyOne);
  ASSERT_EQ(result.decisions.size(), 2U);
  EXPECT_EQ(result.decisions[0].sample, 1);
  EXPECT_EQ(result.decisions[1].sample, 2);
  EXPECT_EQ(result.decisions[1].new_label, 5);
}

TEST_F(Exchange, FiftyOneLabelsMayBeNumbersListsOrMissing) {
  // As FiftyOne's own exporter writes them: class numbers where it knows the classes, lists for several
  // labels.
  const auto result = import("labels.json", R"({"classes": ["Snowy Owl", "Western Gull", "Herring Gull"],
    "labels": {"0/1": 1, "3/2": null, "2/3": [{"label": 0}, {"label": 1}]}})");
  ASSERT_EQ(result.decisions.size(), 3U);
  EXPECT_EQ(result.decisions[0].sample, 1);
  EXPECT_EQ(result.decisions[0].new_label, 1) << "Western Gull, by name";
  EXPECT_EQ(result.decisions[1].verdict, "none");
  EXPECT_EQ(result.decisions[2].verdict, "ambiguous");
  EXPECT_THROW(import("bad.json", R"({"classes": ["Snowy Owl"], "labels": {"0/1": 4}})"), Error);
}

TEST_F(Exchange, LabelStudiosShortFormIsReadToo) {
  const auto result = import("min.json", R"([
    {"image": "pre/0/1.jpg", "id": 1, "sample_id": 1, "label": "Western Gull", "annotator": 3, "updated_at": "2026-01-31T12:00:01Z"},
    {"image": "pre/3/2.jpg", "id": 2, "sample_id": 2, "label": {"choices": ["Snowy Owl", "Fox Sparrow"]}, "annotator": 3},
    {"image": "pre/2/3.jpg", "id": 3, "sample_id": 3}])");
  EXPECT_EQ(result.format, ExchangeFormat::kLabelStudio);
  ASSERT_EQ(result.decisions.size(), 2U) << "the third was not annotated";
  EXPECT_EQ(result.decisions[0].new_label, 1);
  EXPECT_EQ(result.decisions[0].reviewer, "label-studio:3");
  EXPECT_EQ(result.decisions[0].time, "2026-01-31T12:00:01Z");
  EXPECT_EQ(result.decisions[1].verdict, "ambiguous");
}

TEST_F(Exchange, CsvIsReadWhereItIsFilledIn) {
  const auto text = export_suspects(report_, table_, ExchangeFormat::kCsv, {});
  EXPECT_TRUE(import("empty.csv", text).decisions.empty()) << "nothing is filled in yet";
  const auto result = import(
      "filled.csv",
      "sample_id,verdict,new_label,reviewer\n1,relabel,Western Gull,bob\n2,keep,,\n3,,,\n3,relabel,5,\n");
  ASSERT_EQ(result.decisions.size(), 3U);
  EXPECT_EQ(result.decisions[0].reviewer, "bob");
  EXPECT_EQ(result.decisions[1].reviewer, "ada");
  EXPECT_EQ(result.decisions[2].new_label, 5);
}

TEST_F(Exchange, OwnDecisionsKeepTheirUndo) {
  const auto result =
      import("decisions.json", R"({"format":"decisions/1","label_set":"label set","decisions":[
    {"sample":1,"verdict":"keep","reviewer":"me","time":"2026-01-31T12:00:01Z"},{"sample":1,"verdict":"undo","reviewer":"me","time":"2026-01-31T12:00:02Z"},
    {"sample":2,"verdict":"parent","node":"sparrow.n.01","reviewer":"me","time":"2026-01-31T12:00:03Z"}]})");
  EXPECT_EQ(result.label_set, "label set");
  ASSERT_EQ(result.decisions.size(), 3U);
  EXPECT_EQ(result.decisions[1].verdict, "undo");
  EXPECT_EQ(result.decisions[2].new_node, "sparrow.n.01");
  EXPECT_EQ(result.decisions[2].source, "import");
}

TEST_F(Exchange, DecisionsOfAnotherVersionAreRefused) {
  EXPECT_STREQ(kDecisionsFormat, "decisions/1") << "files of users have it";
  ImportOptions options;
  options.format = ExchangeFormat::kDecisions;
  EXPECT_THAT(error_of([&] { import("newer.json", R"({"format":"decisions/2","decisions":[]})", options); }),
              HasSubstr("its format is 'decisions/2', expected 'decisions/1'"));
}

TEST_F(Exchange, MistakesAreNamedWithTheirPlace) {
  EXPECT_THAT(error_of([&] { import("a.csv", "sample_id,verdict,new_label\n1,relabel,Westen Gull\n"); }),
              HasSubstr("row 1, column 'new_label'"));
  EXPECT_THAT(error_of([&] { import("b.csv", "sample_id,verdict\n1,kepp\n"); }),
              HasSubstr("did you mean 'keep'"));
  EXPECT_THAT(error_of([&] { import("c.csv", "sample_id,verdict\n77,keep\n"); }),
              HasSubstr("sample 77 is not in the scores"));
  EXPECT_THAT(error_of([&] { import("d.csv", "sample_id,verdict\n1,relabel\n"); }),
              HasSubstr("names no class"));
  EXPECT_THAT(error_of([&] { import("e.csv", "a,b\n1,2\n"); }), HasSubstr("no column path"));
  EXPECT_THAT(error_of([&] { import("f.json", "{\"x\":1}"); }), HasSubstr("--format"));
  EXPECT_THAT(error_of([&] { import("g.json", "{\"format\":\"decisions/1\"}"); }), HasSubstr("not the JSON"));
  EXPECT_THAT(error_of([&] { import("h.json", "[{\"data\":{}}]"); }), HasSubstr("'sample_id' is missing"));
  EXPECT_THAT(
      error_of([&] { import("i.json", R"({"format":"decisions/1","classes":["Dodo"],"decisions":[]})"); }),
      HasSubstr("other classes"));
}

}  // namespace
}  // namespace procsim::curate
