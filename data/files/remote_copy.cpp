#include "data/files/remote_copy.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <nlohmann/json.hpp>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/thread_tasks.hpp"
#include "data/base/words.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "data/files/parquet_io.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kSchemes{"s3", "gs", "gcs", "abfs", "abfss", "file"};
constexpr std::string_view kFormat = "procsim/remote-copy/1";
constexpr std::int64_t kChunk = std::int64_t{4} << 20;
constexpr int kAtOnce = 8;  // files: most of the time of a small one is waiting

std::string_view scheme_of(std::string_view uri) { return uri.substr(0, uri.find("://")); }

// Behind the scheme, without options and slashes at the end.
std::string_view place_of(std::string_view uri) {
  auto place = uri.substr(scheme_of(uri).size() + 3);
  place = place.substr(0, place.find('?'));
  while (place.ends_with('/')) place.remove_suffix(1);
  return place;
}

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return fs::path(cache) / "procsim";
  }
  const char* home = std::getenv("HOME");
  return (home != nullptr ? fs::path(home) / ".cache" : fs::temp_directory_path()) / "procsim";
}

// The folder that the copy and the record of it stand in.
fs::path folder_of_copy(const std::string& uri) {
  constexpr std::size_t kLetters = 16;
  return cache_folder() / "remote" / sha256_hex(uri).substr(0, kLetters);
}

// The library of S3, which the wheel keeps beside Arrow's and which nobody but us loads; empty where S3 is
// part of Arrow's own library.
fs::path s3_library() {
  std::string found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* arrow) {
        const fs::path library = info->dlpi_name;
        if (!library.filename().string().starts_with("libarrow.so")) return 0;
        *static_cast<std::string*>(arrow) = library.string();
        return 1;
      },
      &found);
  const auto name = fs::path(found).filename().string();
  const auto s3 =
      fs::path(found).parent_path() / ("libarrow_s3" + name.substr(std::min(name.size(), name.find('.'))));
  return !found.empty() && fs::exists(s3) ? s3 : fs::path();
}

// Ends the threads of S3 before the process takes down what they use. Arrow's own list of what to end
// (EnsureFinalized) does not reach across the two libraries.
void end_s3() {
  static void* const library = ::dlopen(s3_library().c_str(), RTLD_NOW | RTLD_NOLOAD);
  void* end = library != nullptr ? ::dlsym(library, "_ZN5arrow2fs17EnsureS3FinalizedEv") : nullptr;
  if (end != nullptr) (void)reinterpret_cast<arrow::Status (*)()>(end)();
}

// Google's client tries again for a quarter of an hour where nothing answers.
std::string patient(const std::string& uri) {
  if (!scheme_of(uri).starts_with('g') || uri.find("retry_limit_seconds") != std::string::npos) return uri;
  return uri + (uri.find('?') == std::string::npos ? "?" : "&") + "retry_limit_seconds=30";
}

std::shared_ptr<arrow::fs::FileSystem> open_system(const std::string& uri, const std::string& shown_uri,
                                                   std::string& path) {
  if (scheme_of(uri) != "s3")
    return require(arrow::fs::FileSystemFromUri(patient(uri), &path), "open", shown_uri);
  static std::once_flag loaded, ending;
  std::call_once(loaded, [] {
    const auto library = s3_library();
    if (!library.empty()) require(arrow::fs::LoadFileSystemFactories(library.c_str()), "load", library);
  });
  auto system = require(arrow::fs::FileSystemFromUri(uri, &path), "open", shown_uri);
  // Not before: what is made in there, and must still be there, is taken down in the opposite order.
  std::call_once(ending, [] { std::atexit(end_s3); });
  return system;
}

struct RemoteFile {
  std::string path;      // as the file system names it
  std::string relative;  // below the folder; empty for a single file
  std::uint64_t size = 0;
  std::int64_t time = 0;  // of the last change, in nanoseconds

  std::string mark() const { return fmt::format("{} {}", size, time); }
};

// What a URI names, and what is there.
class RemotePlace {
 public:
  explicit RemotePlace(const std::string& uri) : shown_(without_password(uri)) {
    system_ = open_system(uri, shown_, path_);
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    list();
  }

  bool is_folder() const { return is_folder_; }
  const std::vector<RemoteFile>& files() const { return files_; }

  // Calls `more` with every piece of the file.
  template <typename More>
  void read(const RemoteFile& file, const More& more) const {
    const auto stream = require(system_->OpenInputStream(file.path), "read", shown_);
    std::uint64_t read = 0;
    for (;;) {
      const auto piece = require(stream->Read(kChunk), "read", shown_);
      if (piece->size() == 0) break;
      more(std::string_view(*piece));
      read += static_cast<std::uint64_t>(piece->size());
    }
    if (read != file.size)
      throw Error(
          fmt::format("{}: {} ended after {} of {} bytes; start again", shown_, file.path, read, file.size));
  }

 private:
  void list() {
    const auto info = require(system_->GetFileInfo(path_), "read", shown_);
    if (info.type() == arrow::fs::FileType::NotFound)
      throw Error(fmt::format("{} does not exist, or these credentials may not see it", shown_));
    is_folder_ = info.type() == arrow::fs::FileType::Directory;
    if (!is_folder_) {
      add(info, {});
      return;
    }
    arrow::fs::FileSelector below;
    below.base_dir = path_;
    below.recursive = true;
    for (const auto& found : require(system_->GetFileInfo(below), "read", shown_)) {
      if (found.type() == arrow::fs::FileType::File) add(found, relative_path(found.path()));
    }
    if (files_.empty()) throw Error(fmt::format("{} holds no files", shown_));
  }

  // Keys are any text: none leads out of the folder of the copy.
  std::string relative_path(const std::string& path) const {
    const auto relative = path.substr(path_.size() + (path_.ends_with('/') ? 0 : 1));
    for (const auto& part : fs::path(relative)) {
      if (part == ".." || part == "." || part.is_absolute())
        throw Error(fmt::format("{} holds '{}', which is no path below it", shown_, relative));
    }
    return relative;
  }

  void add(const arrow::fs::FileInfo& info, std::string relative) {
    const auto time = info.mtime() == arrow::fs::kNoTime ? 0 : info.mtime().time_since_epoch().count();
    files_.push_back({info.path(), std::move(relative), static_cast<std::uint64_t>(info.size()), time});
  }

  std::string shown_, path_;
  std::shared_ptr<arrow::fs::FileSystem> system_;
  std::vector<RemoteFile> files_;
  bool is_folder_ = false;
};

// What the copy was made of: size and time of each file there, by its path below the folder.
class CopyRecord {
 public:
  explicit CopyRecord(fs::path file) : file_(std::move(file)) {
    if (!fs::exists(file_)) return;
    const auto json = parse_json<nlohmann::json>(read_file(file_));
    if (!json.is_object() || json.value("format", "") != kFormat || !json.contains("files")) return;
    for (const auto& [path, mark] : json["files"].items()) {
      if (mark.is_string()) marks_[path] = mark.get<std::string>();
    }
  }

  bool has(const RemoteFile& file) const {
    const auto found = marks_.find(file.relative);
    return found != marks_.end() && found->second == file.mark();
  }
  const std::map<std::string, std::string>& marks() const { return marks_; }

  // Files that have come are noted even where a later one could not be fetched.
  void note(const RemoteFile& file) {
    const std::lock_guard lock(mutex_);
    marks_[file.relative] = file.mark();
  }
  void forget(const std::string& path) { marks_.erase(path); }

  void save() const {
    const nlohmann::json json{{"format", kFormat}, {"files", marks_}};
    write_file(file_, json.dump(1) + "\n", IfExists::kReplace);
  }

 private:
  fs::path file_;
  std::map<std::string, std::string> marks_;
  std::mutex mutex_;
};

fs::path local_path(const fs::path& copy, const std::string& relative) {
  return relative.empty() ? copy : copy / relative;
}

void remove_what_is_gone(const RemotePlace& place, const fs::path& copy, CopyRecord& record) {
  std::map<std::string, std::string> gone = record.marks();
  for (const auto& file : place.files()) gone.erase(file.relative);
  for (const auto& [path, mark] : gone) {
    std::error_code ignored;
    fs::remove(local_path(copy, path), ignored);
    record.forget(path);
  }
  // What was one file is a folder now, or the other way round.
  if (fs::exists(copy) && fs::is_directory(copy) != place.is_folder()) fs::remove_all(copy);
}

}  // namespace

bool is_uri(std::string_view word) {
  const auto scheme = scheme_of(word);
  return !scheme.empty() && scheme.size() < word.size() &&
         std::all_of(
             scheme.begin(), scheme.end(),
             [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '+';
             });
}

std::string without_password(std::string_view uri) {
  const auto begin = scheme_of(uri).size() + 3;
  const auto end = uri.substr(0, uri.find_first_of("/?", std::min(begin, uri.size()))).rfind('@');
  if (end == std::string_view::npos || end < begin) return std::string(uri);
  if (uri.substr(begin, end - begin).find(':') == std::string_view::npos)
    return std::string(uri);  // a container
  return fmt::format("{}***{}", uri.substr(0, begin), uri.substr(end));
}

fs::path remote_copy(const std::string& uri) {
  const auto scheme = scheme_of(uri);
  if (std::find(kSchemes.begin(), kSchemes.end(), scheme) == kSchemes.end())
    throw UsageError(fmt::format("{}: {}:// is not read; {}:// are", without_password(uri), scheme,
                                 fmt::join(kSchemes, "://, ")));
  const auto place = place_of(uri);
  if (scheme == "file") {
    if (!place.starts_with('/'))
      throw UsageError(
          fmt::format("{}: a file:// URI has three slashes before the path: file:///data/x", uri));
    return place;
  }
  if (place.empty() || place.ends_with('@'))
    throw UsageError(fmt::format("{} names no bucket", without_password(uri)));
  const auto name = place.substr(place.find_last_of("/@") + 1);  // npos + 1 is 0
  return folder_of_copy(uri) / path_component(name);
}

RemoteFetch fetch_remote(const std::string& uri, const Progress& progress) {
  if (scheme_of(uri) == "file") return {};
  const auto copy = remote_copy(uri);
  const RemotePlace place(uri);
  CopyRecord record(copy.parent_path() / "copy.json");
  fs::create_directories(copy.parent_path());
  remove_what_is_gone(place, copy, record);

  std::vector<const RemoteFile*> wanted;
  std::uint64_t bytes = 0;
  for (const auto& file : place.files()) {
    std::error_code missing;
    if (record.has(file) && fs::file_size(local_path(copy, file.relative), missing) == file.size &&
        !missing) {
      continue;
    }
    wanted.push_back(&file);
    bytes += file.size;
  }

  std::atomic<std::uint64_t> done = 0;
  std::mutex telling;
  const auto fetch = [&](std::int64_t index) {
    const auto& file = *wanted[static_cast<std::size_t>(index)];
    AtomicFile target(local_path(copy, file.relative), IfExists::kReplace);
    place.read(file, [&](std::string_view piece) {
      target.write(piece);
      const auto now = done += piece.size();
      const std::lock_guard lock(telling);
      if (progress) progress(now, bytes);
    });
    target.commit();
    record.note(file);
  };
  try {
    run_on_threads(static_cast<std::int64_t>(wanted.size()), kAtOnce, fetch);
  } catch (...) {
    record.save();
    throw;
  }
  record.save();
  return {static_cast<std::int64_t>(place.files().size()), static_cast<std::int64_t>(wanted.size()), bytes};
}

}  // namespace procsim
