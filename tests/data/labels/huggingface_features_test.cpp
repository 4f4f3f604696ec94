#include "data/labels/huggingface_features.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

// As `datasets` 4.0 writes it for Features(image=Image(), label=ClassLabel(names=["tern", "gull"]),
// id=Value("int64")).
TEST(HuggingFaceFeatures, AreWrittenAsDatasetsWritesThem) {
  const std::vector<LabelClass> classes = {{"tern", "", ""}, {"gull", "", ""}};
  EXPECT_EQ(
      huggingface_info({{"image", huggingface_image()},
                        {"label", huggingface_class_label(classes)},
                        {"id", huggingface_value("int64")}}),
      R"({"info":{"features":{"image":{"_type":"Image"},"label":{"names":["tern","gull"],"_type":"ClassLabel"},)"
      R"("id":{"dtype":"int64","_type":"Value"}}}})");
}

TEST(HuggingFaceFeatures, NoTwoClassesHaveOneName) {
  const std::vector<LabelClass> classes = {{"crane", "134.crane", ""},
                                           {"crane", "517.crane", ""},
                                           {"tern", "t", ""},
                                           {"x", "", ""},
                                           {"x", "", ""}};
  EXPECT_EQ(huggingface_class_label(classes)["names"],
            (nlohmann::ordered_json{"134.crane", "517.crane", "tern", "x", "x (4)"}));
}

}  // namespace
}  // namespace procsim
