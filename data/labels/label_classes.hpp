#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "data/labels/label_set.hpp"

namespace procsim {

// The list of classes as the headers of label sets and scores hold it, and back from a whole header.
nlohmann::ordered_json classes_to_json(std::span<const LabelClass> classes);
std::vector<LabelClass> classes_from_json(const nlohmann::ordered_json& header,
                                          const std::filesystem::path& path);

}  // namespace procsim
