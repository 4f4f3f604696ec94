#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/thread_tasks.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/delayed_signals.hpp"
#include "data/files/leftovers.hpp"
#include "data/sets/fieldguide.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "fieldguide.json";
constexpr int kJpegQuality = 92;

int image_count() { return static_cast<int>(fieldguide_classes().size()) * kFieldguideImagesPerClass; }

std::string path_of(int item) {
  return fieldguide_image_path(item / kFieldguideImagesPerClass, item % kFieldguideImagesPerClass);
}

std::string digest_of_all(const std::vector<std::string>& digests) {
  Sha256 all;
  for (const auto& digest : digests) all.update(digest);
  return all.finish_hex();
}

// Nothing that a machine or a day could change: two folders are equal byte by byte.
std::string manifest(const std::vector<std::string>& digests) {
  nlohmann::ordered_json json;
  json["format"] = "fieldguide";
  json["version"] = kFieldguideVersion;
  json["image_side"] = kFieldguideImageSide;
  json["images_per_class"] = kFieldguideImagesPerClass;
  json["images_sha256"] =
      digest_of_all(digests);  // over the digests of the images, in the order of the classes
  auto& classes = json["classes"] = nlohmann::ordered_json::array();
  for (const auto& bird : fieldguide_classes()) {
    classes.push_back(
        {{"name", bird.name}, {"family", bird.family}, {"split", bird.train ? "train" : "test"}});
  }
  return json.dump(1) + "\n";
}

// The folder that everything is drawn into, removed unless it became the data set.
class Workplace {
 public:
  explicit Workplace(const fs::path& beside) : path_(temporary_beside(beside)) {
    std::error_code code;
    fs::create_directory(path_, code);
    if (!code) return;
    throw Error(fmt::format("cannot write the fieldguide data set to {}: {}. Choose another --root.",
                            beside.string(), code.message()));
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The folders above the data set that were made for it, removed again unless something is in them.
class MadeFolders {
 public:
  explicit MadeFolders(const fs::path& deepest) {
    std::error_code code;
    for (auto folder = deepest; !fs::exists(folder, code) && folder.has_relative_path();
         folder = folder.parent_path()) {
      made_.push_back(folder);
    }
    fs::create_directories(deepest, code);
    if (code) throw Error(fmt::format("cannot create folder {}: {}", deepest.string(), code.message()));
  }
  ~MadeFolders() {
    std::error_code not_empty;
    for (const auto& folder : made_) {
      if (!fs::remove(folder, not_empty)) return;
    }
  }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

 private:
  std::vector<fs::path> made_;  // the deepest first
};

void write_plainly(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out)
    throw Error(fmt::format("cannot write {}: {}. Is the disk full?", path.string(), std::strerror(errno)));
}

// Draws all images with some threads (0: one per core), and returns their digests. The first failure stops
// all of them.
std::vector<std::string> draw_all(const fs::path& folder, const Progress& progress, int threads) {
  const int total = image_count();
  std::vector<std::string> digests(total);
  std::mutex mutex;
  int done = 0;
  run_on_threads(total, threads, [&](std::int64_t task) {
    const auto item = static_cast<int>(task);
    if (DelayedSignals::one_has_come()) throw Error("the drawing of fieldguide was interrupted");
    const auto image =
        draw_fieldguide_bird(item / kFieldguideImagesPerClass, item % kFieldguideImagesPerClass);
    const auto bytes = encode_jpeg(image, kJpegQuality);
    write_plainly(folder / path_of(item), bytes);
    digests[item] = sha256_hex(bytes);
    const std::lock_guard lock(mutex);
    if (progress) progress(++done, total);
  });
  return digests;
}

// A name in the folder that no data set of ours has, relative to it.
std::optional<std::string> foreign_name(const fs::path& folder) {
  std::set<std::string> ours{kManifest};
  for (int item = 0; item < image_count(); ++item) {
    for (fs::path path = path_of(item); !path.empty(); path = path.parent_path()) ours.insert(path.string());
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    auto name = entry.path().lexically_relative(folder).string();
    if (!ours.contains(name)) return name;
  }
  return std::nullopt;
}

// What is replaced is gone: only a data set of ours is, and only when nobody has put anything into it.
void check_replaceable(const fs::path& folder) {
  if (!fs::exists(folder) || (fs::is_directory(folder) && fs::is_empty(folder))) return;
  const auto version = fieldguide_version(folder);
  if (!version) {
    throw Error(
        fmt::format("{} exists and is not the fieldguide data set. Move it away or choose another --root.",
                    folder.string()));
  }
  if (*version > kFieldguideVersion) {
    throw Error(fmt::format(
        "{} is the fieldguide data set of version {}, this program draws version {}. Use a newer program "
        "or choose another --root.",
        folder.string(), *version, kFieldguideVersion));
  }
  if (const auto foreign = foreign_name(folder)) {
    throw Error(
        fmt::format("{} has to be drawn anew, but it also holds {}, which is not of the fieldguide data set. "
                    "Move that away or choose another --root.",
                    folder.string(), *foreign));
  }
}

void move_into_place(const fs::path& drawn, const fs::path& folder) {
  std::error_code code;
  fs::rename(drawn, folder, code);  // also over an empty folder
  if (!code) return;
  // An older or damaged data set lies there. It is moved aside first: a folder cannot be renamed over a full
  // one.
  check_replaceable(folder);  // again: drawing took a while
  const Workplace aside(folder);
  fs::rename(folder, aside.path() / "old", code);
  fs::rename(drawn, folder, code);
  if (code && !fieldguide_is_complete(folder)) {  // else another program was faster
    throw Error(fmt::format("cannot write {}: {}", folder.string(), code.message()));
  }
}

// Null when there is none of ours.
nlohmann::json read_manifest(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_regular_file(folder / kManifest, code)) return {};
  auto json = parse_json<nlohmann::json>(read_file(folder / kManifest));
  if (!json.is_object() || !json.contains("format") || json["format"] != "fieldguide") return {};
  return json;
}

}  // namespace

std::optional<std::int64_t> fieldguide_version(const fs::path& folder) {
  const auto json = read_manifest(folder);
  if (!json.contains("version") || !json["version"].is_number_integer()) return std::nullopt;
  return json["version"].get<std::int64_t>();
}

bool fieldguide_is_complete(const fs::path& folder) {
  if (fieldguide_version(folder) != kFieldguideVersion) return false;
  std::vector<std::string> digests;
  std::error_code code;
  for (int item = 0; item < image_count(); ++item) {
    const auto file = folder / path_of(item);
    if (!fs::is_regular_file(file, code)) return false;
    digests.push_back(sha256_file(file));
  }
  return read_manifest(folder).value("images_sha256", nlohmann::json()) == digest_of_all(digests);
}

void generate_fieldguide(const fs::path& folder_as_given, const Progress& progress, int threads) {
  const auto folder = fs::absolute(folder_as_given / "").parent_path().lexically_normal();
  if (fieldguide_is_complete(folder)) return;
  check_replaceable(folder);
  const DelayedSignals until_cleaned_up;  // 1,920 files are more than a signal handler can remove
  const MadeFolders above(folder.parent_path());
  remove_leftovers(folder);
  const Workplace workplace(folder);
  const auto drawn = workplace.path() / "fieldguide";
  for (std::size_t i = 0; i < fieldguide_classes().size(); ++i) {
    fs::create_directories((drawn / fieldguide_image_path(static_cast<int>(i), 0)).parent_path());
  }
  const auto digests = draw_all(drawn, progress, threads);
  write_plainly(drawn / kManifest, manifest(digests));
  // No fsync: on a busy disk it takes minutes, and files that a power failure emptied are noticed and drawn
  // again.
  move_into_place(drawn, folder);
}

}  // namespace procsim
