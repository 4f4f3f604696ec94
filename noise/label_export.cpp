#include "noise/label_export.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/files/leftovers.hpp"
#include "data/files/table.hpp"
#include "data/labels/label_set.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim::noise {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kFlushBytes = 1 << 20;
constexpr const char* kMarker = ".procsim-imagefolder";

void for_each_row(const fs::path& labels, const Progress& progress,
                  const std::function<void(const LabelSetInfo&, const LabelBatch&, std::int64_t)>& each) {
  LabelSetReader reader(labels);
  std::uint64_t done = 0;
  while (const auto batch = reader.next()) {
    for (std::int64_t row = 0; row < batch->rows(); ++row) each(reader.info(), *batch, row);
    done += static_cast<std::uint64_t>(batch->rows());
    if (progress) progress(done, static_cast<std::uint64_t>(reader.file_rows()));
  }
}

// Text that goes to the file in large pieces.
class TextOutput {
 public:
  TextOutput(const fs::path& path, IfExists if_exists) : file_(path, if_exists) {}
  void add(std::string_view text) {
    waiting_ += text;
    if (waiting_.size() >= kFlushBytes) flush();
  }
  void finish() {
    flush();
    file_.commit();
  }

 private:
  void flush() {
    file_.write(waiting_);
    waiting_.clear();
  }
  AtomicFile file_;
  std::string waiting_;
};

std::string label_fields(const LabelSetInfo& info, std::optional<std::int32_t> label) {
  if (!label || *label == kUnlabelled) return ",";
  if (*label == kNoneOfThese) return fmt::format("{},", kNoneOfThese);
  return fmt::format("{},{}", *label, csv_field(info.classes[static_cast<std::size_t>(*label)].name));
}

// A folder that is built under another name and appears at once; removed when it is not committed. What stood
// there before stays, under another name at the last, until the new one stands.
class AtomicFolder {
 public:
  AtomicFolder(fs::path target, IfExists if_exists) : target_(std::move(target)) {
    if (target_.filename().empty()) target_ = target_.parent_path();
    aside_ = target_.parent_path() / fmt::format(".{}.replaced", target_.filename().string());
    // A process was killed when the old folder had made room and the new one did not stand yet.
    if (!fs::exists(target_) && fs::exists(aside_ / kMarker)) fs::rename(aside_, target_);
    if (fs::exists(target_)) {
      if (if_exists == IfExists::kFail) {
        throw Error(fmt::format("{} already exists. Use --force to replace it.", target_.string()));
      }
      if (!fs::exists(target_ / kMarker)) {
        throw Error(fmt::format(
            "{} was not made by noise export, so --force does not replace it. Give another folder.",
            target_.string()));
      }
    }
    replaces_ = fs::exists(target_);
    remove_leftovers(target_);
    temporary_ = temporary_beside(target_);
    fs::create_directories(temporary_);
  }
  ~AtomicFolder() {
    std::error_code ignored;
    if (!done_) fs::remove_all(temporary_, ignored);
  }
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  const fs::path& path() const { return temporary_; }
  void commit() {
    write_file(temporary_ / kMarker, "A folder of links made by noise export --format imagefolder\n",
               IfExists::kReplace);
    if (fs::exists(aside_ / kMarker)) remove_aside();
    if (replaces_) fs::rename(target_, aside_);
    std::error_code failure, ignored;
    fs::rename(temporary_, target_, failure);
    if (failure) {
      if (replaces_) fs::rename(aside_, target_, ignored);
      throw Error(fmt::format("cannot put {} in place: {}", target_.string(), failure.message()));
    }
    done_ = true;
    if (replaces_) remove_aside();
  }

 private:
  // Under a name that the next writer removes too, where this one does not come to its end.
  void remove_aside() {
    std::error_code failure;
    const auto old = temporary_beside(target_);
    fs::rename(aside_, old, failure);
    if (!failure) fs::remove_all(old, failure);
  }

  fs::path target_, temporary_;
  fs::path aside_;  // where the folder that is replaced stands meanwhile
  bool replaces_ = false;
  bool done_ = false;
};

}  // namespace

ExportCounts export_csv(const fs::path& labels, const fs::path& output, IfExists if_exists,
                        const Progress& progress) {
  TextOutput out(output, if_exists);
  out.add("sample_id,path,split,label,class,true_label,true_class\n");
  ExportCounts counts;
  for_each_row(labels, progress, [&](const LabelSetInfo& info, const LabelBatch& batch, std::int64_t row) {
    const auto at = static_cast<std::size_t>(row);
    out.add(fmt::format("{},{},{},{},{}\n", batch.sample_ids()[at], csv_field(batch.path(row)),
                        csv_field(batch.split(row)), label_fields(info, batch.labels()[at]),
                        label_fields(info, batch.true_label(row))));
    ++counts.written;
  });
  out.finish();
  return counts;
}

ExportCounts export_prism(const fs::path& labels, const fs::path& output, IfExists if_exists,
                          const std::string& split, const std::string& prefix, std::int64_t first_label,
                          const Progress& progress) {
  TextOutput out(output, if_exists);
  ExportCounts counts;
  for_each_row(labels, progress, [&](const LabelSetInfo&, const LabelBatch& batch, std::int64_t row) {
    const auto label = batch.labels()[static_cast<std::size_t>(row)];
    if (label == kUnlabelled || batch.split(row) != split) {
      ++counts.skipped;
      return;
    }
    out.add(fmt::format("{}{},{}\n", prefix, batch.path(row), label + first_label));
    ++counts.written;
  });
  if (counts.written == 0)
    throw Error(fmt::format("{} has no labelled rows of split '{}'", labels.string(), split));
  out.finish();
  return counts;
}

ExportCounts export_image_folder(const fs::path& labels, const fs::path& output, IfExists if_exists,
                                 const fs::path& root, const Progress& progress) {
  if (!fs::is_directory(root))
    throw Error(fmt::format("{} is no folder of images; give --root", root.string()));
  AtomicFolder folder(output, if_exists);
  const auto absolute_root = fs::absolute(root).lexically_normal();
  ExportCounts counts;
  for_each_row(labels, progress, [&](const LabelSetInfo& info, const LabelBatch& batch, std::int64_t row) {
    const auto at = static_cast<std::size_t>(row);
    const auto label = batch.labels()[at];
    if (label == kUnlabelled) {
      ++counts.skipped;
      return;
    }
    const std::string path(batch.path(row));
    if (path.find(".parquet#") != std::string::npos) {
      throw Error(fmt::format(
          "{}: sample {} is an image inside a Parquet file ('{}'); a folder of links needs image files",
          labels.string(), batch.sample_ids()[at], path));
    }
    const auto below = path_below_root(path);
    if (!below)
      throw Error(fmt::format("{}: sample {} has the path '{}', which leads out of the data set's folder",
                              labels.string(), batch.sample_ids()[at], path));
    const auto& entry = info.classes[static_cast<std::size_t>(label)];
    const auto split = batch.split(row);
    const auto place = folder.path() / path_component(split.empty() ? "all" : split) /
                       path_component(entry.published.empty() ? entry.name : entry.published);
    fs::create_directories(place);
    const auto image = absolute_root / *below;
    counts.missing += fs::exists(image) ? 0 : 1;
    fs::create_symlink(image, place / path_component(fmt::format("{}-{}", batch.sample_ids()[at],
                                                                 fs::path(*below).filename().string())));
    ++counts.written;
  });
  folder.commit();
  return counts;
}

}  // namespace procsim::noise
