#include <cmath>

#include <nlohmann/json.hpp>

#include "curate/report/report.hpp"
#include "curate/report/six_digits.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kListed = 100;  // a person reads ten; filters want some more

template <typename Item>
std::span<const Item> listed(const std::vector<Item>& items) {
  return std::span(items).first(std::min(kListed, items.size()));
}

void put_interval(Json& entry, const ExpectedErrors& errors) {
  if (!errors.low || !errors.high) return;
  entry["low"] = six_digits(*errors.low);
  entry["high"] = six_digits(*errors.high);
}

Json noise_json(const Summary& summary) {
  const auto& noise = summary.noise;
  const auto wrong = summary.wrong_labels();
  return {{"rate", six_digits(noise.rate)}, {"low", six_digits(noise.low)},
          {"high", six_digits(noise.high)}, {"level", noise.level()},
          {"count", wrong.count},           {"count_low", wrong.low},
          {"count_high", wrong.high},       {"method", to_string(noise.method)},
          {"leaning", noise.leaning},       {"audited", noise.audited}};
}

Json kinship_json(const Summary& summary) {
  Json json;
  for (const auto kind : {Kinship::kSiblings, Kinship::kRelatives, Kinship::kStrangers, Kinship::kUnknown}) {
    const auto found = summary.suspects_by_kinship.find(kind);
    json[std::string(to_string(kind))] = found == summary.suspects_by_kinship.end() ? 0 : found->second;
  }
  return json;
}

Json classes_json(const Report& report) {
  auto list = Json::array();
  for (const auto& count : listed(report.summary.classes)) {
    list.push_back({{"label", count.label},
                    {"name", report.class_name(count.label)},
                    {"samples", count.samples},
                    {"wrong", six_digits(count.wrong)},
                    {"suspects", count.suspects}});
    put_interval(list.back(), count);
  }
  return list;
}

Json pairs_json(const Report& report) {
  auto list = Json::array();
  for (const auto& pair : listed(report.summary.pairs)) {
    list.push_back({{"given", pair.given},
                    {"suggested", pair.suggested},
                    {"given_name", report.class_name(pair.given)},
                    {"suggested_name", report.class_name(pair.suggested)},
                    {"suspects", pair.suspects},
                    {"wrong", six_digits(pair.wrong)},
                    {"kinship", to_string(pair.relation.kinship)}});
    put_interval(list.back(), pair);
  }
  return list;
}

Json families_json(const Report& report) {
  auto list = Json::array();
  for (const auto& family : listed(report.summary.families))
    list.push_back({{"node", family.node},
                    {"name", report.tree[static_cast<std::size_t>(family.node)].name},
                    {"classes", family.classes},
                    {"samples", family.samples},
                    {"wrong", six_digits(family.wrong)},
                    {"within", six_digits(family.within)}});
  return list;
}

void put_thumbnails(Json& json, const Report::Thumbnails& thumbnails) {
  json["images"] = thumbnails.images;
  // Ids differ: no search for each of thousands.
  auto& image_of = (json["image_of"] = Json::object()).get_ref<Json::object_t&>();
  for (const auto& [sample, image] : thumbnails.image_of)
    image_of.emplace_back(std::to_string(sample), image);
}

}  // namespace

Json summary_json(const Report& report) {
  const auto& summary = report.summary;
  Json json{{"samples", summary.samples}, {"suspects", summary.suspects}, {"noise", noise_json(summary)}};
  auto& effort = json["effort"] = Json::array();
  for (const auto& point : summary.effort)
    effort.push_back({{"share", point.share}, {"review", point.review}});
  auto& curve = json["curve"] = Json::array();
  for (const double share : summary.curve) curve.push_back(std::round(share * 1e4) / 1e4);
  json["curve_end"] = summary.curve_end;
  json["kinship"] = kinship_json(summary);
  json["classes"] = classes_json(report);
  json["pairs"] = pairs_json(report);
  json["families"] = families_json(report);
  return json;
}

Json to_json(const Report& report) {
  Json json{{"format", kReportFormat},        {"dataset", report.dataset},
            {"labels", report.source.labels}, {"label_set", report.source.label_set},
            {"scores", report.source.scores}, {"classes", report.classes}};
  auto& tree = json["tree"] = Json::array();
  for (const auto& node : report.tree)
    tree.push_back({{"name", node.name}, {"id", node.id}, {"parent", node.parent}, {"label", node.label}});
  json["summary"] = summary_json(report);
  auto& cards = json["cards"] = Json::array();
  for (const auto& card : report.cards) cards.push_back(to_json(card));
  if (report.thumbnails) put_thumbnails(json, *report.thumbnails);
  if (report.server)
    json["server"] = {{"token", report.server->token},
                      {"read_only", report.server->read_only},
                      {"images", report.server->images}};
  return json;
}

}  // namespace procsim::curate
