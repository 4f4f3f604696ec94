#include "noise/batch_pipeline.hpp"

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/noise/sample_labels.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::noise {
namespace {

class Pipeline : public ::testing::Test {
 protected:
  static constexpr std::int64_t kRows = 200;
  static constexpr std::int64_t kBatchRows = 7;

  Pipeline() {
    write_label_set(folder_ / "labels.parquet", test::even_labels(test::noise_birds(), kRows),
                    IfExists::kFail);
  }

  LabelSetReader reader() const {
    LabelReadOptions options;
    options.batch_rows = kBatchRows;
    return LabelSetReader(folder_ / "labels.parquet", options);
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(Pipeline, HandsResultsOverInFileOrderWhateverTheThreads) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    auto input = reader();
    std::int64_t rows = 0;
    BatchPipeline<std::int64_t>::run(
        input, threads, [](const LabelBatch& batch) { return batch.sample_ids().front(); },
        [&](const LabelBatch& batch, std::int64_t&& first) {
          EXPECT_EQ(first, batch.sample_ids().front()) << threads << " threads";
          EXPECT_EQ(first, rows * 3 + 1) << threads << " threads";  // even_labels numbers its rows so
          rows += batch.rows();
        });
    EXPECT_EQ(rows, kRows) << threads << " threads";
  }
}

TEST_F(Pipeline, ThrowsWhatTheWorkThrows) {
  for (const unsigned threads : {1U, 4U}) {
    auto input = reader();
    const auto work = [](const LabelBatch& batch) -> int {
      if (batch.sample_ids().front() > 100) throw std::runtime_error("work");
      return 0;
    };
    EXPECT_THROW(BatchPipeline<int>::run(input, threads, work, [](const LabelBatch&, int&&) {}),
                 std::runtime_error)
        << threads << " threads";
  }
}

TEST_F(Pipeline, StopsItsThreadsWhenTheConsumerThrows) {
  auto input = reader();
  std::atomic<int> worked{0};
  const auto work = [&](const LabelBatch&) { return ++worked; };
  const auto consume = [](const LabelBatch&, int&&) { throw std::runtime_error("consumer"); };
  EXPECT_THROW(BatchPipeline<int>::run(input, 3, work, consume), std::runtime_error);
  EXPECT_LT(worked, kRows / kBatchRows) << "the rest of the file was worked on";
}

}  // namespace
}  // namespace procsim::noise
