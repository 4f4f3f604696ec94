#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace procsim {

// kKeepSame: a file with the same content stays as it is, another one is refused.
enum class IfExists { kFail, kReplace, kKeepSame };

// A file that appears under its name only when it is complete. The content goes to a temporary name in the
// same folder; commit() flushes it to the disk and renames it. Without commit() the temporary file is removed
// and whatever stood under the name before stays as it was. What a killed process left behind is removed by
// the next writer.
//
// Use path() to let a library write the file, or write() for text and bytes.
class AtomicFile {
 public:
  // Creates the folder when it is missing. Throws Error when the file exists and may not be replaced, when
  // its name is that of a folder, or when the folder cannot be written.
  explicit AtomicFile(std::filesystem::path target, IfExists if_exists = IfExists::kFail);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  const std::filesystem::path& target() const { return target_; }

  void write(std::string_view bytes);
  // Flushes to the disk. Throws Error when commit() would refuse because the file is there by now.
  void sync();
  void commit();

 private:
  bool is_there() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  IfExists if_exists_;
  int descriptor_ = -1;
  std::size_t slot_ = 0;
};

// Removes the temporary files of all AtomicFiles that live. For signal handlers: it calls nothing but
// unlink().
void remove_unfinished_files() noexcept;

// The whole content at once.
void write_file(const std::filesystem::path& target, std::string_view content, IfExists if_exists);

// A file's content. Throws Error with the path.
std::string read_file(const std::filesystem::path& path);

}  // namespace procsim
