#pragma once

// Included by sources of data/ only.

#include <cstdint>

#include <arrow/memory_pool.h>

namespace procsim {

// Memory that reading Parquet files may take: a fixed part for any file, and beyond it a multiple of the
// largest file that was opened. A small file that unpacks to gigabytes is refused before they are taken.
// Lives as long as the process, and so longer than everything that was read.
arrow::MemoryPool* reading_memory();

// A file of so many bytes is about to be read.
void allow_reading(std::int64_t file_bytes);

}  // namespace procsim
