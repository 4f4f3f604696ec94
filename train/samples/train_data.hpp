#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/labels/label_set.hpp"

namespace procsim::taxonomy {
class Taxonomy;
}

namespace procsim::train {

struct TrainSample {
  std::int64_t id = 0;
  std::string path;
  std::int32_t label = kUnlabelled;
  std::optional<std::int32_t> true_label;
};

// A label set as the trainer uses it.
struct TrainData {
  LabelSetInfo info;
  std::string digest;  // SHA-256 of the label set
  std::filesystem::path root;
  std::vector<TrainSample> train;
  std::vector<TrainSample> test;          // unseen classes, for evaluation; may be empty
  std::vector<std::int32_t> classes;      // dense class → label, ascending, those of the training samples
  std::vector<std::int64_t> train_class;  // training sample → dense class
  std::int64_t unlabelled = 0;            // training rows without a label, left out
  std::int64_t other_splits = 0;          // labelled rows of splits that were not asked for (load_labels_of)
  std::shared_ptr<const taxonomy::Taxonomy>
      taxonomy;  // of the classes, where there is one: evidence for the scores

  bool truth_known() const;                             // every training sample has a true label
  const LabelClass& class_at(std::size_t index) const;  // of `classes`
  std::vector<std::int64_t> train_ids() const;          // sample ids in the order of `train`
  // The class that evaluation holds a test sample to: the true one where it is known.
  std::vector<std::int64_t> test_labels() const;
};

// Rows of split `train` learn (all rows where no row has a split), rows of `test` are for evaluation. Throws
// Error when nothing is left to train on, or when images are missing below `root` (says how many, the first,
// what to do).
TrainData load_train_data(const std::filesystem::path& label_set, const std::filesystem::path& root);
// Throws the same of images that are missing.
void check_images(const TrainData& data);
// The same without images: for embeddings that were made elsewhere.
TrainData load_labels(const std::filesystem::path& label_set);

// What `score` judges: the labelled rows of one split, or of every split (kAllSplits), as `train`. Of every
// split leaves out splits that `featured` does not hold a sample of: where features of some were made
// elsewhere.
inline constexpr std::string_view kAllSplits = "all";
TrainData load_labels_of(const std::filesystem::path& label_set, std::string_view split,
                         const std::optional<std::vector<std::int64_t>>& featured = {});

// Fills `classes` and `train_class` from the training samples.
void index_classes(TrainData& data);

// Leaves out the training and test samples whose images cannot be decoded; returns a message for each.
std::vector<std::string> drop_broken_images(TrainData& data, int workers);  // 0: a thread per core

}  // namespace procsim::train
