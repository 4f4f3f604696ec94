#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sets/dataset.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

// All files of these tests, written by pyarrow in one go. An embedded image is 300 times its row's number,
// "17 17 17 …".
constexpr const char* kWriteFiles = R"(
import json, os, sys, pyarrow as pa, pyarrow.parquet as pq
os.chdir(sys.argv[1])
def put(name, columns, metadata=None, **more):
    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    pq.write_table(table.replace_schema_metadata(metadata), name, **more)
picture = lambda i: (f'{i} ' * 300).encode()
rows = lambda first, last: [{'bytes': picture(i), 'path': f'{i}.jpg'} for i in range(first, last)]
names = {'huggingface': json.dumps({'info': {'features': {
    'image': {'_type': 'Image'}, 'label': {'names': ['tern', 'gull', 'auk'], '_type': 'ClassLabel'}}}})}

put('plain.parquet', {'path': ['a.jpg', 'b.jpg', 'c.jpg'], 'label': [2, 0, None], 'split': ['train', 'Test', 'val']})
put('text.parquet', {'image_path': ['a.jpg', 'b.jpg'], 'class': ['tern', 'gull'], 'sample_id': [9, 4]})
put('dictionary.parquet', {'path': ['a', 'b'], 'label': pa.array(['tern', 'gull']).dictionary_encode()})
put('hf/data/train-00000-of-00002.parquet', {'image': rows(0, 50), 'label': [i % 3 for i in range(50)]}, names,
    row_group_size=20, data_page_size=2000, write_batch_size=2, use_dictionary=False)
put('hf/data/train-00001-of-00002.parquet', {'image': rows(50, 60), 'label': [0] * 10}, names)
put('hf/data/test-00000-of-00001.parquet', {'image': rows(60, 63), 'label': [1, 1, -1]}, names,
    data_page_version='2.0')
put('cifar/plain_text/train-00000-of-00001.parquet', {'image': rows(0, 2), 'label': [0, 1]}, names)
put('cifar/plain_text/test-00000-of-00001.parquet', {'image': rows(2, 3), 'label': [0]}, names)
put('paths_only.parquet', {'image': pa.array([{'bytes': None, 'path': 'x/a.jpg'}, {'bytes': None, 'path': 'x/b.jpg'}],
    pa.struct([('bytes', pa.binary()), ('path', pa.string())])), 'label': [0, 1]})
far = [{'bytes': None, 'path': os.path.abspath(f'pictures/{name}.jpg')} for name in ('auk/a', 'gull/b')]
put('tables/far.parquet', {'image': pa.array(far, pa.struct([('bytes', pa.binary()), ('path', pa.string())])),
    'label': [2, 1]}, names)
put('mixed.parquet', {'image': [{'bytes': picture(0), 'path': None}, {'bytes': None, 'path': 'x/a.jpg'},
    {'bytes': None, 'path': None}, {'bytes': None, 'path': '../secret'}], 'label': [0, 1, 0, 1]})
put('gaps.parquet', {'image': [{'bytes': picture(i) if i % 5 else None, 'path': f'{i}.jpg'} for i in range(1000)],
    'label': [i % 2 for i in range(1000)]}, row_group_size=300, data_page_size=2000, write_batch_size=2)
put('both.parquet', {'path': ['old/0.jpg', 'old/1.jpg'], 'md5': [b'x', b'y'], 'image': rows(0, 2), 'label': [0, 1]})
put('bytes_too.parquet', {'path': ['old/0.jpg'], 'image': [picture(0)], 'label': [0]})
put('digests.parquet', {'md5': [b'x', b'y'], 'path': ['a.jpg', 'b.jpg'], 'label': [0, 1]})
put('two_images.parquet', {'image': rows(0, 2), 'mask': rows(100, 102), 'label': [0, 1]})
put('binary.parquet', {'jpg': [picture(i) for i in range(3)], 'label': ['x', 'y', 'x']})
put('double.parquet', {'path': ['a'], 'label': [1.5]})
put('flag.parquet', {'path': [True], 'label': [1]})
put('large.parquet', {'image': [bytes(300 << 20), picture(1)], 'label': [0, 1]}, compression='zstd', use_dictionary=False,
    data_page_size=1 << 20, write_batch_size=1)
put('no_label.parquet', {'path': ['a'], 'size': [1]})
put('no_path.parquet', {'number': [3], 'label': [1]})
put('leaves.parquet', {'path': ['a', '../b'], 'label': [1, 1]})
put('absolute.parquet', {'path': [os.path.abspath('x/../a.jpg'), 'b.jpg'], 'label': [1, 1]})
put('null_path.parquet', {'path': ['a', None], 'label': [1, 1]})
put('twice.parquet', {'path': ['a', 'b'], 'label': [1, 1], 'sample_id': [3, 3]})
put('range.parquet', {'path': ['a', 'b'], 'label': [2, 3]}, names)
put('empty.parquet', {'path': pa.array([], pa.string()), 'label': pa.array([], pa.int32())})
put('list.parquet', {'path': ['a'], 'label': [[1]]})
zeros = pa.repeat(pa.scalar(0, pa.int32()), 2_000_000)
put('countless.parquet', {'path': pa.DictionaryArray.from_arrays(zeros, ['a']), 'label': zeros}, compression='zstd')
)";

class ParquetDataset : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    files_ = std::make_unique<TemporaryFolder>();
    const auto result =
        test::run_program(test::python_program().string(), {"-c", kWriteFiles, files_->path().string()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  static void TearDownTestSuite() { files_.reset(); }

  static fs::path file(const std::string& name) { return *files_ / name; }
  static Dataset open(const std::string& name, const DatasetOptions& options = {}) {
    return open_dataset(file(name).string(), options);
  }
  static std::string picture(int number) {
    std::string bytes;
    for (int i = 0; i < 300; ++i) bytes += std::to_string(number) + " ";
    return bytes;
  }
  static std::vector<std::string> names(const Dataset& dataset) {
    std::vector<std::string> result;
    for (const auto& entry : dataset.classes) result.push_back(entry.name);
    return result;
  }

  static std::unique_ptr<TemporaryFolder> files_;
};

std::unique_ptr<TemporaryFolder> ParquetDataset::files_;

TEST_F(ParquetDataset, ReadsPathsLabelsAndSplits) {
  const auto dataset = open("plain.parquet");
  EXPECT_EQ(dataset.name, "plain");
  EXPECT_EQ(dataset.kind, "parquet");
  EXPECT_EQ(dataset.root, files_->path());
  EXPECT_THAT(names(dataset), ElementsAre("0", "2"));
  ASSERT_EQ(dataset.samples.size(), 3u);
  EXPECT_EQ(dataset.samples[0].label, 1);
  EXPECT_EQ(dataset.samples[1].label, 0);
  EXPECT_EQ(dataset.samples[2].label, kUnlabelled);
  EXPECT_EQ(dataset.samples[1].path, "b.jpg");
  EXPECT_EQ(dataset.samples[1].split, "test");
  EXPECT_EQ(dataset.samples[2].split, "val");
}

TEST_F(ParquetDataset, TextAndDictionaryLabelsMakeClasses) {
  const auto text = open("text.parquet");
  EXPECT_THAT(names(text), ElementsAre("gull", "tern"));
  EXPECT_EQ(text.samples[0].label, 1);
  EXPECT_EQ(text.samples[0].id, 9);
  EXPECT_EQ(text.samples[1].id, 4);
  EXPECT_THAT(names(open("dictionary.parquet")), ElementsAre("gull", "tern"));
}

TEST_F(ParquetDataset, ColumnsAreChosenByNameOrIndex) {
  DatasetOptions options;
  options.label_column = "2";
  EXPECT_THAT(names(open("plain.parquet", options)), ElementsAre("Test", "train", "val"));
  options.label_column = "split";
  EXPECT_THAT(names(open("plain.parquet", options)), ElementsAre("Test", "train", "val"));
  options.label_column = "lable";
  expect_error([&] { open("plain.parquet", options); }, {"no column 'lable'", "did you mean 'label'"});
}

TEST_F(ParquetDataset, PartsInTheFolderOfAConfigurationAreFound) {
  files_->write("cifar/README.md", "# CIFAR");
  files_->write("cifar/.cache/huggingface/download/a.parquet", "not a part");
  const auto dataset = open("cifar");
  EXPECT_EQ(dataset.name, "cifar");
  ASSERT_EQ(dataset.samples.size(), 3u);
  EXPECT_EQ(dataset.samples[1].path, "plain_text/train-00000-of-00001.parquet#row=0");
  EXPECT_EQ(dataset.samples[1].split, "train");
  EXPECT_TRUE(missing_images(dataset).empty());
}

TEST_F(ParquetDataset, ImagesInsideWinOverAColumnOfPathsUnlessItIsNamed) {
  const auto dataset = open("both.parquet");
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[1].path), picture(1));
  EXPECT_TRUE(missing_images(dataset).empty());
  DatasetOptions options;
  options.path_column = "path";
  EXPECT_EQ(open("both.parquet", options).samples[1].path, "old/1.jpg");
  const auto plain_bytes = open("bytes_too.parquet");
  EXPECT_EQ(read_sample_bytes(plain_bytes.root, plain_bytes.samples[0].path), picture(0));
  EXPECT_EQ(open("digests.parquet").samples[1].path, "b.jpg") << "bytes that are no image";
}

TEST_F(ParquetDataset, AbsolutePathsMustLieBelowTheRoot) {
  EXPECT_EQ(open("absolute.parquet").samples[0].path, "a.jpg");
  fs::create_directories(file("elsewhere"));
  DatasetOptions options;
  options.root = file("elsewhere/");
  expect_error([&] { open("absolute.parquet", options); }, {"row 0", "a.jpg' is outside", "elsewhere"});
}

TEST_F(ParquetDataset, HuggingFacePartsGiveSplitsClassNamesAndImages) {
  const auto dataset = open("hf");
  EXPECT_EQ(dataset.name, "hf");
  EXPECT_THAT(names(dataset), ElementsAre("tern", "gull", "auk"));
  ASSERT_EQ(dataset.samples.size(), 63u);
  EXPECT_EQ(dataset.samples[0].path,
            "data/test-00000-of-00001.parquet#row=0");  // parts in the order of their names
  EXPECT_EQ(dataset.samples[0].split, "test");
  EXPECT_EQ(dataset.samples[2].label, kUnlabelled);
  EXPECT_EQ(dataset.samples[3].path, "data/train-00000-of-00002.parquet#row=0");
  EXPECT_EQ(dataset.samples[3].split, "train");
  EXPECT_EQ(dataset.samples[3 + 5].label, 2);
  EXPECT_TRUE(missing_images(dataset).empty());
  for (const auto& sample : dataset.samples) {
    const int number = sample.id < 3 ? 60 + static_cast<int>(sample.id) : static_cast<int>(sample.id) - 3;
    ASSERT_EQ(read_sample_bytes(dataset.root, sample.path), picture(number)) << sample.path;
  }
}

TEST_F(ParquetDataset, ImagesAreReadInAnyOrderFromSeveralThreads) {
  const auto root = file("hf");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const int row = (i * 17 + t * 11) % 50;
        const auto path = "data/train-00000-of-00002.parquet#row=" + std::to_string(row);
        wrong[static_cast<std::size_t>(t)] += read_sample_bytes(root, path) != picture(row);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(wrong, testing::Each(0));
}

TEST_F(ParquetDataset, AnImageStructWithoutBytesGivesItsPaths) {
  const auto dataset = open("paths_only.parquet");
  EXPECT_EQ(dataset.samples[1].path, "x/b.jpg");
  EXPECT_EQ(dataset.samples[1].label, 1);
  EXPECT_THAT(missing_images(dataset), ElementsAre("x/a.jpg", "x/b.jpg"));
}

// What datasets.to_parquet writes of images that were opened from files: no bytes, absolute paths.
TEST_F(ParquetDataset, AbsolutePathsWithoutBytesAreFoundWhereTheyLie) {
  files_->write("pictures/auk/a.jpg", "an auk");
  files_->write("pictures/gull/b.jpg", "a gull");
  const auto dataset = open("tables/far.parquet");
  EXPECT_EQ(dataset.root, fs::canonical(file("pictures")));
  EXPECT_EQ(dataset.samples[0].path, "auk/a.jpg");
  EXPECT_TRUE(missing_images(dataset).empty());
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[1].path), "a gull");
  EXPECT_THAT(dataset.notes, testing::Contains(HasSubstr("below " + dataset.root.string())));
  DatasetOptions elsewhere;
  elsewhere.root = file("hf");
  expect_error([&] { open("tables/far.parquet", elsewhere); }, {"row 0", "auk/a.jpg' is outside", "--root"});
}

TEST_F(ParquetDataset, ARowWithoutBytesIsReadFromItsFile) {
  files_->write("x/a.jpg", "from the file");
  const auto dataset = open("mixed.parquet");
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[0].path), picture(0));
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[1].path), "from the file");
  expect_error([&] { read_sample_bytes(dataset.root, dataset.samples[2].path); },
               {"row 2", "holds no image"});
  expect_error([&] { read_sample_bytes(dataset.root, dataset.samples[3].path); },
               {"'../secret' is not a path below"});
  fs::remove(file("x/a.jpg"));
}

TEST_F(ParquetDataset, RowsWithNeitherBytesNorAFileAreMissing) {
  const auto dataset = open("mixed.parquet");
  EXPECT_THAT(missing_images(dataset),
              ElementsAre("mixed.parquet#row=1", "mixed.parquet#row=2", "mixed.parquet#row=3"));
  files_->write("x/a.jpg", "from the file");
  EXPECT_THAT(missing_images(dataset), ElementsAre("mixed.parquet#row=2", "mixed.parquet#row=3"));
  fs::remove(file("x/a.jpg"));
  // Rows are counted over pages and row groups, and where all paths stand the groups have none without.
  const auto gaps = open("gaps.parquet");
  std::vector<std::string> missing;
  for (int row = 0; row < 1000; row += 5) missing.push_back("gaps.parquet#row=" + std::to_string(row));
  EXPECT_EQ(missing_images(gaps), missing);
  EXPECT_TRUE(missing_images(open("binary.parquet")).empty());
}

// A row may name a file, and the file may be a link: into the data set, or anywhere.
TEST_F(ParquetDataset, LinksThatRowsNameAreFollowedOnlyWhereTheyMay) {
  const TemporaryFolder outside;
  outside.write("secret", "not of this data set");
  fs::create_directories(file("x"));
  fs::create_symlink(outside / "secret", file("x/a.jpg"));
  EXPECT_EQ(read_sample_bytes(files_->path(), "mixed.parquet#row=1"), "not of this data set");
  expect_error([&] { read_sample_bytes(files_->path(), "mixed.parquet#row=1", Links::kStayBelow); },
               {"leads out of"});
  fs::remove(file("x/a.jpg"));
}

TEST_F(ParquetDataset, AnotherImageColumnIsNamedInThePath) {
  EXPECT_EQ(open("two_images.parquet").samples[1].path, "two_images.parquet#row=1");
  DatasetOptions options;
  options.path_column = "mask";
  const auto dataset = open("two_images.parquet", options);
  EXPECT_EQ(dataset.samples[1].path, "two_images.parquet#row=1&column=mask");
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[1].path), picture(101));
}

TEST_F(ParquetDataset, APlainColumnOfBytesIsFoundByItsType) {
  const auto dataset = open("binary.parquet");
  EXPECT_EQ(dataset.samples[2].path, "binary.parquet#row=2");
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[2].path), picture(2));
}

TEST_F(ParquetDataset, AFileThatIsReplacedIsReadAnew) {
  const TemporaryFolder folder;
  fs::copy_file(file("binary.parquet"), folder / "a.parquet");
  EXPECT_EQ(read_sample_bytes(folder.path(), "a.parquet#row=1"), picture(1));
  fs::copy_file(file("two_images.parquet"), folder / "b.parquet");
  fs::rename(folder / "b.parquet", folder / "a.parquet");
  EXPECT_EQ(read_sample_bytes(folder.path(), "a.parquet#row=1&column=mask"), picture(101));
}

TEST_F(ParquetDataset, ALabelSetIsADataSetToo) {
  const TemporaryFolder folder;
  const auto dataset = open("hf");
  write_label_set(folder / "labels.parquet", make_label_set(dataset), IfExists::kFail);
  DatasetOptions options;
  options.root = file("hf");
  const auto again = open_dataset((folder / "labels.parquet").string(), options);
  EXPECT_THAT(names(again), ElementsAre("tern", "gull", "auk"));
  ASSERT_EQ(again.samples.size(), dataset.samples.size());
  for (std::size_t i = 0; i < again.samples.size(); ++i) {
    EXPECT_EQ(again.samples[i].path, dataset.samples[i].path);
    EXPECT_EQ(again.samples[i].label, dataset.samples[i].label);
    EXPECT_EQ(again.samples[i].split, dataset.samples[i].split);
  }
  EXPECT_EQ(read_sample_bytes(again.root, again.samples[5].path), picture(2));
}

TEST_F(ParquetDataset, ALabelSetOfANewerVersionIsRefused) {
  const TemporaryFolder folder;
  write_label_set(folder / "labels.parquet", make_label_set(open("hf")), IfExists::kFail);
  constexpr const char* kRaise = R"(
import sys, pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
header = table.schema.metadata[b'procsim'].replace(b'"version":3', b'"version":4', 1)
pq.write_table(table.replace_schema_metadata({'procsim': header}), sys.argv[1])
)";
  const auto path = (folder / "labels.parquet").string();
  ASSERT_EQ(test::run_program(test::python_program().string(), {"-c", kRaise, path}).exit_code, 0);
  expect_error([&] { open_dataset(path); }, {"labels.parquet", "labelset/4", "newer program"});
}

TEST_F(ParquetDataset, WrongColumnsAreRefused) {
  const auto refuse = [&](const std::string& name, std::vector<std::string> pieces) {
    pieces.push_back(name);
    expect_error([&] { open(name); }, pieces);
  };
  refuse("double.parquet", {"column 'label'", "double", "integers or text"});
  refuse("list.parquet", {"column 'label'", "list"});
  refuse("flag.parquet", {"column 'path'", "bool"});
  refuse("no_label.parquet", {"labels", "path, size", "--label-column"});
  refuse("no_path.parquet", {"no column of images", "--path-column"});
  refuse("leaves.parquet", {"row 1", "'../b'"});
  refuse("null_path.parquet", {"row 1", "path", "empty"});
  refuse("twice.parquet", {"row 1", "sample_id", "3 occurs twice"});
  refuse("range.parquet", {"row 1", "label 3", "3 classes"});
  refuse("empty.parquet", {"no rows"});
}

TEST_F(ParquetDataset, ASmallFileOfCountlessRowsIsRefused) {
  EXPECT_LT(fs::file_size(file("countless.parquet")), 20'000U);
  EXPECT_THAT(test::error_of([] { open("countless.parquet"); }), HasSubstr("hold 2000000 rows"));
}

TEST_F(ParquetDataset, DamagedFilesGiveOneLine) {
  const auto whole = test::read_all(file("hf/data/train-00000-of-00002.parquet"));
  const TemporaryFolder folder;
  for (std::size_t length = 0; length < whole.size(); length += whole.size() / 40) {
    const auto path = folder.write("cut.parquet", whole.substr(0, length));
    expect_error([&] { open_dataset(path.string()); }, {"cut.parquet"});
  }
  // A byte here and there: read or refused, no crash.
  for (std::size_t at = 4; at < whole.size(); at += whole.size() / 97) {
    auto damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    folder.write("damaged.parquet", damaged);
    try {
      const auto dataset = open_dataset((folder / "damaged.parquet").string());
      for (const auto& sample : dataset.samples) read_sample_bytes(dataset.root, sample.path);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
}

TEST_F(ParquetDataset, AnImageOfHundredsOfMegabytesIsRefusedBeforeItIsUnpacked) {
  ASSERT_LT(fs::file_size(file("large.parquet")), 1 << 20);
  const auto dataset = open("large.parquet");
  expect_error([&] { read_sample_bytes(dataset.root, dataset.samples[0].path); },
               {"cannot read row 0", "large.parquet", "300 MB", "256 MB"});
  EXPECT_EQ(read_sample_bytes(dataset.root, dataset.samples[1].path), picture(1));
  const test::TemporaryFolder folder;
  fs::resize_file(folder.write("large.jpg", ""), std::uintmax_t{300} << 20);
  expect_error([&] { read_sample_bytes(folder.path(), "large.jpg"); }, {"large.jpg has 300 MB", "256 MB"});
}

TEST_F(ParquetDataset, SamplePathsThatLeaveTheRootOrDoNotExistAreRefused) {
  const auto root = files_->path();
  expect_error([&] { read_sample_bytes(root, "../x.jpg"); }, {"'../x.jpg' is not a path below"});
  expect_error([&] { read_sample_bytes(root, "/etc/passwd"); }, {"not a path below"});
  expect_error([&] { read_sample_bytes(root, "a/../../x.parquet#row=1"); }, {"not a path below"});
  expect_error([&] { read_sample_bytes(root, ""); }, {"not a path below"});
  expect_error([&] { read_sample_bytes(root, "none.jpg"); }, {"none.jpg"});
  expect_error([&] { read_sample_bytes(root, "none.parquet#row=1"); }, {"none.parquet"});
  expect_error([&] { read_sample_bytes(root, "binary.parquet#row=3"); }, {"3 rows", "no row 3"});
  expect_error([&] { read_sample_bytes(root, "binary.parquet#row=0&column=label"); },
               {"no column of images"});
  expect_error([&] { read_sample_bytes(root, "plain.parquet#row=0"); }, {"no column of images"});
}

}  // namespace
}  // namespace procsim
