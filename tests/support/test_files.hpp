#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace procsim::test {

// A folder of its own for each test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  // Writes a file below the folder (folders in between are made) and returns its path.
  std::filesystem::path write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

std::string read_all(const std::filesystem::path& path);

std::filesystem::path source_folder();   // the project's root
std::filesystem::path python_program();  // the interpreter that scripts/setup.sh installed

// Real data beside the project (../shared, or PROCSIM_SHARED), e.g. shared_data("cub200/CUB_200_2011"). Empty
// when it is not there: GTEST_SKIP() << "no ../shared/…".
std::optional<std::filesystem::path> shared_data(std::string_view name);

}  // namespace procsim::test
