#include "train/methods/unread_fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "train/settings/option_text.hpp"

namespace procsim::train {
namespace {

bool holds(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Whether only guidance reads it.
bool details_guidance(const std::string& field) {
  bool found = false;
  const TrainConfig fields;
  visit_fields(fields, [&](std::string_view group, std::string_view name, const auto&, auto) {
    found = found || (group == "Guidance" && name == field && name != "guidance");
  });
  return found;
}

// Whether some losses and trusts read it and others do not.
bool is_read_by_some(const Registry& registry, const std::string& field) {
  const auto reads = [&](const Component& part) { return holds(part.reads, field); };
  for (const auto& name : registry.names_of("loss"))
    if (reads(registry.loss(name))) return true;
  for (const auto& name : registry.names_of("confidence"))
    if (reads(registry.confidence(name))) return true;
  return false;
}

// Empty: it is read.
std::string reason_unread(const Registry& registry, const TrainConfig& config, const std::string& field) {
  if (details_guidance(field) && config.guidance == "off") return "--guidance is off";
  if (field == "momentum" && config.optimizer != "sgd")
    return fmt::format("--optimizer {} has none", config.optimizer);
  if (field == "views" && config.train_from.empty()) return "nothing is frozen by --train-from";
  if (field == "noise_rate" && registry.needs_rate(config).empty())
    return fmt::format("{} does without", registry.describe(config));
  if (!is_read_by_some(registry, field)) return {};
  const bool moves_proxies = config.joint_proxies && field.starts_with("proxy_");
  if (moves_proxies || holds(registry.loss(config.loss).reads, field) ||
      holds(registry.confidence(config.confidence).reads, field))
    return {};
  return fmt::format("{} does not read it", registry.describe(config));
}

}  // namespace

std::vector<std::string> unread_fields(const Registry& registry, const TrainConfig& config,
                                       const std::vector<std::string>& given) {
  const auto json = to_json(config);
  std::vector<std::string> lines;
  for (const auto& field : given)
    if (const auto reason = reason_unread(registry, config, field); !reason.empty())
      lines.push_back(
          fmt::format("{} {} changes nothing: {}", option_name(field), option_text(json.at(field)), reason));
  return lines;
}

}  // namespace procsim::train
