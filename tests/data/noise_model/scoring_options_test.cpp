#include "data/noise_model/scoring_options.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

// The numbers that the scores of docs/results.md were made with, written out: a change of any is a change of
// all scores.
constexpr const char* kDefaults = R"({
  "discriminant": {"dimensions": 512, "shrinkage": 0.3, "candidates": 48, "all_classes": 768, "shortlist": 64,
                   "least_scatter": 1e-5, "least_weight": 1e-3, "least_belief": 0.01},
  "likeness": {"one_step": 1, "two_steps": 3, "three_steps": 10},
  "dominant_confusions": {"counted_errors": 5.0, "counted_part": 0.25, "expected_errors": 3.0,
                          "expected_part": 0.25, "few": 0.05, "rounds": 2},
  "noise": {"rounds": 60, "samples": 200000, "tolerance": 2e-4, "scale_tolerance": 2e-3, "first_scale": 20.0, "first_rate": 0.1,
            "most_rate_strength": 1000.0, "least_rate_strength": 30.0, "few_errors": 0.04,
            "pair_strength": 1000.0, "pair_threshold": 0.02, "size_strength": 0.1, "alike_sizes": 0.05,
            "least_share": 1e-3, "sparse_share": 0.08, "sparse_round": 6, "least_curvature": 0.2,
            "scale_step": 0.5},
  "pooling": {"unnamed": 1e-7},
  "temperature": {"slope": 1.75, "least_factor": 0.4},
  "small_classes": {"labels": 3, "least_samples": 30},
  "estimates": {"doubt": 0.35, "class_doubt": 0.6, "few_labels": 5.0, "floor": 0.01, "least_pair": 0.5,
                "most_pairs": 1000, "least_belief": 1e-3},
  "readings": {"far_apart": 0.05},
  "outliers": {"rounds": 100, "first_separation": 5.0, "usual_share": 0.002, "least_separation": 1.5},
  "listing": {"rivals": 5, "neighbours": 5, "duplicates": 20, "shown_rivals": 4, "rival_neighbours": 3,
              "duplicate_similarity": 0.98, "duplicate_groups": 3,
              "exact_duplicates": 2048, "ranking_neighbours": 10, "sigma_lambda": 0.1,
              "little_agreement": 0.3}
})";

TEST(ScoringOptions, AreTheTunedNumbers) {
  ScoringOptions{}.validate();
  EXPECT_EQ(to_json(ScoringOptions{}), nlohmann::ordered_json::parse(kDefaults));
}

TEST(ScoringOptions, AFileChangesWhatItNames) {
  const test::TemporaryFolder folder;
  const auto options = read_scoring_options(
      folder.write("o.json", R"({"temperature": {"slope": 2}, "discriminant": {"candidates": 12}})"));
  EXPECT_EQ(options.temperature.slope, 2);
  EXPECT_EQ(options.temperature.least_factor, 0.4);
  EXPECT_EQ(options.discriminant.candidates, 12);
}

// Each field of a file finds its way into the struct: written out with every number changed, read, compared.
TEST(ScoringOptions, EveryNumberCanBeVaried) {
  const test::TemporaryFolder folder;
  auto changed = nlohmann::ordered_json::parse(kDefaults);
  for (auto& stage : changed)
    for (auto& value : stage)
      value = value.is_number_integer() ? nlohmann::ordered_json(value.get<int>() + 1)
                                        : nlohmann::ordered_json(value.get<double>() * 0.5);
  EXPECT_EQ(to_json(read_scoring_options(folder.write("o.json", changed.dump()))), changed);
}

TEST(ScoringOptions, SayWhatIsWrong) {
  const test::TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::vector<std::string>& said) {
    test::expect_error([&] { read_scoring_options(folder.write("o.json", text)); }, said);
  };
  refused("[1]", {"o.json", "not a JSON object"});
  refused("{", {"o.json", "not a JSON object"});
  refused(R"({"temprature": {}})", {"o.json", "'temprature'", "temperature"});
  refused(R"({"temperature": {"slop": 1}})", {"o.json: temperature", "'slop'", "slope"});
  refused(R"({"temperature": 1})", {"temperature must be an object"});
  refused(R"({"temperature": {"slope": "steep"}})", {"temperature.slope", "a number"});
  refused(R"({"likeness": {"one_step": 1.5}})", {"likeness.one_step", "a whole number"});
  refused(R"({"discriminant": {"shrinkage": 1.5}})", {"discriminant.shrinkage 1.5", "in [0, 1]"});
  refused(R"({"noise": {"first_scale": 0}})", {"noise.first_scale 0", "above 0"});
  refused(R"({"likeness": {"two_steps": 11}})", {"likeness 1, 11, 10"});
  refused(R"({"discriminant": {"shortlist": 47}})", {"discriminant.shortlist 47", "candidates 48"});
  refused(R"({"noise": {"least_rate_strength": 1001}})", {"noise.least_rate_strength 1001", "1000"});
}

}  // namespace
}  // namespace procsim
