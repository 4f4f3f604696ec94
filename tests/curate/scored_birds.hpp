#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "curate/evidence/kinship.hpp"
#include "curate/evidence/score_table.hpp"
#include "data/labels/label_set.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::test {

// Six birds: two gulls and a tern (seabirds), two sparrows, an owl.
//
//   bird ─┬─ seabird ─┬─ gull ─┬─ 0 Herring Gull
//         │           │        └─ 1 Western Gull
//         │           └─ 2 Arctic Tern
//         ├─ sparrow ─┬─ 3 Song Sparrow
//         │           └─ 4 Fox Sparrow
//         └─ 5 Snowy Owl
std::vector<LabelClass> bird_classes();
taxonomy::Taxonomy bird_taxonomy();

// A row with what the tests care about; the rest is made to fit.
ScoreRow scored(std::int64_t id, std::int32_t label, std::int32_t suggested, double p);
ScoresInfo bird_info();
curate::ScoreTable bird_table(const std::vector<ScoreRow>& rows);
std::filesystem::path write_scores(const std::filesystem::path& path, const std::vector<ScoreRow>& rows,
                                   ScoresInfo info = bird_info());
// Labels as in the rows. Returns the file's digest.
std::string write_bird_labels(const std::filesystem::path& path, const std::vector<ScoreRow>& rows);
// A small JPEG, its colour from the number.
void write_image(const std::filesystem::path& path, int number);

}  // namespace procsim::test
