#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "curate/report/image_store.hpp"
#include "data/base/progress.hpp"

namespace procsim::curate {

struct CopySample {
  std::int64_t id = 0;
  std::string path;
  std::int32_t label = -1;
  std::string split;
};

// Samples that show the same image, under whatever labels.
struct CopyGroup {
  std::vector<std::size_t> members;  // positions in the list of samples, ascending ids, two or more
  bool exact = false;                // all are the same bytes
  bool labels_differ = false;
  bool across_splits = false;  // what is learned from is tested on

  bool operator==(const CopyGroup&) const = default;
};

// A sample whose image cannot be looked at, and why: copies of it may be missing.
struct DamagedSample {
  std::int64_t id = 0;
  std::string path, why;

  bool operator==(const DamagedSample&) const = default;
};

struct FoundCopies {
  std::vector<CopyGroup> groups;
  std::vector<DamagedSample> damaged;  // in the order of the samples
};

struct CopyOptions {
  bool near = true;  // also images that were scaled, encoded again or touched up a little
  // Two images are near copies when their 16 × 16 grey pictures differ by no more than this (root of the mean
  // square, white = 1), nor by more than 15 % of their contrast.
  double threshold = 0.02;
};

// All samples of a label set that carry a label.
std::vector<CopySample> read_copy_samples(const std::filesystem::path& labels);

// Groups of copies, those across splits first, then those whose labels differ, then by size. Copies of copies
// are one group. Files that are missing have none; those that cannot be decoded (looked at for near copies
// only) may still be the same bytes. Both are named. Time grows with the number of samples, not its square:
// pictures are compared only where they fall into the same cell of one of several shifted grids, and there
// with at most 64 others.
FoundCopies find_copies(const std::vector<CopySample>& samples, const ImageStore& images,
                        const CopyOptions& options, const Progress& progress = {});

// The members that remain when one of each group is kept: of another split than "train" where there is one,
// with the label that most have, the lowest id.
std::size_t kept_copy(const CopyGroup& group, const std::vector<CopySample>& samples);

}  // namespace procsim::curate
