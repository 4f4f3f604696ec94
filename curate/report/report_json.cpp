#include <algorithm>
#include <bit>
#include <cmath>

#include <nlohmann/json.hpp>

#include "curate/report/report.hpp"
#include "curate/report/six_digits.hpp"
#include "data/base/base64.hpp"

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

Json doubtful_json(const Report& report) {
  auto list = Json::array();
  for (const auto& place : report.doubtful_places)
    list.push_back({{"label", place.label},
                    {"name", report.class_name(place.label)},
                    {"parent", place.parent},
                    {"doubt", place.doubt},
                    {"level", six_digits(place.level)},
                    {"looks_alien", place.looks_alien}});
  return list;
}

Json copies_json(const Report& report) {
  const auto& copies = report.copies;
  Json json{{"groups", copies.groups.size()},
            {"leaks", std::ranges::count_if(copies.groups, &CopyGroup::across_splits)},
            {"several_labels", std::ranges::count_if(copies.groups, &CopyGroup::labels_differ)}};
  auto& list = json["list"] = Json::array();
  for (const auto& group : listed(copies.groups)) {
    auto members = Json::array();
    for (const auto i : group.members) {
      const auto& sample = copies.samples[i];
      members.push_back(
          {{"id", sample.id}, {"label", sample.label}, {"split", sample.split}, {"path", sample.path}});
    }
    list.push_back({{"exact", group.exact},
                    {"labels_differ", group.labels_differ},
                    {"across_splits", group.across_splits},
                    {"samples", std::move(members)}});
  }
  return json;
}

// Numbers as the page's typed arrays have them, little-endian.
template <typename Number>
std::string numbers_base64(const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little);
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)});
}

Json map_json(const Report& report) {
  const auto& map = report.map;
  return {{"all", map.all},
          {"x", numbers_base64(map.x)},
          {"y", numbers_base64(map.y)},
          {"label", numbers_base64(map.label)},
          {"p", numbers_base64(map.p)}};
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
  Json json{{"samples", summary.samples},
            {"suspects", summary.suspects},
            {"judged", summary.judged},
            {"confirmed", summary.confirmed},
            {"next_hundred", six_digits(summary.next_hundred)},
            {"noise", noise_json(summary.noise, summary.samples)}};
  if (summary.none) json["none"] = six_digits(*summary.none);
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

Json noise_json(const NoiseEstimate& noise, std::size_t samples) {
  const auto wrong = noise.labels_of(samples);
  return {{"rate", six_digits(noise.rate)},
          {"low", six_digits(noise.low)},
          {"high", six_digits(noise.high)},
          {"level", noise.level()},
          {"count", wrong.count},
          {"count_low", wrong.low},
          {"count_high", wrong.high},
          {"method", to_string(noise.method)},
          {"leaning", noise.leaning},
          {"audited", noise.audited},
          {"needs_audit", noise.needs_audit()},
          {"cards_to_know", kCardsToKnow}};
}

Json to_json(const Report& report) {
  Json json{{"format", kReportFormat},        {"dataset", report.dataset},
            {"labels", report.source.labels}, {"label_set", report.source.label_set},
            {"scores", report.source.scores}, {"classes", report.classes}};
  auto& tree = json["tree"] = Json::array();
  for (const auto& node : report.tree)
    tree.push_back({{"name", node.name}, {"id", node.id}, {"parent", node.parent}, {"label", node.label}});
  json["summary"] = summary_json(report);
  if (!report.doubtful_places.empty()) json["doubtful_places"] = doubtful_json(report);
  if (!report.copies.groups.empty()) json["copies"] = copies_json(report);
  if (!report.map.x.empty()) json["map"] = map_json(report);
  if (!report.left_out.empty()) {
    auto& left_out = json["left_out"] = Json::array();
    for (const auto& each : report.left_out)
      left_out.push_back({{"id", each.sample}, {"path", each.path}, {"why", each.why}});
  }
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
