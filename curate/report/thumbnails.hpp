#pragma once

#include <cstddef>
#include <string>

#include "curate/report/image_store.hpp"
#include "curate/report/report.hpp"
#include "data/base/progress.hpp"

namespace procsim::curate {

struct MissingImages {
  std::size_t count = 0;
  std::string first;  // reason
};

// Puts thumbnails of the cards and of their neighbours into the report, within about 9 kB a card up to 500
// cards: first the suspects themselves, then as many neighbours as fit. Returns how many of the cards' own
// images could not be read, with the first reason. The cards must have been made from the table.
MissingImages add_thumbnails(Report& report, const ScoreTable& table, const ImageStore& images,
                             const Progress& progress = {});

}  // namespace procsim::curate
