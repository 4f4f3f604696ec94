// noise inject against plain Arrow that reads and rewrites the same file, in the same run; and its peak
// memory.
//
//   noise_inject_benchmark [rows = 10000000] [folder = the temporary folder]   ratio of times, best of three
//   each noise_inject_benchmark memory [rows = 10000000] [folder]                   peak memory at `rows` and
//   at 10 × `rows`
//
// Targets: at most 1.3 times the time of the rewrite; at most 1.2 times the memory at ten times the rows.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/labels/label_set.hpp"
#include "noise/injection.hpp"

namespace fs = std::filesystem;
using namespace procsim;

namespace {

constexpr int kGroups = 40;
constexpr int kClassesPerGroup = 25;

taxonomy::Taxonomy make_taxonomy() {
  taxonomy::TaxonomyParts parts;
  parts.dataset = "bench";
  parts.nodes.push_back({"root", "root", "", ""});
  parts.tree_parent.push_back(std::nullopt);
  for (int group = 0; group < kGroups; ++group) {
    parts.nodes.push_back({fmt::format("group{:02}", group), "", "", ""});
    parts.tree_parent.push_back(0);
    parts.edges.push_back({static_cast<taxonomy::NodeIndex>(group + 1), 0});
    for (int i = 0; i < kClassesPerGroup; ++i) {
      const auto name = fmt::format("class {}", parts.classes.size());
      parts.classes.push_back({name, name, parts.nodes.back().id, taxonomy::Resolution::kImported, "", ""});
    }
  }
  return taxonomy::Taxonomy(std::move(parts));
}

void make_labels(const fs::path& path, std::int64_t rows, const taxonomy::Taxonomy& taxonomy) {
  LabelSetInfo info;
  info.dataset = "bench";
  for (const auto& entry : taxonomy.classes())
    info.classes.push_back({entry.name, entry.published, entry.node});
  info.provenance = nlohmann::ordered_json::object();
  LabelSetWriter writer(path, IfExists::kReplace);
  std::vector<LabelRow> batch;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto label =
        static_cast<std::int32_t>(static_cast<std::uint64_t>(row) * 2654435761u % info.classes.size());
    batch.push_back({row, fmt::format("images/{:04}/{:09}.jpg", label, row), row % 10 == 9 ? "test" : "train",
                     label, label});
    if (batch.size() == 131072 || row + 1 == rows) {
      writer.append(make_label_batch(batch));
      batch.clear();
    }
  }
  writer.finish(info);
}

template <typename T>
T check(arrow::Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return std::move(result).ValueUnsafe();
}
void check(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

// What anybody would write with Arrow: every column read and written again with the same compression.
void rewrite(const fs::path& from, const fs::path& to) {
  const auto input = check(arrow::io::ReadableFile::Open(from.string()));
  auto reader = check(parquet::arrow::OpenFile(input, arrow::default_memory_pool()));
  const auto batches = check(reader->GetRecordBatchReader());
  parquet::WriterProperties::Builder properties;
  properties.compression(parquet::Compression::ZSTD);
  const auto output = check(arrow::io::FileOutputStream::Open(to.string()));
  auto writer = check(parquet::arrow::FileWriter::Open(
      *batches->schema(), arrow::default_memory_pool(), output, properties.build(),
      parquet::ArrowWriterProperties::Builder().store_schema()->build()));
  while (const auto batch = check(batches->Next())) check(writer->WriteRecordBatch(*batch));
  check(writer->Close());
  check(output->Close());
}

noise::InjectionReport run_inject(const fs::path& from, const fs::path& to,
                                  const taxonomy::Taxonomy& taxonomy) {
  noise::InjectionOptions options;
  options.parent = from;
  options.output = to;
  options.if_exists = IfExists::kReplace;
  options.spec.components = {{noise::NoiseKind::kSemantic, 0.2}};
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  noise::NoiseSources sources;
  sources.taxonomy = std::shared_ptr<const taxonomy::Taxonomy>(&taxonomy, [](const taxonomy::Taxonomy*) {});
  return noise::inject(options, sources);
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int measure_time(std::int64_t rows, const fs::path& folder) {
  const auto taxonomy = make_taxonomy();
  const auto clean = folder / "clean.parquet";
  make_labels(clean, rows, taxonomy);
  double plain = std::numeric_limits<double>::max();
  double ours = plain;
  for (int round = 0; round < 3; ++round) {
    plain = std::min(plain, seconds([&] { rewrite(clean, folder / "rewritten.parquet"); }));
    ours = std::min(ours, seconds([&] { run_inject(clean, folder / "noisy.parquet", taxonomy); }));
  }
  const double ratio = ours / plain;
  fmt::print("rows {}: Arrow rewrite {:.2f} s, noise inject {:.2f} s, ratio {:.2f} (target at most 1.3)\n",
             rows, plain, ours, ratio);
  return ratio <= 1.3 ? 0 : 1;
}

// In a process of its own, so that its peak is its own.
double peak_megabytes(std::int64_t rows, const fs::path& folder) {
  const auto taxonomy = make_taxonomy();
  const auto clean = folder / fmt::format("clean-{}.parquet", rows);
  const auto in_child = [](const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      work();
      std::_Exit(0);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    if (status != 0) throw std::runtime_error("the child failed");
    return static_cast<double>(usage.ru_maxrss) / 1024;
  };
  in_child([&] { make_labels(clean, rows, taxonomy); });
  const double peak = in_child([&] { run_inject(clean, folder / "noisy.parquet", taxonomy); });
  fs::remove(clean);
  fmt::print("rows {}: peak memory {:.0f} MB\n", rows, peak);
  return peak;
}

int measure_memory(std::int64_t rows, const fs::path& folder) {
  const double small = peak_megabytes(rows, folder);
  const double large = peak_megabytes(10 * rows, folder);
  fmt::print("ratio {:.2f} (target at most 1.2)\n", large / small);
  return large <= 1.2 * small ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool memory = !words.empty() && words.front() == "memory";
  if (memory) words.erase(words.begin());
  const std::int64_t rows = words.empty() ? 10'000'000 : std::stoll(words[0]);
  const auto folder = (words.size() > 1 ? fs::path(words[1]) : fs::temp_directory_path()) /
                      fmt::format("noise-bench-{}", ::getpid());
  fs::create_directories(folder);
  const int code = memory ? measure_memory(rows, folder) : measure_time(rows, folder);
  fs::remove_all(folder);
  return code;
}
