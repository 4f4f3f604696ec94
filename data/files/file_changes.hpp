#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace procsim {

// Files that change together or not at all. Each is first written in full under a temporary name, so that a
// full disk is noticed before anything is touched. replace() lets all of them appear; keep() makes that last.
// Without it, whatever stood there before comes back when this object goes.
class FileChanges {
 public:
  FileChanges() = default;
  ~FileChanges();
  FileChanges(const FileChanges&) = delete;
  FileChanges& operator=(const FileChanges&) = delete;

  void write(const std::filesystem::path& target, std::string_view content);
  // A file that somebody else has written in full under a temporary name; `commit` lets it appear.
  void add(const std::filesystem::path& target, std::function<void()> commit);
  // Gone afterwards, if it is there.
  void remove(const std::filesystem::path& target);

  // What stands under `target`, which is one of the above, stays under another name in the same folder.
  void keep_previous(const std::filesystem::path& target, const std::filesystem::path& kept);

  void replace();
  void keep();

 private:
  struct Change {
    std::filesystem::path target;
    std::function<void()> put;
    std::filesystem::path kept;   // empty: what stood there goes
    std::filesystem::path aside;  // where it is meanwhile; empty: nothing stood there
    bool is_put = false;
  };
  static void set_aside(Change& change);
  static void put_back(const Change& change) noexcept;

  std::vector<Change> changes_;
  bool is_kept_ = false;
};

}  // namespace procsim
