#include "data/noise_model/scoring_options.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/suggest.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim {
namespace {

struct Allowed {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
};
constexpr Allowed kAnyShare{0, 1};
constexpr Allowed kPositive{std::numeric_limits<double>::min()};
constexpr Allowed kOneOrMore{1};
constexpr Allowed kNotNegative{0};

// Calls visit(stage, field's name, field, what it may be) for every field.
template <typename Options, typename Visitor>
void visit_options(Options& options, Visitor&& visit) {
  auto& discriminant = options.discriminant;
  visit("discriminant", "dimensions", discriminant.dimensions, kOneOrMore);
  visit("discriminant", "shrinkage", discriminant.shrinkage, kAnyShare);
  visit("discriminant", "candidates", discriminant.candidates, kOneOrMore);
  visit("discriminant", "all_classes", discriminant.all_classes, kOneOrMore);
  visit("discriminant", "shortlist", discriminant.shortlist, kOneOrMore);
  visit("discriminant", "least_scatter", discriminant.least_scatter, kAnyShare);
  visit("discriminant", "least_weight", discriminant.least_weight, kPositive);
  visit("discriminant", "least_belief", discriminant.least_belief, kAnyShare);
  auto& likeness = options.likeness;
  visit("likeness", "one_step", likeness.one_step, kOneOrMore);
  visit("likeness", "two_steps", likeness.two_steps, kOneOrMore);
  visit("likeness", "three_steps", likeness.three_steps, kOneOrMore);
  auto& dominant = options.dominant_confusions;
  visit("dominant_confusions", "counted_errors", dominant.counted_errors, kNotNegative);
  visit("dominant_confusions", "counted_part", dominant.counted_part, kAnyShare);
  visit("dominant_confusions", "expected_errors", dominant.expected_errors, kNotNegative);
  visit("dominant_confusions", "expected_part", dominant.expected_part, kAnyShare);
  visit("dominant_confusions", "few", dominant.few, kAnyShare);
  visit("dominant_confusions", "rounds", dominant.rounds, kNotNegative);
  auto& noise = options.noise;
  visit("noise", "rounds", noise.rounds, kOneOrMore);
  visit("noise", "samples", noise.samples, kOneOrMore);
  visit("noise", "tolerance", noise.tolerance, kNotNegative);
  visit("noise", "scale_tolerance", noise.scale_tolerance, kNotNegative);
  visit("noise", "first_scale", noise.first_scale, kPositive);
  visit("noise", "first_rate", noise.first_rate, Allowed{1e-6, 0.95});
  visit("noise", "most_rate_strength", noise.most_rate_strength, kPositive);
  visit("noise", "least_rate_strength", noise.least_rate_strength, kPositive);
  visit("noise", "few_errors", noise.few_errors, kAnyShare);
  visit("noise", "pair_strength", noise.pair_strength, kPositive);
  visit("noise", "pair_threshold", noise.pair_threshold, kAnyShare);
  visit("noise", "size_strength", noise.size_strength, kNotNegative);
  visit("noise", "alike_sizes", noise.alike_sizes, kNotNegative);
  visit("noise", "least_share", noise.least_share, Allowed{1e-9, 1});
  visit("noise", "sparse_share", noise.sparse_share, kAnyShare);
  visit("noise", "sparse_round", noise.sparse_round, kNotNegative);
  visit("noise", "least_curvature", noise.least_curvature, kAnyShare);
  visit("noise", "scale_step", noise.scale_step, kPositive);
  visit("pooling", "unnamed", options.pooling.unnamed, Allowed{1e-30, 1});
  visit("temperature", "slope", options.temperature.slope, kNotNegative);
  visit("temperature", "least_factor", options.temperature.least_factor, Allowed{1e-3, 1});
  visit("small_classes", "labels", options.small_classes.labels, kOneOrMore);
  visit("small_classes", "least_samples", options.small_classes.least_samples, kNotNegative);
  auto& estimates = options.estimates;
  visit("estimates", "doubt", estimates.doubt, kNotNegative);
  visit("estimates", "class_doubt", estimates.class_doubt, kNotNegative);
  visit("estimates", "few_labels", estimates.few_labels, kNotNegative);
  visit("estimates", "floor", estimates.floor, kAnyShare);
  visit("estimates", "least_pair", estimates.least_pair, kNotNegative);
  visit("estimates", "most_pairs", estimates.most_pairs, kNotNegative);
  visit("estimates", "least_belief", estimates.least_belief, kAnyShare);
  visit("readings", "far_apart", options.readings.far_apart, kAnyShare);
  visit("outliers", "rounds", options.outliers.rounds, kNotNegative);
  visit("outliers", "first_separation", options.outliers.first_separation, kPositive);
  visit("outliers", "usual_share", options.outliers.usual_share, Allowed{1e-6, 0.5});
  visit("outliers", "least_separation", options.outliers.least_separation, kNotNegative);
  auto& listing = options.listing;
  visit("listing", "rivals", listing.rivals, kOneOrMore);
  visit("listing", "neighbours", listing.neighbours, kOneOrMore);
  visit("listing", "duplicates", listing.duplicates, kOneOrMore);
  visit("listing", "shown_rivals", listing.shown_rivals, kNotNegative);
  visit("listing", "rival_neighbours", listing.rival_neighbours, kOneOrMore);
  visit("listing", "duplicate_similarity", listing.duplicate_similarity, kAnyShare);
  visit("listing", "duplicate_groups", listing.duplicate_groups, kOneOrMore);
  visit("listing", "exact_duplicates", listing.exact_duplicates, kNotNegative);
  visit("listing", "ranking_neighbours", listing.ranking_neighbours, kOneOrMore);
  visit("listing", "sigma_lambda", listing.sigma_lambda, kPositive);
  visit("listing", "little_agreement", listing.little_agreement, kAnyShare);
}

std::string in_words(const Allowed& range) {
  if (range.low == kPositive.low) return "above 0";
  if (!std::isfinite(range.high)) return fmt::format("{} or more", range.low);
  return fmt::format("in [{}, {}]", range.low, range.high);
}

nlohmann::ordered_json parse(const std::filesystem::path& path) {
  auto json = parse_json<nlohmann::ordered_json>(read_file(path));
  if (json.is_object()) return json;
  throw UsageError(fmt::format("{}: not a JSON object of scoring options", path.string()));
}

// The number of a field; integers must be whole.
template <typename Field>
void take_number(const nlohmann::ordered_json& value, Field& field, const std::string& where) {
  const bool whole = std::is_same_v<Field, std::int64_t>;
  if (whole ? !value.is_number_integer() : !value.is_number())
    throw UsageError(fmt::format("{}: must be {}", where, whole ? "a whole number" : "a number"));
  field = value.get<Field>();
}

void check_names(const nlohmann::ordered_json& json, const nlohmann::ordered_json& known,
                 const std::string& where) {
  std::vector<std::string> names;
  for (const auto& item : known.items()) names.push_back(item.key());
  for (const auto& item : json.items())
    if (!known.contains(item.key()))
      throw UsageError(
          fmt::format("{}: unknown option '{}'{}", where, item.key(), did_you_mean(item.key(), names)));
}

}  // namespace

void ScoringOptions::validate() const {
  visit_options(*this, [](const char* stage, const char* name, auto value, const Allowed& range) {
    const auto number = static_cast<double>(value);
    if (!(number >= range.low && number <= range.high && std::isfinite(number)))
      throw UsageError(fmt::format("{}.{} {}: must be {}", stage, name, value, in_words(range)));
  });
  if (discriminant.shortlist < discriminant.candidates)
    throw UsageError(fmt::format("discriminant.shortlist {}: must not be below candidates {}",
                                 discriminant.shortlist, discriminant.candidates));
  if (likeness.one_step > likeness.two_steps || likeness.two_steps > likeness.three_steps)
    throw UsageError(fmt::format("likeness {}, {}, {}: more steps must reach no fewer classes",
                                 likeness.one_step, likeness.two_steps, likeness.three_steps));
  if (noise.least_rate_strength > noise.most_rate_strength)
    throw UsageError(fmt::format("noise.least_rate_strength {}: must not be above most_rate_strength {}",
                                 noise.least_rate_strength, noise.most_rate_strength));
}

nlohmann::ordered_json to_json(const ScoringOptions& options) {
  nlohmann::ordered_json json;
  visit_options(options, [&](const char* stage, const char* name, auto value, const Allowed&) {
    json[stage][name] = value;
  });
  return json;
}

ScoringOptions read_scoring_options(const std::filesystem::path& path) {
  const auto json = parse(path);
  ScoringOptions options;
  const auto known = to_json(options);
  check_names(json, known, path.string());
  for (const auto& [stage, fields] : json.items()) {
    const auto where = fmt::format("{}: {}", path.string(), stage);
    if (!fields.is_object()) throw UsageError(where + " must be an object of options");
    check_names(fields, known[stage], where);
  }
  visit_options(options, [&](const char* stage, const char* name, auto& field, const Allowed&) {
    if (json.contains(stage) && json[stage].contains(name))
      take_number(json[stage][name], field, fmt::format("{}: {}.{}", path.string(), stage, name));
  });
  try {
    options.validate();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return options;
}

}  // namespace procsim
