#include "train/methods/unread_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class UnreadFields : public ::testing::Test {
 protected:
  TrainConfig config;
  void use(const std::string& method) { builtin_registry().use_method(config, method); }
  std::vector<std::string> unread(const std::vector<std::string>& given) const {
    return unread_fields(builtin_registry(), config, given);
  }
};

TEST_F(UnreadFields, GuidanceThatIsOffReadsNothingOfItsOwn) {
  use("procsim");
  config.omega = 2;
  EXPECT_THAT(unread({"omega", "guidance"}), ElementsAre("--omega 2.0 changes nothing: --guidance is off"));
  EXPECT_THAT(unread({"text_pooling"}), ElementsAre(HasSubstr("--text-pooling mean")));
  config.guidance = "plg";
  EXPECT_THAT(unread({"omega", "guidance_shift", "text_pooling"}), IsEmpty());
}

TEST_F(UnreadFields, WhatATrustJudgesByIsReadByThoseThatJudgeByIt) {
  const std::vector<std::string> judged{"lambda", "threshold", "confidence_from", "proxy_scale"};
  for (const auto* method : {"procsim", "procsim-means", "oracle", "superloss", "ms"}) {
    use(method);
    EXPECT_THAT(unread(judged), IsEmpty()) << method << ", which reports it at least";
  }
  for (const auto* method : {"procsim-posterior", "mcl+prism", "gmm"}) {
    use(method);
    EXPECT_EQ(unread(judged).size(), judged.size()) << method;
  }
  use("procsim-posterior");
  EXPECT_THAT(unread({"lambda"}),
              ElementsAre(AllOf(HasSubstr("--lambda 1.0 changes nothing"), HasSubstr("procsim-posterior"))));
}

TEST_F(UnreadFields, ProxiesAreReadByWhateverHasThem) {
  config.confidence = "posterior";
  EXPECT_EQ(unread({"proxy_lr"}).size(), 1U);
  config.joint_proxies = true;
  EXPECT_THAT(unread({"proxy_lr"}), IsEmpty());
  EXPECT_EQ(unread({"lambda"}).size(), 1U);
  config.joint_proxies = false;
  config.loss = "proxy-nca";
  EXPECT_THAT(unread({"proxy_lr"}), IsEmpty());
}

TEST_F(UnreadFields, TheRateMomentumAndViewsAreForThoseThatNeedThem) {
  use("procsim");
  EXPECT_EQ(unread({"noise_rate", "momentum", "views", "lr"}).size(), 3U);
  use("mcl+prism");
  config.optimizer = "sgd";
  config.train_from = "block3";
  EXPECT_THAT(unread({"noise_rate", "momentum", "views", "lr"}), IsEmpty());
  config.optimizer = "adamw";
  EXPECT_THAT(unread({"momentum"}), ElementsAre(HasSubstr("--optimizer adamw")));
}

}  // namespace
}  // namespace procsim::train
