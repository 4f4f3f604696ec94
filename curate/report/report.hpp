#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "curate/evidence/doubtful_places.hpp"
#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"
#include "curate/report/card.hpp"
#include "curate/report/copies.hpp"
#include "curate/report/left_out.hpp"
#include "curate/report/sample_map.hpp"
#include "curate/report/summary.hpp"

namespace procsim::curate {

// A document that the page shows, and that `--format json` writes (docs/curate.md has the fields).
inline constexpr std::string_view kReportFormat = "curate-report/1";

struct ReportSource {
  std::string labels;                    // for people: "semantic 0.2 seed 1"
  std::string label_set;                 // digest of the label set that decisions are about
  std::string scores;                    // digest of the scores file
  std::vector<std::string> made_from{};  // label sets whose decisions count for it too (applied_from)
};

struct Report {
  struct Node {
    std::string name, id;  // the taxonomy's id is empty for leaves
    std::int32_t parent = taxonomy::ClassTree::kNone;
    std::int32_t label = kUnlabelled;  // of a leaf
  };
  struct Thumbnails {
    std::vector<std::string> images;                             // JPEG as base64
    std::vector<std::pair<std::int64_t, std::size_t>> image_of;  // sample, and which of the images it has
  };
  // What the page needs to talk to its review server.
  struct Server {
    std::string token;
    bool read_only = false;
    bool images = false;  // whether it has any to show
  };

  std::string dataset;
  ReportSource source;
  std::vector<std::string> classes;  // index = label
  std::vector<Node> tree;            // parents before children; empty without a taxonomy
  std::vector<DoubtfulPlace> doubtful_places;
  Summary summary;
  std::vector<Card> cards;        // most suspect first
  std::vector<LeftOut> left_out;  // labelled, and not scored: find_left_out
  // Samples that show the same image; what find_copies found, and among which.
  struct Copies {
    std::vector<CopySample> samples;
    std::vector<CopyGroup> groups;
  } copies;
  SampleMap map;  // the cards' samples first, in their order; empty where the scores have no places
  std::optional<Thumbnails> thumbnails;
  std::optional<Server> server;

  std::string_view class_name(std::int32_t label) const;  // empty for kUnlabelled
};

// The summary, the classes and their tree, and the first `top` cards of the ranking. No images, no server.
// With `findings` the cards show the probabilities as decisions calibrated them, and the map what people
// found.
Report make_report(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                   const ClassFamilies& families, const Summary& summary, const ReportSource& source,
                   std::size_t top, const Findings* findings = nullptr);

nlohmann::ordered_json to_json(const Report& report);
// Its field `summary` alone.
nlohmann::ordered_json summary_json(const Report& report);
// The block "noise" of a report's summary and of a review's state.
nlohmann::ordered_json noise_json(const NoiseEstimate& noise, std::size_t samples);

}  // namespace procsim::curate
