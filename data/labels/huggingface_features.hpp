#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/labels/label_set.hpp"

namespace procsim {

// What Hugging Face's `datasets` reads beside a Parquet file's columns, so that it shows class names and
// images.

// Key of the file metadata. On disk: never changes.
inline constexpr const char* kHuggingFaceKey = "huggingface";

nlohmann::ordered_json huggingface_value(std::string_view dtype);  // "int64", "string"
nlohmann::ordered_json huggingface_image();
// The classes' names, made unique (by the published name, else by the label): `datasets` refuses equal ones.
nlohmann::ordered_json huggingface_class_label(const std::vector<LabelClass>& classes);

// The metadata's value for columns and what they are, in order.
std::string huggingface_info(const std::vector<std::pair<std::string, nlohmann::ordered_json>>& features);

}  // namespace procsim
