#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "data/workspace/workspace.hpp"

namespace procsim::test {

// Straight to the database, past our own code.
inline std::string sql(const std::filesystem::path& folder, const std::string& statement) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open((folder / ".procsim/workspace.db").c_str(), &handle), SQLITE_OK);
  std::string out;
  char* message = nullptr;
  const auto collect = [](void* into, int columns, char** values, char**) {
    for (int i = 0; i < columns; ++i)
      *static_cast<std::string*>(into) += values[i] != nullptr ? values[i] : "null";
    return 0;
  };
  if (sqlite3_exec(handle, statement.c_str(), collect, &out, &message) != SQLITE_OK) out = message;
  sqlite3_free(message);
  sqlite3_close(handle);
  return out;
}

inline DatasetRecord dataset(const std::string& name) {
  return {name, "folder", name, "/data/" + name, 3, 30, "{}"};
}

inline LabelSetRecord label_set(const std::string& path, const std::string& digest,
                                const std::string& kind = "inject") {
  return {0, "birds", path, digest, kind, kind + " summary", 30, 6};
}

}  // namespace procsim::test
