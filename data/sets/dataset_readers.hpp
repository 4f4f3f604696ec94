#pragma once

// One reader per kind of data set. Included by sources of data/ only: everybody else calls open_dataset.
//
// A reader fills in classes, samples (without `split`), root and notes, in an order that does not depend on
// the file system, and throws Error with file and line for whatever is wrong. Paths it gives lie below the
// root.

#include <filesystem>

#include "data/sets/dataset.hpp"

namespace procsim {

// `folder` holds image_class_labels.txt, or images.txt and classes.txt.
bool is_cub200(const std::filesystem::path& folder);
Dataset read_cub200(const std::filesystem::path& folder, const DatasetOptions& options);

// `folder` holds the devkit's .mat files, or is the parent of `devkit`.
bool is_cars196(const std::filesystem::path& folder);
Dataset read_cars196(const std::filesystem::path& folder, const DatasetOptions& options);

// `folder` holds Ebay_train.txt and Ebay_test.txt.
bool is_sop(const std::filesystem::path& folder);
Dataset read_sop(const std::filesystem::path& folder);

// Draws the data set into `folder` when it is not there, or is older or damaged.
Dataset read_fieldguide(const std::filesystem::path& folder);

// Empty when no class folder holds an image.
std::optional<Dataset> read_class_folders(const std::filesystem::path& folder);

// A CSV or TSV file; paths in it are relative to `root`.
Dataset read_csv_dataset(const std::filesystem::path& file, const std::filesystem::path& root,
                         const DatasetOptions& options);

// A Parquet file or a folder of them; plain paths in it are relative to `root`, images inside it to the
// file's folder.
bool is_parquet_folder(const std::filesystem::path& folder);  // has parts where they usually are
bool has_parquet_below(const std::filesystem::path& folder);  // has parts somewhere
Dataset read_parquet_dataset(const std::filesystem::path& file_or_folder, const DatasetOptions& options);

// Sets every sample's `split`. A sample without a label belongs to no class: class-disjoint splits put it
// into "unlabelled". Throws Error when the policy is kOwn and the data set has no split of its own.
void apply_split(Dataset& dataset, SplitPolicy policy, std::uint64_t seed);

// The usual word for a split, whatever its case: training → train, valid/validation/dev → val, testing →
// test. Other names stay as they are.
std::string split_name(std::string_view published);
// Whether it is one of the usual words: a folder of this name is no class.
bool is_split_name(std::string_view name);

// Whether the ending says that it is an image that we read.
bool is_image_name(const std::filesystem::path& file);

}  // namespace procsim
