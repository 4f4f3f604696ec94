// Label sets and scores meet the tools that people use beside ours: pandas, pyarrow, DuckDB.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/labels/label_set.hpp"
#include "data/labels/scores.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

class Interchange : public ::testing::Test {
 protected:
  // Runs a Python program in the folder and returns what it prints.
  std::string python(const std::string& program) {
    const auto script = folder_.write("script.py", program);
    const auto result =
        test::run_program(test::python_program().string(), {script.string()}, {folder_.path(), {}, ""});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  TemporaryFolder folder_;
};

TEST_F(Interchange, AMillionRowsOpenInPandasPyarrowAndDuckDb) {
  LabelSet set;
  set.info.dataset = "million";
  for (int i = 0; i < 100; ++i)
    set.info.classes.push_back({"Class " + std::to_string(i), "", "node." + std::to_string(i)});
  set.info.provenance["seed"] = 7;
  std::int64_t label_sum = 0;
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    const auto label = static_cast<std::int32_t>(i * 7 % 100);
    label_sum += label;
    set.rows.push_back({i, "images/" + std::to_string(i) + ".jpg", i % 5 == 0 ? "test" : "train", label,
                        i % 10 == 0 ? std::nullopt : std::optional<std::int32_t>(label)});
  }
  write_label_set(folder_ / "labels.parquet", set, IfExists::kFail);
  const auto out = python(R"py(
import json, duckdb, pandas, pyarrow.parquet as pq
frame = pandas.read_parquet("labels.parquet")
print(len(frame), frame.label.sum(), frame.true_label.isna().sum(), (frame.split == "test").sum(), frame.path[999999])
print(frame.dtypes.sample_id, frame.dtypes.label, frame.split.dtype.name)
header = json.loads(pq.read_schema("labels.parquet").metadata[b"procsim"])
print(header["format"], header["version"], header["dataset"], len(header["classes"]), header["classes"][3]["node"], header["provenance"]["seed"])
print(duckdb.sql("select count(*), sum(label), count(true_label), count(*) filter (split = 'test') from 'labels.parquet'").fetchall()[0])
)py");
  const auto sum = std::to_string(label_sum);
  EXPECT_EQ(out, "1000000 " + sum + " 100000 200000 images/999999.jpg\n" + "int64 int64 category\n" +
                     "labelset 3 million 100 node.3 7\n" + "(1000000, " + sum + ", 900000, 200000)\n");
}

// What `datasets` does: it takes a feature from the key `huggingface` only where the column is exactly what
// it would write for it itself (Features.from_arrow_schema). Else a ClassLabel is a number.
TEST_F(Interchange, HuggingFaceTakesOurClassNames) {
  LabelSet set;
  set.info.dataset = "birds";
  set.info.classes = {{"Tern", "t", ""}, {"Gull", "g", ""}};
  set.rows = {{1, "x.jpg", "train", 0, kNoneOfThese}, {2, "y.jpg", "test", kUnlabelled, std::nullopt}};
  write_label_set(folder_ / "labels.parquet", set, IfExists::kFail);
  EXPECT_EQ(python(R"py(
import json, pyarrow as pa, pyarrow.parquet as pq
schema = pq.read_schema("labels.parquet")
for name, feature in json.loads(schema.metadata[b"huggingface"])["info"]["features"].items():
    if feature["_type"] == "ClassLabel":
        print(name, feature["names"], schema.field(name).equals(pa.field(name, pa.int64())))
)py"),
            "label ['Tern', 'Gull'] True\ntrue_label ['Tern', 'Gull'] True\n");
  EXPECT_EQ(read_label_set(folder_ / "labels.parquet").rows, set.rows);
}

constexpr const char* kWriteWithPyarrow = R"py(
import json, pyarrow as pa, pyarrow.parquet as pq
def write(name, label_type=pa.int64(), version=3, split=None, header=None, drop=None, labels=(0, 1, -1)):
    columns = {
        "sample_id": pa.array([5, 6, 7], pa.int64()),
        "path": pa.array(["a.jpg", "b.jpg", "c.jpg"]),
        "split": split if split is not None else pa.array(["train", "test", "train"]).dictionary_encode(),
        "label": pa.array(labels, label_type),
        "true_label": pa.array([0, None, 1], label_type),
    }
    if drop: del columns[drop]
    header = header or json.dumps({"format": "labelset", "version": version, "dataset": "foreign",
                         "classes": [{"name": "A"}, {"name": "B", "published": "002.B"}], "provenance": {}})
    pq.write_table(pa.table(columns).replace_schema_metadata({"procsim": header}), name)
write("good.parquet")
write("plain_split.parquet", split=pa.array(["train", "test", "train"]))
write("narrow_labels.parquet", label_type=pa.int32(), version=1)
write("real_label.parquet", label_type=pa.float64())
write("huge_label.parquet", labels=(0, 1 << 32, 1))
write("newer.parquet", version=4)
write("no_path.parquet", drop="path")
write("other_format.parquet", header='{"format": "scores", "version": 1}')
write("bad_json.parquet", header='{"format": ')
write("no_classes.parquet", header='{"format": "labelset", "version": 1, "dataset": "x"}')
write("null_split.parquet", split=pa.array(["train", None, "train"]))
pq.write_table(pa.table({"x": [1]}), "unrelated.parquet")
)py";

TEST_F(Interchange, FilesOfTheDocumentedSchemaByPyarrowAreRead) {
  python(kWriteWithPyarrow);
  for (const auto* name : {"good.parquet", "plain_split.parquet", "narrow_labels.parquet"}) {
    const auto set = read_label_set(folder_ / name);
    const std::vector<LabelRow> expected = {{5, "a.jpg", "train", 0, 0},
                                            {6, "b.jpg", "test", 1, std::nullopt},
                                            {7, "c.jpg", "train", kUnlabelled, 1}};
    EXPECT_EQ(set.rows, expected) << name;
    EXPECT_EQ(set.info.dataset, "foreign");
    EXPECT_EQ(set.info.classes[1].published, "002.B");
  }
}

TEST_F(Interchange, FilesOfAnotherSchemaAreRefusedWithWhatIsWrong) {
  python(kWriteWithPyarrow);
  const auto error = [&](const char* name) { return error_of([&] { read_label_set(folder_ / name); }); };
  EXPECT_THAT(error("real_label.parquet"), HasSubstr("column 'label' is double, expected int64"));
  EXPECT_THAT(error("huge_label.parquet"), HasSubstr("label 4294967296 in row 1 is no class"));
  EXPECT_THAT(error("newer.parquet"),
              HasSubstr("is labelset/4, this program reads labelset up to version 3"));
  EXPECT_THAT(error("no_path.parquet"), HasSubstr("has no column 'path'"));
  EXPECT_THAT(error("other_format.parquet"), HasSubstr("holds 'scores', expected 'labelset'"));
  EXPECT_THAT(error("bad_json.parquet"), HasSubstr("is damaged"));
  EXPECT_THAT(error("no_classes.parquet"), HasSubstr("classes"));
  EXPECT_THAT(error("null_split.parquet"), HasSubstr("split is null in row 1"));
  EXPECT_THAT(error("unrelated.parquet"), HasSubstr("no labelset file"));
}

TEST_F(Interchange, OurFilesRewrittenByPyarrowAreReadAgain) {
  LabelSet set;
  set.info.dataset = "round";
  set.info.classes = {{"A", "a", ""}, {"B", "b", ""}};
  set.rows = {{1, "x.jpg", "train", 0, 1}, {2, "y.jpg", "test", 1, std::nullopt}};
  write_label_set(folder_ / "ours.parquet", set, IfExists::kFail);
  python("import pyarrow.parquet as pq\npq.write_table(pq.read_table('ours.parquet'), 'theirs.parquet')\n");
  EXPECT_EQ(read_label_set(folder_ / "theirs.parquet").rows, set.rows);
}

TEST_F(Interchange, OurFilesEditedInPandasAreReadAgain) {
  LabelSet set;
  set.info.dataset = "round";
  set.info.classes = {{"A", "a", ""}, {"B", "b", ""}};
  set.rows = {{1, "x.jpg", "train", 0, 1}, {2, "y.jpg", "test", 1, 0}};
  write_label_set(folder_ / "ours.parquet", set, IfExists::kFail);
  python(R"py(
import pandas, pyarrow as pa, pyarrow.parquet as pq
ours = pq.read_schema("ours.parquet")
frame = pandas.read_parquet("ours.parquet")
frame.loc[0, "label"] = 1
table = pa.Table.from_pandas(frame, preserve_index=False)
header = {**table.schema.metadata, b"procsim": ours.metadata[b"procsim"]}
pq.write_table(table.replace_schema_metadata(header), "pandas.parquet")
# With the schema of our file, true labels may be missing.
frame.loc[1, "true_label"] = None
pq.write_table(pa.Table.from_pandas(frame, schema=ours, preserve_index=False), "schema.parquet")
)py");
  set.rows[0].label = 1;
  EXPECT_EQ(read_label_set(folder_ / "pandas.parquet").rows, set.rows);
  set.rows[1].true_label.reset();
  EXPECT_EQ(read_label_set(folder_ / "schema.parquet").rows, set.rows);
}

TEST_F(Interchange, TextOfEveryWidthIsRead) {
  LabelSet set;
  set.info.dataset = "wide";
  set.info.classes = {{"A", "a", ""}};
  set.rows = {{1, "x.jpg", "train", 0, 0}, {2, "a/path/longer/than/twelve.jpg", "test", 0, 0}};
  write_label_set(folder_ / "ours.parquet", set, IfExists::kFail);
  ScoresWriter scores(folder_ / "scores.parquet", IfExists::kFail);
  std::vector<ScoreRow> rows(2);
  rows[0].path = "x.jpg";
  rows[0].near_given = {7, 8};
  rows[1].path = "a/path/longer/than/twelve.jpg";
  rows[1].sample_id = 1;
  rows[1].rivals = {{0, 0.5f}};
  scores.append(rows);
  scores.finish({"wide", set.info.classes, {}, {}});
  python(R"py(
import pyarrow as pa, pyarrow.parquet as pq
def widen(type, text):
    if pa.types.is_list(type): return pa.large_list(type.value_type)
    return text if pa.types.is_string(type) or pa.types.is_dictionary(type) else type
texts = {"large": pa.large_string(), "view": pa.string_view(), "coded": pa.dictionary(pa.int32(), pa.string()),
         "wide_coded": pa.dictionary(pa.int32(), pa.large_string())}
for source in ("ours", "scores"):
    table = pq.read_table(source + ".parquet")
    for name, text in texts.items():
        def convert(column):
            wanted = widen(column.type, text)
            if column.type == wanted: return column
            if pa.types.is_dictionary(column.type): column = column.cast(pa.string())
            if pa.types.is_dictionary(wanted): return column.cast(wanted.value_type).dictionary_encode()
            return pa.chunked_array([pa.array(column.to_pylist(), wanted)])
        changed = pa.table({c: convert(table[c]) for c in table.column_names})
        assert changed["path"].type == text, changed["path"].type
        pq.write_table(changed.replace_schema_metadata(table.schema.metadata), f"{source}_{name}.parquet")
)py");
  for (const std::string name : {"large", "view", "coded", "wide_coded"}) {
    EXPECT_EQ(read_label_set(folder_ / ("ours_" + name + ".parquet")).rows, set.rows) << name;
    EXPECT_EQ(ScoresReader(folder_ / ("scores_" + name + ".parquet")).next(), rows) << name;
  }
}

TEST_F(Interchange, ScoresWithNullsAreRefused) {
  ScoresWriter writer(folder_ / "ours.parquet", IfExists::kFail);
  std::vector<ScoreRow> rows(20'000);  // more than is read at once
  for (auto& row : rows) {
    row.rivals = {{0, 0.5f}};
    row.near_given = {1};
  }
  writer.append(rows);
  writer.finish({"nulls", {{"A", "a", ""}}, {}, {}});
  python(R"py(
import pyarrow as pa, pyarrow.parquet as pq
table = pq.read_table("ours.parquet")
for name in table.column_names:
    for kind in ["null", "inner"] if pa.types.is_list(table[name].type) else ["null"]:
        values = table[name].to_pylist()
        values[17000] = [None] if kind == "inner" else None
        type = pa.list_(table[name].type.value_type) if pa.types.is_list(table[name].type) else table[name].type
        changed = table.set_column(table.column_names.index(name), pa.field(name, type), pa.array(values, type))
        pq.write_table(changed, f"{name}_{kind}.parquet")
)py");
  const auto error = [&](const std::string& name) {
    return error_of([&] {
      ScoresReader reader(folder_ / (name + ".parquet"));
      while (!reader.next().empty()) {
      }
    });
  };
  EXPECT_EQ(error("true_label_null"), "(no error)");
  for (const std::string name :
       {"sample_id", "path", "label", "proxy_loss", "confidence", "p_mislabelled", "suspicion", "p_given",
        "margin", "suggested", "rival_labels", "rival_probabilities", "near_given", "near_suggested",
        "duplicates", "fold"}) {
    EXPECT_THAT(error(name + "_null"), HasSubstr(": " + name + " is null in row 17000"));
  }
  for (const std::string name :
       {"rival_labels", "rival_probabilities", "near_given", "near_suggested", "duplicates"}) {
    EXPECT_THAT(error(name + "_inner"), HasSubstr(": " + name + " holds a null in row 17000"));
  }
}

}  // namespace
}  // namespace procsim
