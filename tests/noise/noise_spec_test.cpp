#include "noise/noise_spec.hpp"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "tests/support/errors.hpp"

namespace procsim::noise {
namespace {

// The provenance as it is in files, written by hand: a field that both directions forgot would be missing.
TEST(NoiseSpec, IsWrittenAndReadAsTheProvenanceOfFilesHasIt) {
  NoiseSpec spec;
  spec.components = {{NoiseKind::kSemantic, 0.125},
                     {NoiseKind::kPair, 0.25},
                     {NoiseKind::kDistance, 0.0625},
                     {NoiseKind::kSuperclass, 0.125},
                     {NoiseKind::kKnn, 0.03125}};
  spec.internal = InnerStep::kLeaves;
  spec.temperature = 0.5;
  spec.level = 3;
  spec.rivals = 4;
  spec.class_rates = {{1, 0.25}};
  spec.pair_map = {{0, 3}};
  spec.classes = {0, 1};
  spec.split = "test";
  spec.exact = spec.stratify = true;
  spec.guards = false;
  spec.min_per_class = 7;
  spec.generation = 3;
  const auto literal = nlohmann::ordered_json::parse(R"({
    "components": [{"kind": "semantic", "rate": 0.125, "internal": "leaves"},
                   {"kind": "pair", "rate": 0.25, "map": [[0, 3]]},
                   {"kind": "distance", "rate": 0.0625, "temperature": 0.5},
                   {"kind": "superclass", "rate": 0.125, "level": 3},
                   {"kind": "knn", "rate": 0.03125, "rivals": 4}],
    "class_rates": [[1, 0.25]],
    "split": "test", "classes": [0, 1], "exact": true, "stratify": true, "guards": false, "min_per_class": 7,
    "generation": 3})");
  EXPECT_EQ(to_json(spec).dump(), literal.dump());
  EXPECT_EQ(noise_spec_from_json(literal, "x"), spec);
}

TEST(NoiseSpec, ThatIsNotOursNamesTheFile) {
  EXPECT_THAT(test::error_of([] { noise_spec_from_json({{"components", 3}}, "x.parquet"); }),
              ::testing::HasSubstr("x.parquet"));
}

TEST(NoiseSpec, IsNamedForPeopleAndForFiles) {
  NoiseSpec spec;
  spec.components = {{NoiseKind::kSemantic, 0.15}, {NoiseKind::kUniform, 0.05}};
  spec.seed = 7;
  spec.exact = true;
  EXPECT_EQ(spec.summary(), "semantic 0.15 + uniform 0.05 seed 7 exact");
  EXPECT_EQ(spec.slug(), "semantic-0.15-uniform-0.05-exact-seed7");
}

TEST(NoiseSpec, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::function<void(NoiseSpec&)>& change) {
    NoiseSpec spec;
    spec.components = {{NoiseKind::kUniform, 0.2}};
    change(spec);
    EXPECT_THROW(spec.validate(), UsageError);
  };
  refused([](auto& spec) { spec.components[0].rate = 1.2; });
  refused([](auto& spec) { spec.components[0].rate = -0.1; });
  refused([](auto& spec) { spec.components[0].rate = std::nan(""); });
  refused([](auto& spec) { spec.components.push_back({NoiseKind::kSemantic, 0.9}); });
  refused([](auto& spec) { spec.components.push_back({NoiseKind::kUniform, 0.1}); });
  refused([](auto& spec) { spec.stratify = true; });
  refused([](auto& spec) { spec.temperature = 0; });
  refused([](auto& spec) { spec.level = 0; });
  refused([](auto& spec) { spec.min_per_class = -1; });
  refused([](auto& spec) { spec.components.push_back({NoiseKind::kMatrix, 1}); });
}

}  // namespace
}  // namespace procsim::noise
