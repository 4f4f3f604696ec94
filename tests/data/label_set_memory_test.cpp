// Streaming needs no more memory for many rows than for few: measured on processes of their own.

#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/keyed_random.hpp"
#include "data/label_set.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::TemporaryFolder;

// The most memory, in MB, that a process needs to run the disabled test `name` below on a file; negative when
// it failed. It is this program started anew, with malloc for Arrow: mimalloc, Arrow's default, keeps what
// was freed, which would hide the difference.
double megabytes_of(const std::string& name, const std::filesystem::path& file, std::int64_t rows) {
  const auto filter = "--gtest_filter=LabelSetMemory.DISABLED_" + name;
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("ARROW_DEFAULT_MEMORY_POOL", "system", 1);
    ::setenv("PROCSIM_TEST_FILE", file.c_str(), 1);
    ::setenv("PROCSIM_TEST_ROWS", std::to_string(rows).c_str(), 1);
    ::execl("/proc/self/exe", "data_tests", filter.c_str(), "--gtest_also_run_disabled_tests",
            "--gtest_brief=1", nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child || status != 0) return -1;
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Paths that do not compress, as hashes do not: the file is then about as large as what is read from it.
TEST(LabelSetMemory, DISABLED_Write) {
  LabelSetWriter writer(std::getenv("PROCSIM_TEST_FILE"), IfExists::kFail);
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
}

TEST(LabelSetMemory, DISABLED_Stream) {
  LabelReadOptions options;
  options.batch_rows = 10'000;
  LabelSetReader reader(std::getenv("PROCSIM_TEST_FILE"), options);
  std::int64_t rows = 0;
  while (const auto batch = reader.next()) rows += batch->rows();
  EXPECT_EQ(rows, std::stoll(std::getenv("PROCSIM_TEST_ROWS")));
}

TEST(LabelSetMemory, AMillionRowsNeedNoMoreThanTenThousand) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer keeps freed memory, so its processes grow with what they read";
#endif
  const TemporaryFolder folder;
  double needed[2];
  for (const int large : {0, 1}) {
    const std::int64_t rows = large ? 1'000'000 : 10'000;
    const auto file = folder / fmt::format("{}.parquet", rows);
    ASSERT_GT(megabytes_of("Write", file, rows), 0);
    needed[large] = megabytes_of("Stream", file, rows);
    ASSERT_GT(needed[large], 0);
  }
  const auto file = static_cast<double>(std::filesystem::file_size(folder / "1000000.parquet")) / (1 << 20);
  ASSERT_GT(file, 30);
  // A page of each column is in memory at a time, no row group and not the file.
  EXPECT_LT(needed[1] - needed[0], file / 2) << needed[0] << " MB, " << needed[1] << " MB, file " << file;
}

}  // namespace
}  // namespace procsim
