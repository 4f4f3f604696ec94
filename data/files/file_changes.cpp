#include "data/files/file_changes.hpp"

#include <algorithm>
#include <memory>
#include <ranges>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/leftovers.hpp"

namespace procsim {
namespace fs = std::filesystem;

FileChanges::~FileChanges() {
  if (is_kept_) return;
  for (const auto& change : std::views::reverse(changes_)) put_back(change);
}

void FileChanges::write(const fs::path& target, std::string_view content) {
  const auto file = std::make_shared<AtomicFile>(target, IfExists::kReplace);
  file->write(content);
  add(target, [file] { file->commit(); });
}

void FileChanges::add(const fs::path& target, std::function<void()> commit) {
  changes_.push_back({target, std::move(commit), {}, {}});
}

void FileChanges::remove(const fs::path& target) {
  add(target, [target] { fs::remove(target); });
}

void FileChanges::keep_previous(const fs::path& target, const fs::path& kept) {
  const auto change = std::ranges::find(changes_, target, &Change::target);
  if (change != changes_.end()) change->kept = kept;
}

void FileChanges::set_aside(Change& change) {
  if (!fs::is_regular_file(change.target)) return;
  // What was kept before under this name is the same file: it must not go when the change is undone.
  const bool is_free = !change.kept.empty() && !fs::exists(change.kept);
  change.aside = is_free ? change.kept : temporary_beside(change.target);
  std::error_code code;
  fs::create_hard_link(change.target, change.aside, code);
  if (code) fs::copy_file(change.target, change.aside, code);  // a file system without hard links
  if (code) throw Error(fmt::format("cannot write {}: {}", change.aside.string(), code.message()));
}

void FileChanges::put_back(const Change& change) noexcept {
  std::error_code ignored;
  if (!change.aside.empty() && change.is_put) {
    fs::rename(change.aside, change.target, ignored);
  } else if (change.is_put) {
    fs::remove(change.target, ignored);
  }
  if (!change.aside.empty()) fs::remove(change.aside, ignored);
}

void FileChanges::replace() {
  for (auto& change : changes_) set_aside(change);
  for (auto& change : changes_) {
    change.put();
    change.is_put = true;
  }
}

void FileChanges::keep() {
  is_kept_ = true;
  std::error_code ignored;
  for (const auto& change : changes_) {
    if (!change.aside.empty() && change.aside != change.kept) fs::remove(change.aside, ignored);
  }
}

}  // namespace procsim
