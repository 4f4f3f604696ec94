#include <fmt/format.h>

#include "curate/decisions/decisions.hpp"
#include "curate/exchange/exchange.hpp"
#include "curate/report/report_files.hpp"
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

std::string name_of(const Json& report, const Json& label) {
  const auto index = label.get<std::int32_t>();
  return index < 0 ? std::string() : report["classes"][static_cast<std::size_t>(index)].get<std::string>();
}

std::string without_extension(const std::string& path) {
  return (std::filesystem::path(path).parent_path() / std::filesystem::path(path).stem()).generic_string();
}

std::string pretty(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string label_studio(const Json& report, const std::string& prefix) {
  Json tasks = Json::array();
  for (const auto& card : report["cards"]) {
    const auto given = name_of(report, card["given"]), suggested = name_of(report, card["suggested"]);
    Json task;
    task["data"] = {{"image", fmt::format("{}{}", prefix, card["path"].get<std::string>())},
                    {"sample_id", card["id"]},
                    {"given_label", given},
                    {"p_mislabelled", card["p"]},
                    {"why", card["why"]}};
    if (!suggested.empty()) {
      Json result{{"from_name", "label"}, {"to_name", "image"}, {"type", "choices"}};
      result["value"]["choices"] = Json::array({suggested});
      Json prediction{{"model_version", "curate"}, {"score", card["p"]}};
      prediction["result"] = Json::array({std::move(result)});
      task["predictions"] = Json::array({std::move(prediction)});
    }
    tasks.push_back(std::move(task));
  }
  return pretty(tasks);
}

std::string datumaro(const Json& report, const std::string& prefix) {
  Json labels = Json::array();
  for (const auto& name : report["classes"]) {
    Json label{{"name", name}, {"parent", ""}};
    label["attributes"] = Json::array({"suggested", "p_mislabelled", "sample_id"});
    labels.push_back(std::move(label));
  }
  Json document;
  document["dm_format_version"] = "1.0";
  document["media_type"] = 2;  // images
  document["infos"] = {{"dataset", report["dataset"]}, {"label_set", report["label_set"]}};
  document["categories"]["label"] = {{"labels", std::move(labels)}, {"attributes", Json::array()}};
  auto& items = document["items"] = Json::array();
  for (const auto& card : report["cards"]) {
    const auto path = fmt::format("{}{}", prefix, card["path"].get<std::string>());
    Json item{{"id", without_extension(path)}};
    auto& annotations = item["annotations"] = Json::array();
    if (card["given"].get<std::int32_t>() >= 0)
      annotations.push_back({{"id", 0},
                             {"type", "label"},
                             {"attributes",
                              {{"suggested", name_of(report, card["suggested"])},
                               {"p_mislabelled", card["p"]},
                               {"sample_id", card["id"]}}},
                             {"group", 0},
                             {"label_id", card["given"]}});
    item["attr"] = {{"sample_id", card["id"]}};
    item["image"] = {{"path", path}};
    items.push_back(std::move(item));
  }
  return pretty(document);
}

std::string fiftyone(const Json& report, const std::string& prefix) {
  Json document;
  document["classes"] = report["classes"];
  auto& labels = document["labels"] = Json::object();
  for (const auto& card : report["cards"]) {
    const auto path = fmt::format("{}{}", prefix, card["path"].get<std::string>());
    labels[without_extension(path)] = {{"label", name_of(report, card["given"])},
                                       {"attributes",
                                        {{"sample_id", card["id"]},
                                         {"given", name_of(report, card["given"])},
                                         {"suggested", name_of(report, card["suggested"])},
                                         {"mistakenness", card["p"]}}}};
  }
  return pretty(document);
}

std::string csv(const Json& report, const std::string& prefix) {
  std::string text =
      "sample_id,path,label_name,suggested_name,p_mislabelled,why,verdict,new_label,node,reviewer\n";
  for (const auto& card : report["cards"]) {
    std::string why;
    for (const auto& reason : card["why"]) {
      if (!why.empty()) why += ' ';
      why += reason.get_ref<const std::string&>();
    }
    text +=
        fmt::format("{},{},{},{},{},{},,,,\n", card["id"].get<std::int64_t>(),
                    csv_field(fmt::format("{}{}", prefix, card["path"].get<std::string>())),
                    csv_field(name_of(report, card["given"])), csv_field(name_of(report, card["suggested"])),
                    card["p"].get<double>(), csv_field(why));
  }
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

std::string export_suspects(const Json& report, ExchangeFormat format, const std::string& image_prefix) {
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

std::string label_studio_config(const Json& report) {
  std::string text =
      "<View>\n  <Image name=\"image\" value=\"$image\"/>\n  <Header value=\"given: $given_label\"/>\n"
      "  <Choices name=\"label\" toName=\"image\" choice=\"single\" showInLine=\"true\">\n";
  const auto choice = [&](std::string_view name) {
    text += fmt::format("    <Choice value=\"{}\"/>\n", markup_text(name));
  };
  for (const auto& name : report["classes"]) choice(name.get<std::string>());
  choice(kNoneChoice);
  choice(kAmbiguousChoice);
  return text + "  </Choices>\n</View>\n";
}

}  // namespace procsim::curate
