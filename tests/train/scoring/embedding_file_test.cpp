#include "train/scoring/embedding_file.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "data/files/table.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::train {
namespace {

struct EmbeddingFile {
  test::TemporaryFolder folder;
  std::filesystem::path path = folder / "embeddings.parquet";

  void write(std::vector<std::int64_t> ids, std::int64_t width, std::vector<float> values) const {
    Table table;
    table.columns = {{"sample_id", std::move(ids)},
                     {"vector", TableColumn::FloatLists{width, std::move(values)}}};
    write_parquet_table(path, table, IfExists::kReplace);
  }
};

TEST(EmbeddingFile, RowsComeInTheOrderOfTheSamplesAndOthersAreIgnored) {
  const EmbeddingFile file;
  file.write({30, 10, 20}, 2, {3, 3.5F, 1, 1.5F, 2, 2.5F});
  const auto rows = read_embeddings(file.path, std::vector<std::int64_t>{10, 30});
  EXPECT_TRUE(torch::equal(rows, torch::tensor({{1.0F, 1.5F}, {3.0F, 3.5F}})));
  EXPECT_EQ(embedded_samples(file.path), (std::vector<std::int64_t>{30, 10, 20}));
}

TEST(EmbeddingFile, SaysWhatIsWrongWithIt) {
  const EmbeddingFile file;
  const std::vector<std::int64_t> ids{10, 20};
  file.write({10, 10, 20}, 1, {1, 2, 3});
  test::expect_error([&] { read_embeddings(file.path, ids); },
                     {"embeddings.parquet", "sample 10", "rows 1 and 2"});
  file.write({10, 30}, 1, {1, 2});
  test::expect_error([&] { read_embeddings(file.path, ids); }, {"lacks 1 of the 2", "sample 20"});
  file.write({10, 20}, 2, {1, 2, 3, INFINITY});
  test::expect_error([&] { read_embeddings(file.path, ids); }, {"number 2 of sample 20", "inf"});
  file.write({10, 20}, 2, {1, NAN, 3, 4});
  test::expect_error([&] { read_embeddings(file.path, ids); }, {"number 2 of sample 10", "nan"});
  file.write({10, 20}, 2, {1, 2, 3, 4});
  test::expect_error([&] { read_embeddings(file.path, ids, 3); }, {"2 numbers", "the model's have 3"});
  Table table;
  table.columns = {{"sample_id", ids}, {"x", std::vector<double>{1, 2}}};
  write_parquet_table(file.path, table, IfExists::kReplace);
  test::expect_error([&] { read_embeddings(file.path, ids); }, {"no column of lists"});
  table.columns = {{"vector", TableColumn::FloatLists{1, {1, 2}}}};
  write_parquet_table(file.path, table, IfExists::kReplace);
  test::expect_error([&] { read_embeddings(file.path, ids); }, {"sample_id"});
}

}  // namespace
}  // namespace procsim::train
