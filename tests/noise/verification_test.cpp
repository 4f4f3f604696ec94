#include "noise/verification.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "noise/lints.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::noise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VerificationOf : public testing::Test {
 protected:
  VerificationOf() {
    sources.taxonomy = std::make_shared<const taxonomy::Taxonomy>(test::noise_birds());
    write_label_set(clean, test::even_labels(*sources.taxonomy, 5000), IfExists::kFail);
    spec.components = {{NoiseKind::kSemantic, 0.3}};
  }
  void make(std::optional<Shard> shard = {}) {
    InjectionOptions options;
    options.parent = clean;
    options.output = noisy;
    options.if_exists = IfExists::kReplace;
    options.spec = spec;
    options.shard = shard;
    inject(options, sources);
  }
  Verification verify(std::size_t max_reported = 20) {
    const auto info = LabelSetReader(noisy).info();
    return verify_injection(noisy, injection_record(info.provenance, "noisy"), clean, sources, max_reported,
                            2, {});
  }
  void change(const std::function<void(LabelSet&)>& how) {
    auto set = read_label_set(noisy);
    how(set);
    write_label_set(noisy, set, IfExists::kReplace);
  }

  test::TemporaryFolder folder;
  std::filesystem::path clean = folder / "clean.parquet", noisy = folder / "noisy.parquet";
  NoiseSources sources;
  NoiseSpec spec;
};

TEST_F(VerificationOf, AnUntouchedFileAgrees) {
  make();
  const auto result = verify();
  EXPECT_TRUE(result.agrees());
  EXPECT_EQ(result.rows, 5000);
}

TEST_F(VerificationOf, AnExactGuardedMixtureAgrees) {
  spec.components = {{NoiseKind::kPair, 0.5}, {NoiseKind::kDistance, 0.4}};
  spec.pair_map = {{0, 1}, {1, 2}, {2, 1}};
  spec.exact = spec.stratify = true;
  spec.min_per_class = 300;
  make();
  EXPECT_TRUE(verify().agrees());
}

TEST_F(VerificationOf, ShuffledRowsAgree) {
  make();
  change([](LabelSet& set) { std::shuffle(set.rows.begin(), set.rows.end(), std::mt19937(5)); });
  EXPECT_TRUE(verify().agrees());
}

TEST_F(VerificationOf, AShardAgrees) {
  make(Shard{2, 3});
  const auto result = verify();
  EXPECT_TRUE(result.agrees());
  EXPECT_EQ(result.rows, 1667);
}

TEST_F(VerificationOf, EveryChangedRowIsNamed) {
  make();
  change([](LabelSet& set) {
    set.rows[17].label = (set.rows[17].label + 1) % 12;
    set.rows[400].true_label.reset();
    set.rows[401].path = "elsewhere.jpg";
    set.rows[4999].split = "validation";
  });
  const auto result = verify();
  EXPECT_EQ(result.disagreements, 4);
  ASSERT_EQ(result.reported.size(), 4u);
  EXPECT_EQ(result.reported[0].row, 17);
  EXPECT_EQ(result.reported[0].sample_id, 52);
  EXPECT_THAT(result.reported[0].message, HasSubstr("expected"));
  EXPECT_THAT(result.reported[1].message, HasSubstr("true label null"));
  EXPECT_THAT(result.reported[2].message, HasSubstr("elsewhere.jpg"));
  EXPECT_THAT(result.reported[3].message, HasSubstr("validation"));
}

TEST_F(VerificationOf, ReportsAreLimitedButCounted) {
  make();
  change([](LabelSet& set) {
    for (auto& row : set.rows) row.label = (row.label + 1) % 12;
  });
  const auto result = verify(3);
  EXPECT_EQ(result.disagreements, 5000);
  EXPECT_EQ(result.reported.size(), 3u);
}

TEST_F(VerificationOf, MissingAndAddedRowsAreNamed) {
  make();
  change([](LabelSet& set) {
    set.rows.erase(set.rows.begin() + 10);
    set.rows.push_back({999999, "new.jpg", "train", 0, 0});
  });
  const auto result = verify();
  EXPECT_EQ(result.disagreements, 2);
}

TEST_F(VerificationOf, AnotherSeedDisagrees) {
  make();
  change([](LabelSet& set) { set.info.provenance["seed"] = 2; });
  const auto result = verify();
  EXPECT_GT(result.disagreements, 1000);
  EXPECT_FALSE(result.provenance.empty());
}

TEST_F(VerificationOf, AProvenanceThatMiscountsIsCaught) {
  make();
  change([](LabelSet& set) { set.info.provenance["changed"] = 1; });
  const auto result = verify();
  EXPECT_EQ(result.disagreements, 0);
  EXPECT_THAT(result.provenance, ElementsAre(HasSubstr("changed labels")));
}

TEST_F(VerificationOf, AnotherTaxonomyDisagrees) {
  make();
  auto parts = test::noise_birds().parts();
  for (auto& entry : parts.classes) entry.node = "gull";  // everyone a gull
  sources.taxonomy = std::make_shared<const taxonomy::Taxonomy>(taxonomy::Taxonomy(std::move(parts)));
  EXPECT_GT(verify().disagreements, 500);
}

// --- lints
// --------------------------------------------------------------------------------------------------------

class Lints : public testing::Test {
 protected:
  std::vector<std::string> found(const LabelSet& rows, LintOptions options = {}) {
    write_label_set(folder / "set.parquet", rows, IfExists::kReplace);
    std::vector<std::string> checks;
    for (const auto& lint : lint_label_set(folder / "set.parquet", options, {})) checks.push_back(lint.check);
    return checks;
  }

  test::TemporaryFolder folder;
  LabelSet set = test::even_labels(test::noise_birds(), 1200);
};

TEST_F(Lints, NothingToSayAboutACleanSet) { EXPECT_THAT(found(set), ElementsAre()); }

TEST_F(Lints, DuplicateIdsAndImagesAndLeaks) {
  set.rows[5].sample_id = set.rows[4].sample_id;
  EXPECT_THAT(found(set), ElementsAre("duplicate-id"));
  set.rows[5].sample_id = 777777;
  set.rows[5].path = set.rows[4].path;
  EXPECT_THAT(found(set), ElementsAre("duplicate-path"));
  set.rows[5].path = set.rows.back().path;  // a test row
  EXPECT_THAT(found(set), ElementsAre("split-leak"));
}

TEST_F(Lints, MissingClassesPhantomsAndSingletons) {
  for (auto& row : set.rows) {
    if (row.split == "train" && row.label == 3) row.label = 4;
  }
  EXPECT_THAT(found(set), ElementsAre("missing-class"));
  for (auto& row : set.rows) {
    if (row.true_label == 3) row.split = "test";
  }
  EXPECT_THAT(found(set), ElementsAre());
  set.rows[0].label = 3;
  set.rows[1].label = 3;
  EXPECT_THAT(found(set), ElementsAre("phantom-label"));
  set.rows[1].label = 1;
  EXPECT_THAT(found(set), ElementsAre("phantom-label", "singleton"));
}

TEST_F(Lints, ARateThatIsOffByMoreThanChance) {
  for (std::size_t i = 0; i < set.rows.size(); i += 10) set.rows[i].label = (set.rows[i].label + 1) % 12;
  LintOptions options;
  options.rate = 0.1;
  EXPECT_THAT(found(set, options), ElementsAre());
  options.rate = 0.2;
  EXPECT_THAT(found(set, options), ElementsAre("rate"));
}

}  // namespace
}  // namespace procsim::noise
