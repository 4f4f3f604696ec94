#include "data/labels/label_provenance.hpp"

#include <nlohmann/json.hpp>

namespace procsim {

std::vector<LabelStep> label_history(const nlohmann::ordered_json& provenance) {
  std::vector<LabelStep> steps;
  for (const auto* step = &provenance; step->is_object() && !step->empty();) {
    const auto text = [step](const char* field) {
      const auto found = step->find(field);
      return found != step->end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    steps.push_back({text("program"), text("operation"), text("parent_digest")});
    const auto parent = step->find("parent");
    if (parent == step->end()) break;
    step = &*parent;
  }
  return steps;
}

}  // namespace procsim
