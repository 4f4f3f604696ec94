#include "data/files/file_changes.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>
#include <sys/stat.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/leftovers.hpp"

namespace procsim {
namespace fs = std::filesystem;
namespace {

// Number and time of the last change, which stay when a file is renamed; a number alone is given again to
// the next new file.
std::string identity_of(const fs::path& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return {};
  return fmt::format("{} {} {}", found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

void set_aside(const FileChanges::Step& step) {
  if (step.aside.empty()) return;
  std::error_code code;
  fs::create_hard_link(step.target, step.aside, code);
  if (code) {  // a file system without hard links: whole under its name, or not there
    const auto copy = temporary_beside(step.aside);
    if (fs::copy_file(step.target, copy, code)) fs::rename(copy, step.aside, code);
    std::error_code ignored;
    fs::remove(copy, ignored);
  }
  if (code) throw Error(fmt::format("cannot write {}: {}", step.aside.string(), code.message()));
}

// One file under two names, or, where a file system has no hard links, its copy.
bool is_same(const fs::path& one, const fs::path& other) noexcept {
  std::error_code code;
  if (fs::equivalent(one, other, code)) return true;
  try {
    return fs::file_size(one) == fs::file_size(other) && sha256_file(one) == sha256_file(other);
  } catch (const std::exception&) {  // one of them is not there, or cannot be read
    return false;
  }
}

}  // namespace

FileChanges::~FileChanges() { take_back(); }

void FileChanges::take_back() noexcept {
  if (is_kept_ || !is_settled_) return;
  is_settled_ = false;
  for (const auto& change : std::views::reverse(changes_)) undo(change.step);
}

void FileChanges::write(const fs::path& target, std::string_view content) {
  const auto file = std::make_shared<AtomicFile>(target, IfExists::kReplace);
  file->write(content);
  add(*file, file);
}

void FileChanges::add(AtomicFile& file, std::shared_ptr<void> owner) {
  changes_.push_back({{file.target(), file.path(), {}, {}}, &file, std::move(owner), {}});
}

void FileChanges::remove(const fs::path& target) {
  changes_.push_back({{target, {}, {}, {}}, nullptr, {}, {}});
}

fs::path FileChanges::written(const fs::path& target) const {
  return std::ranges::find(changes_, target, [](const Change& one) { return one.step.target; })
      ->step.temporary;
}

void FileChanges::keep_previous(const fs::path& target, const fs::path& kept) {
  const auto change = std::ranges::find(changes_, target, [](const Change& one) { return one.step.target; });
  if (change != changes_.end()) change->kept = kept;
}

std::vector<FileChanges::Step> FileChanges::steps() {
  std::vector<Step> settled;
  for (auto& change : changes_) {
    auto& step = change.step;
    if (change.file != nullptr) change.file->sync();
    step.file = change.file != nullptr ? identity_of(step.temporary) : std::string();
    if (fs::is_regular_file(step.target)) {
      // What was kept before under this name is the same file: it must not go when the change is undone.
      const bool is_free = !change.kept.empty() && !fs::exists(change.kept);
      step.aside = is_free ? change.kept : temporary_beside(step.target);
    }
    settled.push_back(step);
  }
  is_settled_ = true;
  return settled;
}

void FileChanges::replace() {
  if (!is_settled_) steps();
  for (const auto& change : changes_) set_aside(change.step);
  for (const auto& change : changes_) {
    if (change.file != nullptr)
      change.file->commit();
    else
      fs::remove(change.step.target);
  }
}

void FileChanges::keep() {
  is_kept_ = true;
  std::error_code ignored;
  for (const auto& change : changes_) {
    if (!change.step.aside.empty() && change.step.aside != change.kept)
      fs::remove(change.step.aside, ignored);
  }
}

void FileChanges::undo(const Step& step) noexcept {
  std::error_code ignored;
  const bool had_one = !step.aside.empty() && fs::exists(step.aside, ignored);
  const bool is_put = step.temporary.empty() ? !fs::exists(step.target, ignored)
                                             : !step.file.empty() && identity_of(step.target) == step.file;
  if (is_put && had_one) {
    fs::rename(step.aside, step.target, ignored);
  } else if (is_put && !step.temporary.empty() && step.aside.empty()) {
    fs::remove(step.target, ignored);
  }
  // What has no other name any more, and one that people know, is the last of it: the target may have been
  // copied here since.
  if (had_one && (is_temporary_of(step.aside, step.target) || is_same(step.aside, step.target)))
    fs::remove(step.aside, ignored);
  if (!step.temporary.empty()) fs::remove(step.temporary, ignored);
}

bool FileChanges::is_possible(const Step& step) {
  const auto& [target, temporary, aside, file] = step;
  if (!target.has_filename() || (!temporary.empty() && !is_temporary_of(temporary, target))) return false;
  if (aside.empty() || is_temporary_of(aside, target)) return true;
  return !temporary.empty() && aside.parent_path() == target.parent_path() &&
         aside.extension() == target.extension() &&
         aside.filename().string().starts_with(target.stem().string() + "-");
}

}  // namespace procsim
