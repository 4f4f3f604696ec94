#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

// One suspect: everything a reviewer needs to judge it.
struct Card {
  struct Rival {
    std::int32_t label = kUnlabelled;
    std::optional<double> probability;  // a blind card does not tell
  };
  struct Neighbour {
    std::int64_t id = 0;
    std::int32_t label = kUnlabelled;
  };
  // What the model says of it, six digits each.
  struct Scores {
    double p = 0;  // that the label is wrong
    double suspicion = 0, p_given = 0, margin = 0, proxy_loss = 0, confidence = 0;
  };

  std::int64_t id = 0;
  std::int32_t given = kUnlabelled, suggested = kUnlabelled;
  std::optional<std::string> path;  // a blind card has neither path nor scores
  std::optional<Scores> scores;
  std::optional<double> p_none;  // that the image belongs to no class; empty where nobody judged that
  std::vector<Rival> rivals;
  std::vector<Neighbour> near_given, near_suggested;
  std::vector<Neighbour> duplicates;   // near-duplicates under another label
  std::vector<Neighbour> near_rivals;  // of the rivals that are not suggested
  Relation relation;                   // of the given and the suggested class
  std::vector<std::string> why;        // a sentence each, the strongest reason first
  std::string ticket;                  // of a card that was handed out; empty in reports

  std::string reason() const;  // `why` in one line
};

Card make_card(const ScoreTable& table, const ClassFamilies& families, std::uint32_t index);

// A card in a report (docs/curate.md, "Report document").
nlohmann::ordered_json to_json(const Card& card);

}  // namespace procsim::curate
