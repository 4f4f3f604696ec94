#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim::train {

// Embeddings of `ids`, a float row each in that order, from a Parquet file with a column sample_id (integers)
// and one column of lists of numbers (any name; "embedding" where there are several). Further rows and
// columns are ignored. Throws Error that names the file and the row or sample for: no such column, lists of
// unequal length, a sample twice, a sample that is missing, a number that is not finite, a row of zeros.
// `dimension` > 0: the model's, which the lists must have.
torch::Tensor read_embeddings(const std::filesystem::path& path, std::span<const std::int64_t> ids,
                              std::int64_t dimension = 0);

// The samples that such a file holds rows of, in its order. Throws Error where it has no column sample_id.
std::vector<std::int64_t> embedded_samples(const std::filesystem::path& path);

// Throws Error "sample N: …" for the first row that holds a number that is not finite or nothing but zeros.
// `source` says where the rows come from.
void check_embeddings(const torch::Tensor& embeddings, std::span<const std::int64_t> ids,
                      std::string_view source);

}  // namespace procsim::train
