#include "data/labels/label_classes.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"

namespace procsim {

nlohmann::ordered_json classes_to_json(std::span<const LabelClass> classes) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& entry : classes) {
    nlohmann::ordered_json item;
    item["name"] = entry.name;
    item["published"] = entry.published;
    if (!entry.node.empty()) item["node"] = entry.node;
    json.push_back(std::move(item));
  }
  return json;
}

std::vector<LabelClass> classes_from_json(const nlohmann::ordered_json& header,
                                          const std::filesystem::path& path) {
  try {
    std::vector<LabelClass> classes;
    for (const auto& entry : header.at("classes")) {
      classes.push_back({entry.at("name").get<std::string>(), entry.value("published", std::string{}),
                         entry.value("node", std::string{})});
    }
    return classes;
  } catch (const nlohmann::json::exception& exception) {
    throw Error(fmt::format("{}: the list of classes in its metadata is damaged: {}", path.string(),
                            exception.what()));
  }
}

}  // namespace procsim
