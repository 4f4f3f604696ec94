// Streaming needs no more memory for many rows than for few: measured on processes of their own.

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/base/keyed_random.hpp"
#include "data/labels/label_set.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::TemporaryFolder;

// Runs the disabled test `name` below on a file, in a process of its own with the allocator that users get,
// and returns the most memory it needed, in MB.
double megabytes_of(const std::string& name, const std::filesystem::path& file, std::int64_t rows) {
  const auto result = test::run_program(
      "/proc/self/exe", {"--gtest_filter=LabelSetMemory.DISABLED_" + name, "--gtest_also_run_disabled_tests"},
      {.folder = {},
       .environment = {{"PROCSIM_TEST_FILE", file.string()}, {"PROCSIM_TEST_ROWS", std::to_string(rows)}},
       .input = {}});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto peak = result.out.find("VmHWM:");
  EXPECT_NE(peak, std::string::npos) << result.out;
  return peak == std::string::npos ? 0 : std::stod(result.out.substr(peak + 6)) / 1024;
}

// What the kernel has counted for this process alone; a parent's view of its children counts the parent in.
void print_peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) fmt::print("{}\n", line);
  }
}

// Paths that do not compress, as hashes do not: the file is then about as large as what is read from it.
TEST(LabelSetMemory, DISABLED_Write) {
  LabelSetWriter writer(std::getenv("PROCSIM_TEST_FILE"), IfExists::kReplace);
  const auto rows = std::stoll(std::getenv("PROCSIM_TEST_ROWS"));
  const KeyedRandom random(1, "test.path");
  std::vector<LabelRow> piece;
  for (std::int64_t id = 0; id < rows; ++id) {
    auto draws = random.for_id(id);
    std::string name;
    for (int i = 0; i < 4; ++i) name += fmt::format("{:016x}", draws.next_bits());
    piece.push_back({id, name, "train", static_cast<std::int32_t>(id % 2), std::nullopt});
    if (piece.size() < 10'000) continue;
    writer.append(make_label_batch(piece));
    piece.clear();
  }
  LabelSetInfo info;
  info.dataset = "hashes";
  info.classes = {{"a", "a", ""}, {"b", "b", ""}};
  writer.finish(info);
  print_peak_memory();
}

TEST(LabelSetMemory, DISABLED_Stream) {
  LabelReadOptions options;
  options.batch_rows = 10'000;
  LabelSetReader reader(std::getenv("PROCSIM_TEST_FILE"), options);
  std::int64_t rows = 0;
  while (const auto batch = reader.next()) rows += batch->rows();
  EXPECT_EQ(rows, std::stoll(std::getenv("PROCSIM_TEST_ROWS")));
  print_peak_memory();
}

TEST(LabelSetMemory, SixMillionRowsNeedNoMoreThanTwo) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer keeps freed memory, so its processes grow with what they read";
#endif
  const TemporaryFolder folder;
  double written[2], streamed[2], file[2];
  for (const int many : {0, 1}) {
    const std::int64_t rows = many ? 6'000'000 : 2'000'000;
    const auto path = folder / fmt::format("{}.parquet", rows);
    // Threads and what the allocator keeps for each make it vary by 30 MB: the least of a few runs counts.
    const auto least_of_runs = [&](const char* test) {
      double least = megabytes_of(test, path, rows);
      for (int run = 0; run < 3; ++run) least = std::min(least, megabytes_of(test, path, rows));
      return least;
    };
    written[many] = least_of_runs("Write");
    streamed[many] = least_of_runs("Stream");
    file[many] = static_cast<double>(std::filesystem::file_size(path)) / (1 << 20);
  }
  const double growth = file[1] - file[0];
  ASSERT_GT(growth, 100);
  // Neither the file is in memory nor its columns, which are larger still.
  EXPECT_LT(written[1] - written[0], growth / 8) << written[0] << " MB, " << written[1] << " MB";
  EXPECT_LT(streamed[1] - streamed[0], growth / 3) << streamed[0] << " MB, " << streamed[1] << " MB";
}

}  // namespace
}  // namespace procsim
