#include "data/labels/label_provenance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace procsim {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LabelHistory, TellsTheStepsTheLastOneFirst) {
  const auto provenance = Json::parse(R"({"program": "curate", "operation": "apply", "parent_digest": "b",
    "parent": {"program": "noise", "operation": "inject", "seed": 1, "parent_digest": "a",
               "parent": {"operation": "base", "kind": "cub200", "parent": {}}}})");
  EXPECT_THAT(label_history(provenance),
              ElementsAre(LabelStep{"curate", "apply", "b"}, LabelStep{"noise", "inject", "a"},
                          LabelStep{"", "base", ""}));
}

TEST(LabelHistory, OfASetMadeElsewhereMayBeEmpty) {
  EXPECT_THAT(label_history(nullptr), IsEmpty());
  EXPECT_THAT(label_history(Json::object()), IsEmpty());
  EXPECT_THAT(label_history({{"parent_digest", 7}}), ElementsAre(LabelStep{}));
}

}  // namespace
}  // namespace procsim
