#include "tests/support/test_files.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace procsim::test {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "procsim-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(std::string_view name, std::string_view content) const {
  const auto path = path_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string read_all(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream content;
  content << in.rdbuf();
  return std::move(content).str();
}

fs::path source_folder() { return PROCSIM_SOURCE_DIR; }

fs::path python_program() { return PROCSIM_PYTHON; }

std::optional<fs::path> shared_data(std::string_view name) {
  const char* elsewhere = std::getenv("PROCSIM_SHARED");
  const auto path =
      (elsewhere != nullptr ? fs::path(elsewhere) : source_folder().parent_path() / "shared") / name;
  if (!fs::exists(path)) return std::nullopt;
  return path;
}

}  // namespace procsim::test
