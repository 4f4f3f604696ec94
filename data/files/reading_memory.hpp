#pragma once

// Included by sources of data/ only.

#include <cstdint>

#include <arrow/memory_pool.h>

namespace procsim {

// Memory that reading Parquet files may take: a fixed part for any file, and beyond it a multiple of the
// largest file that was opened. A small file that unpacks to gigabytes is refused before they are taken.
// Lives as long as the process, and so longer than everything that was read.
arrow::MemoryPool* reading_memory();

// An image is no larger, nor is what has to be unpacked at once to reach it.
inline constexpr std::int64_t kMostImageBytes = std::int64_t{256} << 20;
// The same memory for images inside Parquet files: nothing beyond kMostImageBytes is taken at once.
arrow::MemoryPool* image_memory();

// A file of so many bytes is about to be read.
void allow_reading(std::int64_t file_bytes);

}  // namespace procsim
