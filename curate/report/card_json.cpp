#include <nlohmann/json.hpp>

#include "curate/report/card.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

Json neighbours_json(const std::vector<Card::Neighbour>& neighbours) {
  auto list = Json::array();
  for (const auto& neighbour : neighbours) list.push_back({{"id", neighbour.id}, {"label", neighbour.label}});
  return list;
}

}  // namespace

Json to_json(const Card& card) {
  Json json{{"id", card.id}};
  if (card.path) json["path"] = *card.path;
  json["given"] = card.given;
  json["suggested"] = card.suggested;
  if (card.scores) {
    json["p"] = card.scores->p;
    json["suspicion"] = card.scores->suspicion;
    json["p_given"] = card.scores->p_given;
    json["margin"] = card.scores->margin;
    json["proxy_loss"] = card.scores->proxy_loss;
    json["confidence"] = card.scores->confidence;
  }
  if (card.p_none) json["p_none"] = *card.p_none;
  auto& rivals = json["rivals"] = Json::array();
  for (const auto& rival : card.rivals)
    rivals.push_back({rival.label, rival.probability ? Json(*rival.probability) : Json(nullptr)});
  json["near_given"] = neighbours_json(card.near_given);
  json["near_suggested"] = neighbours_json(card.near_suggested);
  json["duplicates"] = neighbours_json(card.duplicates);
  if (!card.near_rivals.empty()) json["near_rivals"] = neighbours_json(card.near_rivals);
  json["kinship"] = to_string(card.relation.kinship);
  if (card.relation.kinship != Kinship::kUnknown) {
    json["distance"] = card.relation.distance;
    json["common"] = card.relation.common;
    if (card.relation.doubtful) json["place_doubtful"] = true;
  }
  json["why"] = card.why;
  if (!card.ticket.empty()) json["ticket"] = card.ticket;
  return json;
}

}  // namespace procsim::curate
