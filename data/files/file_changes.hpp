#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace procsim {

class AtomicFile;

// Files that change together or not at all. Each is first written in full under a temporary name, so that a
// full disk is noticed before anything is touched. replace() lets all of them appear; keep() makes that last.
// Without it, whatever stood there before comes back when this object goes. A process that is killed between
// the two leaves steps() behind, from which undo() brings back what was before.
class FileChanges {
 public:
  FileChanges() = default;
  ~FileChanges();
  FileChanges(const FileChanges&) = delete;
  FileChanges& operator=(const FileChanges&) = delete;

  void write(const std::filesystem::path& target, std::string_view content);
  // A file that somebody else has written in full; it appears when `file` is committed. `owner` lives as long
  // as it has to.
  void add(AtomicFile& file, std::shared_ptr<void> owner);
  // Where the content of `target`, which is one of the above, is until replace().
  std::filesystem::path written(const std::filesystem::path& target) const;
  // Gone afterwards, if it is there.
  void remove(const std::filesystem::path& target);

  // What stands under `target`, which is one of the above, stays under another name in the same folder.
  void keep_previous(const std::filesystem::path& target, const std::filesystem::path& kept);

  // What replace() does to one file.
  struct Step {
    std::filesystem::path target;
    std::filesystem::path temporary;  // empty: the target is removed
    std::filesystem::path aside;      // where what stands under the target is meanwhile; empty: nothing does
    std::string file;                 // what tells the temporary file from every other, under any name
  };
  // Flushes all files to the disk and settles what replace() will do. Throws Error when one may not appear.
  std::vector<Step> steps();

  void replace();
  void keep();
  // Everything stays as it is, with other names that files have meanwhile: undo() or nobody takes it back.
  void leave() { is_kept_ = true; }
  // What stood there before comes back now.
  void take_back() noexcept;

  // Brings back what stood there before the step, however far it got.
  static void undo(const Step& step) noexcept;
  // Whether steps() settles steps like this one: of nothing but a file and its own other names. What a
  // database from somebody else says may be anything.
  static bool is_possible(const Step& step);

 private:
  struct Change {
    Step step;
    AtomicFile* file = nullptr;  // null: removed
    std::shared_ptr<void> owner;
    std::filesystem::path kept;  // empty: what stood there goes
  };

  std::vector<Change> changes_;
  bool is_settled_ = false;
  bool is_kept_ = false;
};

}  // namespace procsim
