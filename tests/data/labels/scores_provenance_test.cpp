#include "data/labels/scores_provenance.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

using Json = nlohmann::ordered_json;

const char* const kText =
    R"({"program":"procsim-train","method":{"name":"x"},"label_set":"abc","embeddings":{"from":"run"}})";

TEST(ScoresProvenance, IsWrittenAndReadAsTheFormatSays) {
  const ScoresProvenance provenance{"procsim-train", {{"name", "x"}}, "abc", {{"from", "run"}}};
  EXPECT_EQ(to_json(provenance).dump(), kText);
  EXPECT_EQ(scores_provenance_from_json(Json::parse(kText)), provenance);
}

TEST(ScoresProvenance, OfFilesMadeElsewhereMayBeAnything) {
  EXPECT_EQ(to_json(ScoresProvenance{}).dump(), "{}");
  for (const auto* text : {"null", "7", "{}", R"({"label_set": 7, "seed": 1})"})
    EXPECT_EQ(scores_provenance_from_json(Json::parse(text)), ScoresProvenance{}) << text;
}

TEST(ScoresProvenance, SaysWhetherATrainingIsRemembered) {
  const auto remembers = [](const char* embeddings) {
    ScoresProvenance provenance;
    provenance.embeddings = Json::parse(embeddings);
    return provenance.remembers_training();
  };
  EXPECT_TRUE(remembers(R"({"from": "run", "memory": "in training"})"));
  EXPECT_FALSE(remembers(R"({"from": "run", "memory": 3})"));
  EXPECT_FALSE(remembers(R"({"from": "file"})"));
  EXPECT_FALSE(remembers("null"));
}

}  // namespace
}  // namespace procsim
