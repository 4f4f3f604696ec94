#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "curate/decisions/decisions.hpp"
#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"
#include "curate/report/image_store.hpp"
#include "curate/report/summary.hpp"
#include "data/base/progress.hpp"

namespace procsim::curate {

// A document that the page shows, and that `--format json` writes (docs/curate.md has the fields).
inline constexpr std::string_view kReportFormat = "curate-report/1";

struct ReportSource {
  std::string labels;                    // for people: "semantic 0.2 seed 1"
  std::string label_set;                 // digest of the label set that decisions are about
  std::string scores;                    // digest of the scores file
  std::vector<std::string> made_from{};  // label sets whose decisions count for it too (applied_from)
};

// One suspect: everything a reviewer needs to judge it.
nlohmann::ordered_json make_card(const ScoreTable& table, const ClassFamilies& families, std::uint32_t index);

// Why this label is suspect, a sentence each, the strongest reason first.
std::vector<std::string> reasons(const ScoreTable& table, const ClassFamilies& families, const ScoreRow& row);

// The summary, the classes and their tree, and the first `top` cards of the ranking. No images.
nlohmann::ordered_json make_report(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                                   const ClassFamilies& families, const Summary& summary,
                                   const ReportSource& source, std::size_t top);
nlohmann::ordered_json to_json(const Summary& summary, const ScoreTable& table,
                               const ClassFamilies& families);

// Puts thumbnails of the cards and of their neighbours into the document ("images", base64, and the index of
// each sample's in "image_of"), within about 9 kB a card up to 500 cards: first the suspects themselves, then
// as many neighbours as fit. Returns how many of the cards' own images could not be read, with the first
// reason.
struct MissingImages {
  std::size_t count = 0;
  std::string first;
};
MissingImages add_thumbnails(nlohmann::ordered_json& report, const ScoreTable& table,
                             const ImageStore& images, const Progress& progress = {});

}  // namespace procsim::curate
