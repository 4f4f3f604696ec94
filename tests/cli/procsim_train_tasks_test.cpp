#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/files/table.hpp"
#include "data/images/image.hpp"
#include "tests/cli/procsim_train_workspace.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// What is done with finished runs: tiny-1 is trained for all of these tests.
class ProcsimTrainTasks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    workspace = std::make_unique<test::TrainWorkspace>();
    ASSERT_EQ(workspace->run(workspace->quick()).exit_code, 0);
  }
  static void TearDownTestSuite() { workspace.reset(); }

  static inline std::unique_ptr<test::TrainWorkspace> workspace;
};

TEST_F(ProcsimTrainTasks, EvalRepeatsTheRunsOwnMetrics) {
  const auto result =
      workspace->run({"eval", "--run", "tiny-1", "--json", "--device", "cpu", "--threads", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto metrics = nlohmann::json::parse(result.out);
  const auto lines = test::read_all(workspace->run_folder("tiny-1") / "metrics.jsonl");
  const auto last = nlohmann::json::parse(lines.substr(lines.rfind('\n', lines.size() - 2) + 1));
  for (const char* name : {"recall@1", "recall@8", "r_precision", "map@r", "nmi"})
    EXPECT_EQ(metrics[name], last[name]) << name;
}

TEST_F(ProcsimTrainTasks, SheetsShowQueriesWithTheirNeighbours) {
  const auto folder = workspace->dataset.folder / "sheets";
  const auto result =
      workspace->run({"eval", "--sheets", "3", "--output", folder.string(), "--device", "cpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  int sheets = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto image = decode_image(test::read_all(entry.path()), entry.path().string());
    EXPECT_EQ(image.height, 112);
    EXPECT_GT(image.width, 9 * 112);
    ++sheets;
  }
  EXPECT_EQ(sheets, 3);
}

TEST_F(ProcsimTrainTasks, EmbedWritesUnitVectorsToParquet) {
  const auto out = (workspace->dataset.folder / "embeddings.parquet").string();
  const auto result = workspace->run({"embed", "--output", out, "--device", "cpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto table = read_parquet_table(out);
  EXPECT_EQ(table.rows(), 96);
  const auto& lists = std::get<TableColumn::FloatLists>(table.find("embedding")->values);
  EXPECT_EQ(lists.width, 16);
  double norm = 0;
  for (int i = 0; i < 16; ++i)
    norm += lists.values[static_cast<std::size_t>(i)] * lists.values[static_cast<std::size_t>(i)];
  EXPECT_NEAR(norm, 1, 1e-5);
  EXPECT_EQ(workspace->run({"embed", "--output", out}).exit_code, 1) << "never replaces unasked";
  EXPECT_EQ(
      workspace->run({"embed", "--output", out, "--force", "--split", "test", "--device", "cpu"}).exit_code,
      0);
  EXPECT_EQ(read_parquet_table(out).rows(), 48);
}

TEST_F(ProcsimTrainTasks, ExportLoadsInPythonWithTheSameNames) {
  const auto out = (workspace->dataset.folder / "exported").string();
  const auto result = workspace->run({"export", "--output", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string code = "import sys; sys.path.insert(0, r'" +
                           (test::source_folder() / "scripts").string() +
                           "')\nfrom load_embedder import load_embedder\nm, c = load_embedder(r'" + out +
                           "')\nprint(c['architecture'], c['dimension'])";
  const auto python = test::run_program(test::python_program().string(), {"-c", code});
  EXPECT_EQ(python.exit_code, 0) << python.err;
  EXPECT_EQ(python.out, "small 16\n");
  auto config = nlohmann::json::parse(test::read_all(std::filesystem::path(out) / "config.json"));
  config["format"] = "embedder/2";
  workspace->dataset.folder.write("exported/config.json", config.dump());
  const auto newer = test::run_program(test::python_program().string(), {"-c", code});
  EXPECT_EQ(newer.exit_code, 1);
  EXPECT_THAT(newer.err, HasSubstr("it is embedder/2, not embedder/1"));
}

TEST_F(ProcsimTrainTasks, RunsAreListedAndCompared) {
  const auto text = workspace->run({"runs"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("tiny-1"));
  EXPECT_THAT(text.out, HasSubstr("uniform 0.1 seed 1"));
  const auto json = nlohmann::json::parse(workspace->run({"runs", "--json", "--metric", "nmi"}).out);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["status"], "done");
  EXPECT_TRUE(json[0]["last"].is_number());
  const auto unknown = workspace->run({"runs", "tiny-11"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("tiny-1"));
}

TEST_F(ProcsimTrainTasks, RunsAreDrawnBesideEachOther) {
  const test::TrainWorkspace two;
  ASSERT_EQ(two.run(two.quick({"--name", "first"})).exit_code, 0);
  ASSERT_EQ(two.run(two.quick({"--name", "second", "--method", "ms"})).exit_code, 0);
  ASSERT_EQ(two.run(two.quick({"--name", "third", "--method", "ms"})).exit_code, 0);
  const auto page = two.dataset.folder / "compared.html";
  const auto result = two.run({"runs", "--compare", "second", "first", "--html", page.string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto text = test::read_all(page);
  EXPECT_THAT(text, HasSubstr("second, first"));
  EXPECT_THAT(text, HasSubstr("first (procsim)"));
  EXPECT_THAT(text, HasSubstr("second (ms)"));
  EXPECT_THAT(text, HasSubstr("line-1")) << "both in one picture";
  EXPECT_THAT(text, Not(HasSubstr("third")));
  EXPECT_THAT(result.out, Not(HasSubstr("third")));
  EXPECT_EQ(workspace->run({"runs", "--html"}).exit_code, 2);
}

bool steers_terminal(const std::string& text) { return text.find('\x1b') != std::string::npos; }

// What others named: labels in a workspace, folders.
TEST_F(ProcsimTrainTasks, NamesSteerNoTerminal) {
  const test::TrainWorkspace other;
  auto opened = Workspace::open(other.dataset.folder.path());
  const auto file = other.dataset.folder / "red.parquet";
  std::filesystem::copy_file(other.dataset.label_file(), file);
  auto labels = opened.label_sets("tiny").front();
  labels.path = opened.stored_path(file);
  labels.summary = "red\x1b[31m";
  opened.put_label_set(labels);
  ASSERT_EQ(other.run(other.quick({"--epochs", "1"})).exit_code, 0);
  const auto runs = other.run({"runs", "--metric", "none\x1b[32m"});
  EXPECT_EQ(runs.exit_code, 0) << runs.err;
  EXPECT_THAT(runs.out, HasSubstr(R"(red\x1b[31m)"));
  EXPECT_THAT(runs.out, HasSubstr(R"(none\x1b[32m)"));
  EXPECT_FALSE(steers_terminal(runs.out)) << runs.out;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"eval", "--sheets", "1", "--device", "cpu"},
        {"embed", "--device", "cpu"},
        {"export"}}) {
    auto all = words;
    all.insert(all.end(), {"--output", (other.dataset.folder / (words.front() + "\x1b[33m")).string()});
    const auto result = other.run(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(words.front() + R"(\x1b[33m)"));
    EXPECT_FALSE(steers_terminal(result.out + result.err)) << words.front();
  }
}

TEST_F(ProcsimTrainTasks, ADamagedConfigurationIsNamed) {
  const auto run = workspace->dataset.folder / "damaged";
  std::filesystem::copy(workspace->run_folder("tiny-1"), run, std::filesystem::copy_options::recursive);
  auto config = nlohmann::json::parse(test::read_all(run / "config.json"));
  config["skip_broken"] = "perhaps";
  workspace->dataset.folder.write("damaged/config.json", config.dump());
  const auto result =
      workspace->run({"eval", "--run", run.string(), "--labels", workspace->dataset.label_file().string(),
                      "--root", workspace->dataset.root().string(), "--device", "cpu"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("damaged/config.json is damaged"));
}

TEST_F(ProcsimTrainTasks, UnknownRunsSuggestTheNearest) {
  const auto result = workspace->run({"eval", "--run", "tiny-2"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("tiny-1"));
}

TEST_F(ProcsimTrainTasks, ModelsSaysWhatIsThere) {
  const auto folder = workspace->dataset.folder / "models";
  std::filesystem::create_directories(folder);
  const auto none = workspace->run({"models", "--models", folder.string()});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.out, HasSubstr("scripts/setup.sh --models"));
  const auto json =
      nlohmann::json::parse(workspace->run({"models", "--json", "--models", folder.string()}).out);
  EXPECT_TRUE(json["best"].is_null());
  EXPECT_GT(json["models"].size(), 30U);
  EXPECT_TRUE(json["models"][0]["file"].is_null());
}

TEST_F(ProcsimTrainTasks, MethodsSaysWhatEachKeepsAndNeeds) {
  const auto result = workspace->run({"methods"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("mcl+prism"));
  const auto json = nlohmann::json::parse(workspace->run({"methods", "--json"}).out);
  EXPECT_GT(json.size(), 25U);
  for (const auto& method : json)
    if (method["method"] == "mcl+prism") {
      EXPECT_TRUE(method["needs_noise_rate"].get<bool>());
      EXPECT_THAT(method["keeps"].get<std::string>(), HasSubstr("memory"));
      EXPECT_THAT(method["source"].get<std::string>(), HasSubstr("2021"));
    }
}

TEST_F(ProcsimTrainTasks, EveryHelpEndsWithAnExample) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--help"},
                                                                                     {"eval", "--help"},
                                                                                     {"embed", "--help"},
                                                                                     {"runs", "--help"},
                                                                                     {"export", "--help"},
                                                                                     {"guide", "--help"},
                                                                                     {"methods", "--help"},
                                                                                     {"models", "--help"},
                                                                                     {"table", "--help"}}) {
    const auto result = workspace->run(words);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("Example:\n  procsim-train")) << words.front();
  }
}

}  // namespace
}  // namespace procsim
