#include "curate/review/review_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "curate/report/report.hpp"
#include "curate/review/review_error.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

Json progress_json(const ReviewProgress& progress) {
  Json json{{"decided", progress.decided},
            {"left", progress.left},
            {"samples", progress.samples},
            {"reviewers", progress.reviewers},
            {"audited", progress.audited}};
  if (progress.noise) json["noise"] = noise_json(*progress.noise, progress.samples);
  return json;
}

std::string required_text(const Json& request, const char* field) {
  const auto found = request.find(field);
  if (found == request.end() || !found->is_string())
    throw ReviewError(400, fmt::format("'{}' must be text", field));
  return found->get<std::string>();
}

std::optional<std::string> optional_text(const Json& request, const char* field) {
  return request.contains(field) ? std::optional(required_text(request, field)) : std::nullopt;
}

std::optional<std::int64_t> integer(const Json& request, const char* field) {
  const auto found = request.find(field);
  if (found == request.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

Verdict verdict_of(const Json& request) {
  const auto word = required_text(request, "verdict");
  try {
    return verdict_from_string(word);
  } catch (const Error& error) {
    throw ReviewError(400, error.what());
  }
}

}  // namespace

Json to_json(const NextCard& next) {
  Json json{{"left", next.left}};
  if (next.card) json["card"] = to_json(*next.card);
  return json;
}

Json to_json(const RecordedWord& recorded) {
  return {{"id", recorded.id}, {"state", progress_json(recorded.progress)}};
}

Json to_json(const ReviewerState& state) {
  auto decisions = Json::array();
  for (const auto& [sample, opinion] : state.decisions) {
    Json word{{"sample", sample}, {"verdict", to_string(opinion.verdict)}};
    if (opinion.label) word["label"] = *opinion.label;
    if (!opinion.node.empty()) word["node"] = opinion.node;
    decisions.push_back(std::move(word));
  }
  return {{"state", progress_json(state.progress)},
          {"decisions", std::move(decisions)},
          {"history", state.history},
          {"last", state.last}};
}

ReviewerWord reviewer_word(const Json& request) {
  if (!request.is_object()) throw ReviewError(400, "a decision is a JSON object");
  ReviewerWord word;
  word.reviewer = required_text(request, "reviewer");
  word.key = optional_text(request, "key");
  const auto sample = integer(request, "sample");
  if (!sample) throw ReviewError(400, "'sample' must be a sample id");
  word.sample = *sample;
  word.verdict = verdict_of(request);
  if (word.verdict == Verdict::kRelabel) word.label = integer(request, "label");
  if (word.verdict == Verdict::kParent) word.node = required_text(request, "node");
  word.ticket = optional_text(request, "ticket");
  word.after = integer(request, "after");
  return word;
}

}  // namespace procsim::curate
