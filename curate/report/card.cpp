#include "curate/report/card.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "curate/report/six_digits.hpp"

namespace procsim::curate {

namespace {

constexpr float kNoneOfThem = 0.5F;

std::string percent(double share) {
  if (share >= 0.9995) return "over 99.9 %";
  if (share > 0 && share < 0.001) return "under 0.1 %";
  return fmt::format("{:.{}f} %", 100 * share, share < 0.1 || share > 0.99 ? 1 : 0);
}

std::vector<Card::Neighbour> neighbours(const ScoreTable& table, const std::vector<std::int64_t>& ids) {
  std::vector<Card::Neighbour> list;
  for (const auto id : ids) {
    const auto index = table.find(id);
    list.push_back({id, index ? table.labels()[*index] : kUnlabelled});
  }
  return list;
}

std::string doubted_places(const ScoreTable& table, const ClassFamilies& families, const ScoreRow& row) {
  std::vector<std::string> names;
  for (const auto label : {row.label, row.suggested})
    if (!families.doubt(label).empty()) names.push_back(table.class_name(label));
  return names.size() == 1 ? fmt::format("the place of {} is doubtful", names[0])
                           : fmt::format("the places of {} and {} are doubtful", names[0], names[1]);
}

// How near the two classes are; empty where the tree says nothing. Where it doubts their places, so does
// this.
std::string kin_words(const ScoreTable& table, const ClassFamilies& families, const ScoreRow& row) {
  const auto relation = families.relation(row.label, row.suggested);
  if (relation.kinship == Kinship::kUnknown || relation.kinship == Kinship::kSame) return {};
  const auto& common = families.name(relation.common);
  std::string words, judgement;
  if (relation.kinship == Kinship::kSiblings) {
    words = fmt::format("siblings in the taxonomy, both {}", common);
    judgement = ": easily confused";
  } else if (relation.kinship == Kinship::kRelatives) {
    words = fmt::format("relatives in the taxonomy, both {} ({} steps apart)", common, relation.distance);
  } else {
    words = fmt::format("far apart in the taxonomy ({} steps, only {} in common)", relation.distance, common);
    judgement = ": a gross error if it is one";
  }
  if (relation.doubtful)
    return fmt::format("Perhaps {}, but {}.", words, doubted_places(table, families, row));
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return fmt::format("{}{}.", words, judgement);
}

std::vector<std::string> reasons(const ScoreTable& table, const ClassFamilies& families,
                                 const ScoreRow& row) {
  std::vector<std::string> why;
  const auto& given = table.class_name(row.label);
  const auto& suggested = table.class_name(row.suggested);
  if (row.p_none && *row.p_none >= kNoneOfThem)
    why.push_back(fmt::format("Looks like none of the classes ({}).", percent(*row.p_none)));
  for (const auto id : row.duplicates) {
    const auto other = table.find(id);
    if (other && table.labels()[*other] == row.label) continue;
    if (other)
      why.push_back(fmt::format("Nearly the same image as sample {}, which is labelled {}.", id,
                                table.class_name(table.labels()[*other])));
    else
      why.push_back(fmt::format("Nearly the same image as sample {}, which carries another label.", id));
  }
  const auto rival = std::ranges::find(row.rivals, row.suggested, &RivalClass::label);
  if (row.suggested >= 0 && rival != row.rivals.end())
    why.push_back(fmt::format("The model sees {} with {}, {} with {}.", suggested,
                              percent(rival->probability), given, percent(row.p_given)));
  if (row.suggested >= 0 && row.margin > 0 && std::isfinite(row.margin)) {
    const double times = std::exp(std::min(row.margin, 10.F));
    const auto how_many = times >= 1000 ? "over 1,000" : fmt::format("{:.{}f}", times, times < 10 ? 1 : 0);
    why.push_back(fmt::format("Margin {:.2f}: {} is {} times as likely as {}.", row.margin, suggested,
                              how_many, given));
  }
  if (auto kin = kin_words(table, families, row); !kin.empty()) why.push_back(std::move(kin));
  if (table.info().provenance.remembers_training() && row.confidence < 0.5F)
    why.push_back(fmt::format("Training trusted it little: confidence {:.2f}, proxy loss {:.2f}.",
                              row.confidence, row.proxy_loss));
  return why;
}

}  // namespace

std::string Card::reason() const { return fmt::format("{}", fmt::join(why, " ")); }

Card make_card(const ScoreTable& table, const ClassFamilies& families, std::uint32_t index) {
  const auto row = table.row(index);
  Card card;
  card.id = row.sample_id;
  card.given = row.label;
  card.suggested = row.suggested;
  card.path = row.path;
  card.scores = {six_digits(row.p_mislabelled), six_digits(row.suspicion),  six_digits(row.p_given),
                 six_digits(row.margin),        six_digits(row.proxy_loss), six_digits(row.confidence)};
  for (const auto& rival : row.rivals) card.rivals.push_back({rival.label, six_digits(rival.probability)});
  card.near_given = neighbours(table, row.near_given);
  card.near_suggested = neighbours(table, row.near_suggested);
  card.duplicates = neighbours(table, row.duplicates);
  std::erase_if(card.duplicates,
                [&](const auto& other) { return other.label == row.label && row.label >= 0; });
  if (row.p_none) card.p_none = six_digits(*row.p_none);
  card.near_rivals = neighbours(table, row.near_rivals);
  card.relation = families.relation(row.label, row.suggested);
  card.why = reasons(table, families, row);
  return card;
}

}  // namespace procsim::curate
