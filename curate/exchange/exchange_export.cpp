#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/exchange/exchange.hpp"
#include "curate/exchange/exchange_names.hpp"
#include "data/base/error.hpp"
#include "data/base/markup.hpp"
#include "data/base/suggest.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/table.hpp"
#include "data/images/image.hpp"
#include "data/sets/sample_path.hpp"

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

std::string image_path(const Card& card, const ExportedImages& images) {
  const auto written = images.written.find(card.id);
  return images.prefix + (written != images.written.end() ? written->second : card.path.value_or(""));
}

bool is_embedded(const Card& card) { return card.path && parse_sample_path(*card.path).row; }

double probability_wrong(const Card& card) { return card.scores ? card.scores->p : 0; }

std::string label_studio(const Report& report, const ExportedImages& images) {
  Json tasks = Json::array();
  for (const auto& card : report.cards) {
    const auto p = probability_wrong(card);
    Json task;
    task["data"] = {{"image", image_path(card, images)},
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

std::string datumaro(const Report& report, const ExchangeNames& names, const ExportedImages& images) {
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
  std::unordered_set<std::string> taken;  // its items are known by their ids
  const auto once = [&](std::string id, std::int64_t sample) {
    while (!taken.insert(id).second) id += fmt::format("@{}", sample);
    return id;
  };
  auto& items = document["items"] = Json::array();
  for (const auto& card : report.cards) {
    Json item{{"id", once(images.prefix + names.name(card.id), card.id)}};
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
    item["image"] = {{"path", image_path(card, images)}};
    items.push_back(std::move(item));
  }
  return pretty(document);
}

// What FiftyOne finds an image by: its path below the data set's folder without the ending, or an absolute
// one.
std::string fiftyone_name(const Card& card, const ExchangeNames& names, const ExportedImages& images) {
  auto path = image_path(card, images);
  if (path.starts_with('/')) return path;
  auto name = images.prefix + names.name(card.id);
  if (name == path && std::filesystem::path(name).has_extension())
    throw Error(fmt::format(
        "FiftyOne knows images by their paths without the endings and would not find '{}' beside another of "
        "that name. Give the absolute folder of the images with --image-prefix, or use --format "
        "label-studio, datumaro or csv.",
        path));
  return name;
}

std::string fiftyone(const Report& report, const ExchangeNames& names, const ExportedImages& images) {
  std::unordered_set<std::string> paths;
  for (const auto& card : report.cards)
    if (const auto path = image_path(card, images); !paths.insert(path).second)
      throw Error(fmt::format(
          "sample {} has the same image as another suspect, '{}', and FiftyOne's file has one label an "
          "image. Use --format label-studio, datumaro or csv.",
          card.id, path));
  Json document;
  document["classes"] = report.classes;
  auto& labels = document["labels"] = Json::object();
  for (const auto& card : report.cards)
    labels[fiftyone_name(card, names, images)] = {{"label", report.class_name(card.given)},
                                                  {"attributes",
                                                   {{"sample_id", card.id},
                                                    {"given", report.class_name(card.given)},
                                                    {"suggested", report.class_name(card.suggested)},
                                                    {"mistakenness", probability_wrong(card)}}}};
  return pretty(document);
}

std::string csv(const Report& report, const ExportedImages& images) {
  std::string text =
      "sample_id,path,label_name,suggested_name,p_mislabelled,why,verdict,new_label,node,reviewer\n";
  for (const auto& card : report.cards)
    text +=
        fmt::format("{},{},{},{},{},{},,,,\n", card.id, csv_field(image_path(card, images)),
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

bool has_embedded_images(const Report& report) {
  return std::ranges::any_of(report.cards, [](const Card& card) { return is_embedded(card); });
}

std::map<std::int64_t, std::string> write_embedded_images(const Report& report, const ImageStore& images,
                                                          const std::filesystem::path& folder) {
  std::map<std::int64_t, std::string> written;
  for (const auto& card : report.cards) {
    if (!is_embedded(card)) continue;
    std::string why;
    const auto bytes = images.bytes(*card.path, &why);
    if (!bytes)
      throw Error(
          fmt::format("the image of sample {} ({}) cannot be written out: {}", card.id, *card.path, why));
    auto name = file_path_of(*card.path) + std::string(image_ending(*bytes));
    write_file(folder / name, *bytes, IfExists::kReplace);
    written.emplace(card.id, std::move(name));
  }
  return written;
}

std::string export_suspects(const Report& report, const ScoreTable& table, ExchangeFormat format,
                            const ExportedImages& images) {
  switch (format) {
    case ExchangeFormat::kLabelStudio:
      return label_studio(report, images);
    case ExchangeFormat::kDatumaro:
      return datumaro(report, ExchangeNames(table), images);
    case ExchangeFormat::kFiftyOne:
      return fiftyone(report, ExchangeNames(table), images);
    case ExchangeFormat::kCsv:
      return csv(report, images);
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
