#include "data/files/atomic_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/files/leftovers.hpp"

namespace procsim {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* doing) {
  throw Error(fmt::format("cannot {} {}: {}", doing, path.string(), std::strerror(errno)));
}

[[noreturn]] void refuse_existing(const std::filesystem::path& path) {
  throw Error(fmt::format("{} already exists. Use --force to replace it.", path.string()));
}

// Paths of temporary files, where a signal handler finds them. Files beyond the last slot are not removed by
// it.
constexpr std::size_t kSlots = 64;
std::array<std::atomic<const char*>, kSlots> unfinished{};

std::size_t remember(const char* path) {
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const char* empty = nullptr;
    if (unfinished[slot].compare_exchange_strong(empty, path)) return slot;
  }
  return kSlots;
}

void forget(std::size_t slot) {
  if (slot < kSlots) unfinished[slot].store(nullptr);
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // the rename has happened; some file systems cannot sync a folder
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target, IfExists if_exists)
    : target_(std::move(target)), if_exists_(if_exists) {
  if (!target_.has_filename() || std::filesystem::is_directory(target_))
    throw Error(target_.string() + " is a folder, not a file");
  if (std::filesystem::exists(target_)) {
    // Renaming onto /dev/null would put a file in the place of the device.
    if (!std::filesystem::is_regular_file(target_))
      throw Error(target_.string() + " is a device, a pipe or a socket, not a file. Give another name.");
    if (if_exists_ == IfExists::kFail) refuse_existing(target_);
  }
  const auto folder = target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) throw Error(fmt::format("cannot create folder {}: {}", folder.string(), code.message()));

  remove_leftovers(target_);
  temporary_ = temporary_beside(target_);
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(target_, "write");
  slot_ = remember(temporary_.c_str());
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
  forget(slot_);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(target_, "write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::sync() {
  if (::fsync(descriptor_) != 0) fail(target_, "write");
  if (if_exists_ == IfExists::kReplace || !std::filesystem::exists(target_)) return;
  if (!is_there()) refuse_existing(target_);
}

// Already, with this content, and may stay.
bool AtomicFile::is_there() const {
  return if_exists_ == IfExists::kKeepSame && std::filesystem::is_regular_file(target_) &&
         std::filesystem::file_size(target_) == std::filesystem::file_size(temporary_) &&
         sha256_file(target_) == sha256_file(temporary_);
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail(target_, "write");
  if (if_exists_ == IfExists::kReplace || is_there()) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, "write");
  } else {
    // link() refuses an existing name, so two writers at once cannot replace each other's file.
    if (::link(temporary_.c_str(), target_.c_str()) == 0) {
      ::unlink(temporary_.c_str());
    } else if (errno == EEXIST) {
      refuse_existing(target_);
    } else if (::rename(temporary_.c_str(), target_.c_str()) != 0) {  // a file system without hard links
      fail(target_, "write");
    }
  }
  ::close(descriptor_);
  descriptor_ = -1;
  forget(slot_);
  sync_folder(target_.has_parent_path() ? target_.parent_path() : std::filesystem::path("."));
}

void remove_unfinished_files() noexcept {
  for (auto& path : unfinished) {
    if (const char* name = path.exchange(nullptr)) ::unlink(name);
  }
}

void write_file(const std::filesystem::path& target, std::string_view content, IfExists if_exists) {
  AtomicFile file(target, if_exists);
  file.write(content);
  file.commit();
}

std::string read_file(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) throw Error(path.string() + " is a folder, not a file");
  const std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  std::ostringstream content;
  content << in.rdbuf();
  if (in.bad()) throw Error(fmt::format("reading {} failed before its end", path.string()));
  return std::move(content).str();
}

}  // namespace procsim
