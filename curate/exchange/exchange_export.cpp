#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/exchange/exchange.hpp"
#include "data/base/error.hpp"
#include "data/base/markup.hpp"
#include "data/base/suggest.hpp"
#include "data/files/table.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::pair<ExchangeFormat, std::string_view> kNames[] = {
    {ExchangeFormat::kDecisions, "decisions"},
    {ExchangeFormat::kLabelStudio, "label-studio"},
    {ExchangeFormat::kDatumaro, "datumaro"},
    {ExchangeFormat::kFiftyOne, "fiftyone"},
    {ExchangeFormat::kCsv, "csv"}};

std::string pretty(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string image_path(const Card& card, const std::string& prefix) {
  return prefix + card.path.value_or("");
}

double probability_wrong(const Card& card) { return card.scores ? card.scores->p : 0; }

std::string label_studio(const Report& report, const std::string& prefix) {
  Json tasks = Json::array();
  for (const auto& card : report.cards) {
    const auto p = probability_wrong(card);
    Json task;
    task["data"] = {{"image", image_path(card, prefix)},
                    {"sample_id", card.id},
                    {"given_label", report.class_name(card.given)},
                    {"p_mislabelled", p},
                    {"why", card.why}};
    if (card.suggested != kUnlabelled) {
      Json result{{"from_name", "label"}, {"to_name", "image"}, {"type", "choices"}};
      result["value"]["choices"] = Json::array({report.class_name(card.suggested)});
      Json prediction{{"model_version", "curate"}, {"score", p}};
      prediction["result"] = Json::array({std::move(result)});
      task["predictions"] = Json::array({std::move(prediction)});
    }
    tasks.push_back(std::move(task));
  }
  return pretty(tasks);
}

std::string datumaro(const Report& report, const std::string& prefix) {
  Json labels = Json::array();
  for (const auto& name : report.classes) {
    Json label{{"name", name}, {"parent", ""}};
    label["attributes"] = Json::array({"suggested", "p_mislabelled", "sample_id"});
    labels.push_back(std::move(label));
  }
  Json document;
  document["dm_format_version"] = "1.0";
  document["media_type"] = 2;  // images
  document["infos"] = {{"dataset", report.dataset}, {"label_set", report.source.label_set}};
  document["categories"]["label"] = {{"labels", std::move(labels)}, {"attributes", Json::array()}};
  auto& items = document["items"] = Json::array();
  for (const auto& card : report.cards) {
    const auto path = image_path(card, prefix);
    Json item{{"id", without_extension(path)}};
    auto& annotations = item["annotations"] = Json::array();
    if (card.given != kUnlabelled)
      annotations.push_back({{"id", 0},
                             {"type", "label"},
                             {"attributes",
                              {{"suggested", report.class_name(card.suggested)},
                               {"p_mislabelled", probability_wrong(card)},
                               {"sample_id", card.id}}},
                             {"group", 0},
                             {"label_id", card.given}});
    item["attr"] = {{"sample_id", card.id}};
    item["image"] = {{"path", path}};
    items.push_back(std::move(item));
  }
  return pretty(document);
}

std::string fiftyone(const Report& report, const std::string& prefix) {
  Json document;
  document["classes"] = report.classes;
  auto& labels = document["labels"] = Json::object();
  for (const auto& card : report.cards) {
    labels[without_extension(image_path(card, prefix))] = {{"label", report.class_name(card.given)},
                                                           {"attributes",
                                                            {{"sample_id", card.id},
                                                             {"given", report.class_name(card.given)},
                                                             {"suggested", report.class_name(card.suggested)},
                                                             {"mistakenness", probability_wrong(card)}}}};
  }
  return pretty(document);
}

std::string csv(const Report& report, const std::string& prefix) {
  std::string text =
      "sample_id,path,label_name,suggested_name,p_mislabelled,why,verdict,new_label,node,reviewer\n";
  for (const auto& card : report.cards)
    text +=
        fmt::format("{},{},{},{},{},{},,,,\n", card.id, csv_field(image_path(card, prefix)),
                    csv_field(report.class_name(card.given)), csv_field(report.class_name(card.suggested)),
                    probability_wrong(card), csv_field(card.reason()));
  return text;
}

}  // namespace

std::string_view to_string(ExchangeFormat format) {
  for (const auto& [known, name] : kNames)
    if (known == format) return name;
  return {};
}

std::vector<std::string> exchange_format_names() {
  std::vector<std::string> names;
  for (const auto& [format, name] : kNames) names.emplace_back(name);
  return names;
}

ExchangeFormat exchange_format_from_string(std::string_view text) {
  for (const auto& [format, name] : kNames)
    if (name == text) return format;
  throw UsageError(fmt::format("unknown format '{}'{}", text, did_you_mean(text, exchange_format_names())));
}

std::string without_extension(const std::filesystem::path& path) {
  return (path.parent_path() / path.stem()).generic_string();
}

std::string export_suspects(const Report& report, ExchangeFormat format, const std::string& image_prefix) {
  switch (format) {
    case ExchangeFormat::kLabelStudio:
      return label_studio(report, image_prefix);
    case ExchangeFormat::kDatumaro:
      return datumaro(report, image_prefix);
    case ExchangeFormat::kFiftyOne:
      return fiftyone(report, image_prefix);
    case ExchangeFormat::kCsv:
      return csv(report, image_prefix);
    case ExchangeFormat::kDecisions:
      break;
  }
  throw UsageError("suspects cannot be exported as decisions; use label-studio, datumaro, fiftyone or csv");
}

std::string label_studio_config(const Report& report) {
  std::string text =
      "<View>\n  <Image name=\"image\" value=\"$image\"/>\n  <Header value=\"given: $given_label\"/>\n"
      "  <Choices name=\"label\" toName=\"image\" choice=\"single\" showInLine=\"true\">\n";
  const auto choice = [&](std::string_view name) {
    text += fmt::format("    <Choice value=\"{}\"/>\n", markup_text(name));
  };
  for (const auto& name : report.classes) choice(name);
  choice(kNoneChoice);
  choice(kAmbiguousChoice);
  return text + "  </Choices>\n</View>\n";
}

}  // namespace procsim::curate
