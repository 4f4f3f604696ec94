#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/test_files.hpp"

namespace procsim::test {

// tests/train/expected/<name>, made by the make_*.py beside it.
inline nlohmann::json expected_values(const std::string& name) {
  return nlohmann::json::parse(read_all(source_folder() / "tests/train/expected" / name));
}

}  // namespace procsim::test
