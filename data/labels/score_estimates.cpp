#include "data/labels/score_estimates.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"

namespace procsim {

using Json = nlohmann::ordered_json;

namespace {

void put_count(Json& json, const WrongCount& count) {
  json["wrong"] = count.wrong;
  json["low"] = count.low;
  json["high"] = count.high;
}

// Reads the estimates of one file.
class EstimatesParser {
 public:
  EstimatesParser(std::size_t classes, const std::filesystem::path& file) : classes_(classes), file_(file) {}

  WrongRate rate(const Json& json) const {
    WrongRate rate{json.at("rate"), json.at("low"), json.at("high"), json.value("leaning", false)};
    require_order({0, rate.low, rate.rate, rate.high, 1}, "noise_rate");
    if (json.contains("readings")) {
      rate.readings = {json.at("readings").at("low"), json.at("readings").at("high")};
      require_order({0, rate.readings->low, rate.readings->high, 1}, "noise_rate.readings");
    }
    rate.audit_decides = json.value("audit_decides", false);
    return rate;
  }
  ClassEstimate by_class(const Json& json) const { return {label(json, "label"), count(json, "by_class")}; }
  PairEstimate by_pair(const Json& json) const {
    return {label(json, "given"), label(json, "suggested"), count(json, "by_pair")};
  }

 private:
  WrongCount count(const Json& json, const char* where) const {
    const WrongCount count{json.at("wrong"), json.at("low"), json.at("high")};
    require_order({0, count.low, count.wrong, count.high}, where);
    return count;
  }

  std::int32_t label(const Json& json, const char* field) const {
    const auto label = json.at(field).get<std::int64_t>();
    if (label < 0 || label >= static_cast<std::int64_t>(classes_))
      throw Error(fmt::format("{}: its estimates name class {}, but it has {} classes (docs/formats.md)",
                              file_.string(), label, classes_));
    return static_cast<std::int32_t>(label);
  }

  void require_order(std::initializer_list<double> values, const char* where) const {
    for (const auto* value = values.begin(); value + 1 != values.end(); ++value)
      if (!(value[0] <= value[1]))
        throw Error(
            fmt::format("{}: an interval of its estimates does not hold the estimate, in {} "
                        "(docs/formats.md)",
                        file_.string(), where));
  }

  std::size_t classes_;
  const std::filesystem::path& file_;
};

}  // namespace

Json to_json(const WrongRate& rate) {
  Json json{{"rate", rate.rate}, {"low", rate.low}, {"high", rate.high}};
  if (rate.leaning) json["leaning"] = true;
  if (rate.readings) json["readings"] = {{"low", rate.readings->low}, {"high", rate.readings->high}};
  if (rate.audit_decides) json["audit_decides"] = true;
  return json;
}

std::string audit_note(const WrongRate& rate) {
  if (!rate.audit_decides) return {};
  return fmt::format(
      "between {:.0f} and {:.0f} % of the labels are wrong: whether people confused what looks alike or "
      "these features "
      "do cannot be told from them; judge 60 random cards to know (curate audit)",
      100 * rate.low, 100 * rate.high);
}

Json to_json(const ScoreEstimates& estimates) {
  Json json{{"noise_rate", to_json(estimates.noise_rate)}};
  auto& classes = json["by_class"] = Json::array();
  for (const auto& one : estimates.by_class) {
    classes.push_back({{"label", one.label}});
    put_count(classes.back(), one.count);
  }
  auto& pairs = json["by_pair"] = Json::array();
  for (const auto& one : estimates.by_pair) {
    pairs.push_back({{"given", one.given}, {"suggested", one.suggested}});
    put_count(pairs.back(), one.count);
  }
  return json;
}

ScoreEstimates score_estimates_from_json(const Json& json, std::size_t classes,
                                         const std::filesystem::path& file) {
  try {
    const EstimatesParser parser(classes, file);
    ScoreEstimates estimates;
    estimates.noise_rate = parser.rate(json.at("noise_rate"));
    for (const auto& entry : json.value("by_class", Json::array()))
      estimates.by_class.push_back(parser.by_class(entry));
    for (const auto& entry : json.value("by_pair", Json::array()))
      estimates.by_pair.push_back(parser.by_pair(entry));
    return estimates;
  } catch (const Json::exception& exception) {
    throw Error(fmt::format("{}: the estimates in its metadata are damaged (docs/formats.md): {}",
                            file.string(), exception.what()));
  }
}

}  // namespace procsim
