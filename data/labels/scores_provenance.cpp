#include "data/labels/scores_provenance.hpp"

namespace procsim {

using Json = nlohmann::ordered_json;

bool ScoresProvenance::remembers_training() const {
  return embeddings.is_object() && embeddings.value("memory", Json()) == "in training";
}

Json to_json(const ScoresProvenance& provenance) {
  auto json = Json::object();
  if (!provenance.program.empty()) json["program"] = provenance.program;
  if (!provenance.method.is_null()) json["method"] = provenance.method;
  if (!provenance.label_set.empty()) json["label_set"] = provenance.label_set;
  if (!provenance.embeddings.is_null()) json["embeddings"] = provenance.embeddings;
  return json;
}

ScoresProvenance scores_provenance_from_json(const Json& json) {
  if (!json.is_object()) return {};
  const auto text = [&](const char* field) {
    const auto found = json.find(field);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  return {text("program"), json.value("method", Json()), text("label_set"), json.value("embeddings", Json())};
}

}  // namespace procsim
