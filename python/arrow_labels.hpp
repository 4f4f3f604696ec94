#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/base/progress.hpp"

struct ArrowArrayStream;

namespace procsim::python {

// Writes a label set from a stream of Arrow's C data interface, which is taken over: sample_id (int64), path
// and split (utf8), label (int32) and true_label (int32, null where unknown), in any order. `header` is the
// JSON that a label set carries (docs/formats.md): dataset, classes, provenance. Returns the file's SHA-256:
// the same rows and header give the same bytes as the programs'. `progress` counts rows; nobody knows their
// number.
std::string write_label_stream(ArrowArrayStream* stream, std::string_view header,
                               const std::filesystem::path& path, const Progress& progress = {});

}  // namespace procsim::python
