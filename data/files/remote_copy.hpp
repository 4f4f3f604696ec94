#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "data/base/progress.hpp"

namespace procsim {

// Files and folders that are not on this machine, named by URI: s3://bucket/key, gs:// (or gcs://),
// abfs://, abfss://, and file:// for completeness. Arrow's file systems reach them, with the credentials that
// its users set (AWS_ACCESS_KEY_ID, ~/.aws, GOOGLE_APPLICATION_CREDENTIALS, …) and its options behind '?'.
//
// Everything of ours reads local files, so what a URI names is copied first, into a folder below
// $XDG_CACHE_HOME/procsim (~/.cache/procsim), once: a later run fetches only what has changed there.

// Whether the word names something by URI, of whatever scheme.
bool is_uri(std::string_view word);

// A URI as it may be shown: a user and password in it are left out.
std::string without_password(std::string_view uri);

// Where the copy stands, under the name that it has there; for file:// the file itself. Opens nothing. Throws
// UsageError for a scheme that is not read and for a URI that names nothing.
std::filesystem::path remote_copy(const std::string& uri);

struct RemoteFetch {
  std::int64_t files = 0;    // that the copy has
  std::int64_t fetched = 0;  // of them now, because they were missing or had changed
  std::uint64_t bytes = 0;   // fetched
};

// Brings the copy up to date: files of the same size and time stay, files that are gone there go here. Throws
// Error with the URI; what was fetched by then is complete, file by file, and is not fetched again.
RemoteFetch fetch_remote(const std::string& uri, const Progress& progress = {});

}  // namespace procsim
