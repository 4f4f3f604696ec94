#include "curate/exchange/exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curate/evidence/foreign_scores.hpp"
#include "curate/report/report.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using Json = nlohmann::ordered_json;
using test::error_of;
using test::scored;
using ::testing::HasSubstr;

class Exchange : public ::testing::Test {
 protected:
  Exchange() : table_(test::bird_table({scored(1, 0, 1, 0.9), scored(2, 3, 4, 0.8), scored(3, 2, 5, 0.7)})) {
    const ClassFamilies families(test::bird_taxonomy(), test::bird_classes());
    const auto ranking = table_.ranking();
    report_ = make_report(table_, ranking, families, summarize(table_, ranking, families),
                          {"", "label set", "s"}, 10);
  }

  ImportedDecisions import(const std::string& name, const std::string& content, ImportOptions options = {}) {
    if (options.reviewer.empty()) options.reviewer = "ada";
    return import_decisions(folder_.write(name, content), table_, options);
  }
  Json exported(ExchangeFormat format) { return Json::parse(export_suspects(report_, format, "pre/")); }

  test::TemporaryFolder folder_;
  ScoreTable table_;
  Json report_;
};

TEST_F(Exchange, LabelStudioTasksCarryTheSuggestionAndComeBackAsDecisions) {
  auto tasks = exported(ExchangeFormat::kLabelStudio);
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks[0]["data"]["image"], "pre/0/1.jpg");
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["value"]["choices"][0], "Western Gull");
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["from_name"], "label");
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
  EXPECT_THAT(label_studio_config(report_), HasSubstr("<Choice value=\"Arctic Tern\"/>"));
}

TEST_F(Exchange, DatumaroTellsChangedLabelsFromUntouchedOnes) {
  auto document = exported(ExchangeFormat::kDatumaro);
  EXPECT_EQ(document["categories"]["label"]["labels"].size(), 6U);
  EXPECT_EQ(document["items"][0]["id"], "pre/0/1");
  EXPECT_EQ(document["items"][0]["annotations"][0]["label_id"], 0);
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
    {"image": "pre/0/1.jpg", "id": 1, "sample_id": 1, "label": "Western Gull", "annotator": 3, "updated_at": "t1"},
    {"image": "pre/3/2.jpg", "id": 2, "sample_id": 2, "label": {"choices": ["Snowy Owl", "Fox Sparrow"]}, "annotator": 3},
    {"image": "pre/2/3.jpg", "id": 3, "sample_id": 3}])");
  EXPECT_EQ(result.format, ExchangeFormat::kLabelStudio);
  ASSERT_EQ(result.decisions.size(), 2U) << "the third was not annotated";
  EXPECT_EQ(result.decisions[0].new_label, 1);
  EXPECT_EQ(result.decisions[0].reviewer, "label-studio:3");
  EXPECT_EQ(result.decisions[0].time, "t1");
  EXPECT_EQ(result.decisions[1].verdict, "ambiguous");
}

TEST_F(Exchange, CsvHasColumnsToFillIn) {
  auto text = export_suspects(report_, ExchangeFormat::kCsv, "");
  EXPECT_THAT(text, HasSubstr("verdict,new_label,node,reviewer"));
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
    {"sample":1,"verdict":"keep","reviewer":"me","time":"t1"},{"sample":1,"verdict":"undo","reviewer":"me","time":"t2"},
    {"sample":2,"verdict":"parent","node":"sparrow.n.01","reviewer":"me","time":"t3"}]})");
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

class ForeignScores : public ::testing::Test {
 protected:
  // Writes matrix.npy and the like with NumPy itself.
  void python(const std::string& code) {
    const auto result =
        test::run_program(test::python_program().string(), {"-c", code}, {folder_.path(), {}, {}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  ScoreTable scores(const std::string& file, ForeignScoresOptions options = {}) {
    make_foreign_scores(folder_ / file, folder_ / "labels.parquet", folder_ / "scores.parquet",
                        IfExists::kReplace, options);
    return read_scores(folder_ / "scores.parquet");
  }
  void SetUp() override {
    test::write_bird_labels(folder_ / "labels.parquet", {scored(10, 0, 1, 0), scored(11, 1, 0, 0),
                                                         scored(12, 2, 0, 0), scored(13, kUnlabelled, 0, 0)});
  }
  test::TemporaryFolder folder_;
};

const char* const kMatrix =
    "import numpy as np\np = np.full((3, 6), 0.02); p[0, 1] = 0.9; p[1, 1] = 0.9; p[2, 2] = 0.5; p[2, 5] = "
    "0.42\n";

TEST_F(ForeignScores, ReadNumpyMatricesInTheLabelSetsOrder) {
  python(std::string(kMatrix) + "np.save('p64.npy', p); np.save('p32.npy', p.astype('float32'))");
  for (const auto* file : {"p64.npy", "p32.npy"}) {
    const auto table = scores(file);
    ASSERT_EQ(table.size(), 3U) << "the unlabelled one is left out";
    const auto first = table.row(*table.find(10));
    EXPECT_EQ(first.suggested, 1);
    EXPECT_NEAR(first.margin, std::log(0.9 / 0.02), 1e-4);
    EXPECT_NEAR(first.p_given, 0.02, 1e-6);
    EXPECT_EQ(first.rivals.size(), 5U);
    EXPECT_GT(first.p_mislabelled, 0.5F);
    EXPECT_LT(table.row(*table.find(11)).p_mislabelled, 0.2F);
    EXPECT_EQ(table.row(*table.find(12)).suggested, 5);
    EXPECT_EQ(table.ranking().front(), 0U);
    EXPECT_EQ(table.info().provenance["label_set_digest"].get<std::string>().size(), 64U);
  }
}

TEST_F(ForeignScores, ReadCsvAndParquetByNameAndId) {
  python(std::string(kMatrix) + R"(
import pandas as pd
names = ['Herring Gull', '002.Western Gull', '2', 'p3', 'p_4', 'Snowy Owl']
table = pd.DataFrame(p, columns=names); table['sample_id'] = [10, 11, 12]
table = table.iloc[::-1]
table.to_csv('p.csv', index=False); table.to_parquet('p.parquet', index=False)
pd.DataFrame({'sample_id': [12, 10], 'probabilities': [list(p[2]), list(p[0])]}).to_parquet('lists.parquet', index=False)
)");
  for (const auto* file : {"p.csv", "p.parquet"}) {
    const auto table = scores(file);
    ASSERT_EQ(table.size(), 3U) << file;
    EXPECT_EQ(table.row(*table.find(10)).suggested, 1) << file;
    EXPECT_EQ(table.row(*table.find(12)).suggested, 5) << file;
  }
  EXPECT_EQ(scores("lists.parquet").size(), 2U);
}

TEST_F(ForeignScores, SayWhatDoesNotFit) {
  python(std::string(kMatrix) +
         "np.save('rows.npy', p[:2]); np.save('columns.npy', p[:, :5]); np.save('ints.npy', p.astype(int)); "
         "np.save('flat.npy', p[0])\n"
         "np.save('fortran.npy', np.asfortranarray(p)); p[1, 1] = 1.5; np.save('large.npy', p); p[1, 1] = "
         "np.nan; np.save('nan.npy', p)\n"
         "open('short.npy', 'wb').write(open('large.npy', 'rb').read()[:-30]); open('no.npy', "
         "'w').write('hello, this is text')");
  const auto error = [&](const char* file) { return error_of([&] { scores(file); }); };
  EXPECT_THAT(error("rows.npy"), HasSubstr("has 2 rows"));
  EXPECT_THAT(error("columns.npy"), HasSubstr("5 columns, but the label set has 6 classes"));
  EXPECT_THAT(error("ints.npy"), HasSubstr("float32 or float64"));
  EXPECT_THAT(error("flat.npy"), HasSubstr("samples × classes"));
  EXPECT_THAT(error("fortran.npy"), HasSubstr("Fortran"));
  EXPECT_THAT(error("large.npy"), HasSubstr("row 2"));
  EXPECT_THAT(error("nan.npy"), HasSubstr("not a probability"));
  EXPECT_THAT(error("no.npy"), HasSubstr("not a NumPy file"));
  EXPECT_THAT(error("missing.npy"), HasSubstr("cannot be read"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "scores.parquet"));
}

}  // namespace
}  // namespace procsim::curate
