#include "data/labels/huggingface_features.hpp"

#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace procsim {

using Json = nlohmann::ordered_json;

Json huggingface_value(std::string_view dtype) { return {{"dtype", dtype}, {"_type", "Value"}}; }

Json huggingface_image() { return {{"_type", "Image"}}; }

Json huggingface_class_label(const std::vector<LabelClass>& classes) {
  std::unordered_map<std::string_view, int> uses;
  for (const auto& entry : classes) ++uses[entry.name];
  std::unordered_set<std::string> taken;
  auto names = Json::array();
  for (std::size_t label = 0; label < classes.size(); ++label) {
    const auto& entry = classes[label];
    auto name = uses[entry.name] > 1 && !entry.published.empty() ? entry.published : entry.name;
    if (taken.contains(name)) name = fmt::format("{} ({})", name, label);
    taken.insert(name);
    names.push_back(std::move(name));
  }
  return {{"names", std::move(names)}, {"_type", "ClassLabel"}};
}

std::string huggingface_info(const std::vector<std::pair<std::string, Json>>& features) {
  Json document;
  auto& described = document["info"]["features"] = Json::object();
  for (const auto& [column, feature] : features) described[column] = feature;
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace procsim
