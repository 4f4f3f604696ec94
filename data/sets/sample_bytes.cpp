#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/reading_memory.hpp"
#include "data/sets/dataset.hpp"
#include "data/sets/parquet_images.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

// Parquet files opened last, so that reading image after image parses each footer once. A file that was
// replaced since is opened anew.
class OpenFiles {
 public:
  std::shared_ptr<const ParquetImageFile> get(const fs::path& path) {
    std::error_code code;
    const auto size = fs::file_size(path, code);
    const auto written = code ? fs::file_time_type() : fs::last_write_time(path, code);
    if (code) throw Error(fmt::format("cannot read {}: {}", path.string(), code.message()));
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->path != path) continue;
      if (entry->size == size && entry->written == written) {
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->file;
      }
      entries_.erase(entry);
      break;
    }
    auto file = std::make_shared<const ParquetImageFile>(path);
    entries_.push_front({path, size, written, file});
    if (entries_.size() > kMost) entries_.pop_back();
    return file;
  }

 private:
  struct Entry {
    fs::path path;
    std::uintmax_t size;
    fs::file_time_type written;
    std::shared_ptr<const ParquetImageFile> file;
  };
  static constexpr std::size_t kMost = 16;

  std::mutex mutex_;
  std::list<Entry> entries_;  // used last first
};

OpenFiles& open_files() {
  static OpenFiles files;
  return files;
}

fs::path file_below(const fs::path& root, std::string_view path, Links links) {
  const auto below = path_below_root(path);
  if (!below) throw Error(fmt::format("'{}' is not a path below {}", path, root.string()));
  auto file = root / *below;
  if (links == Links::kFollow) return file;
  std::error_code failure;
  const auto real_root = fs::canonical(root, failure);
  const auto real = failure ? fs::path() : fs::weakly_canonical(file, failure);
  if (failure || std::ranges::mismatch(real_root, real).in1 != real_root.end())
    throw Error(fmt::format("'{}' leads out of {}", path, root.string()));
  return real;
}

std::string read_image_file(const fs::path& file) {
  std::error_code failure;
  if (const auto bytes = fs::file_size(file, failure);
      !failure && bytes > static_cast<std::uintmax_t>(kMostImageBytes))
    throw Error(fmt::format("{} has {} MB, and an image may have {} MB", file.string(), bytes >> 20,
                            kMostImageBytes >> 20));
  return read_file(file);
}

}  // namespace

std::string read_sample_bytes(const fs::path& root, std::string_view sample_path, Links links) {
  const auto parsed = parse_sample_path(sample_path);
  const auto file = file_below(root, parsed.file, links);
  if (!parsed.row) return read_image_file(file);
  auto image = open_files().get(file)->read(*parsed.row, parsed.column);
  if (image.bytes) return std::move(*image.bytes);
  if (image.path.empty()) throw Error(fmt::format("row {} of {} holds no image", *parsed.row, file.string()));
  return read_image_file(file_below(root, image.path, links));
}

}  // namespace procsim
