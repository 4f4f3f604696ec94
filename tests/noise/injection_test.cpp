#include "noise/injection.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "noise/provenance.hpp"
#include "tests/noise/chance.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::noise {
namespace {

using test::labels_by_id;
using test::plausible_count;

class Injection : public testing::Test {
 protected:
  Injection() { sources.taxonomy = std::make_shared<const taxonomy::Taxonomy>(test::noise_birds()); }

  std::filesystem::path clean(std::int64_t rows, bool with_test = true) {
    const auto path = folder / "clean.parquet";
    write_label_set(path, test::even_labels(*sources.taxonomy, rows, with_test), IfExists::kReplace);
    return path;
  }

  InjectionReport run(const std::filesystem::path& parent, const std::string& output, NoiseSpec spec,
                      unsigned threads = 1, std::optional<Shard> shard = {}) {
    InjectionOptions options;
    options.parent = parent;
    options.output = folder / output;
    options.spec = std::move(spec);
    options.threads = threads;
    options.shard = shard;
    return inject(options, sources);
  }

  static NoiseSpec one(NoiseKind kind, double rate) {
    NoiseSpec spec;
    spec.components = {{kind, rate}};
    return spec;
  }

  test::TemporaryFolder folder;
  NoiseSources sources;
};

TEST_F(Injection, RateIsThatOfTheSpecWithinSamplingError) {
  const auto parent = clean(60000);
  for (const double rate : {0.0, 0.1, 0.2, 0.5, 1.0}) {
    const auto name = "rate" + std::to_string(rate) + ".parquet";
    const auto report = run(parent, name, one(NoiseKind::kUniform, rate));
    EXPECT_EQ(report.counts.labelled, 54000);
    EXPECT_TRUE(plausible_count(report.counts.changed, 54000, rate, 5)) << rate;
  }
}

TEST_F(Injection, AProvenanceOfOtherTypesIsNoInjection) {
  for (const char* text :
       {R"({"program": 7, "noise": {}})", R"({"program": ["noise"], "noise": {}})", "[]",
        R"({"parent": {"program": null}})", R"({"program": "noise", "noise": {}, "foreign": "many"})"}) {
    const auto provenance = nlohmann::ordered_json::parse(text);
    EXPECT_LE(injections_in(provenance), 1) << text;
    EXPECT_FALSE(has_foreign_images(provenance)) << text;
  }
}

TEST_F(Injection, EveryClassLosesItsShare) {
  const auto parent = clean(60000);
  const auto before = read_label_set(parent);
  run(parent, "noisy.parquet", one(NoiseKind::kSemantic, 0.3));
  const auto after = labels_by_id(folder / "noisy.parquet");
  std::map<std::int32_t, std::int64_t> changed, total;
  for (const auto& row : before.rows) {
    if (row.split != "train") continue;
    ++total[row.label];
    changed[row.label] += after.at(row.sample_id) != row.label ? 1 : 0;
  }
  for (const auto& [label, count] : total)
    EXPECT_TRUE(plausible_count(changed[label], count, 0.3, 12)) << label;
}

TEST_F(Injection, KeepsTruthIdsPathsSplitsAndTheTestSplit) {
  const auto parent = clean(3000);
  const auto before = read_label_set(parent);
  run(parent, "noisy.parquet", one(NoiseKind::kSemantic, 0.5));
  const auto after = read_label_set(folder / "noisy.parquet");
  ASSERT_EQ(after.rows.size(), before.rows.size());
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    auto expected = before.rows[i];
    if (expected.split == "train") {
      changed += after.rows[i].label != expected.label ? 1 : 0;
      expected.label = after.rows[i].label;
    }
    EXPECT_EQ(after.rows[i], expected);
  }
  EXPECT_GT(changed, 1000);
  EXPECT_EQ(after.info.classes, before.info.classes);
}

TEST_F(Injection, TakesTheLabelForTheTruthWhereNoneIsKnownAndOnlyInTheSplit) {
  auto set = test::even_labels(*sources.taxonomy, 600);
  for (auto& row : set.rows) row.true_label.reset();
  write_label_set(folder / "untold.parquet", set, IfExists::kFail);
  run(folder / "untold.parquet", "noisy.parquet", one(NoiseKind::kUniform, 0.5));
  const auto after = read_label_set(folder / "noisy.parquet");
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    const bool train = set.rows[i].split == "train";
    EXPECT_EQ(after.rows[i].true_label, train ? std::optional(set.rows[i].label) : std::nullopt);
  }
}

TEST_F(Injection, LeavesUnlabelledRowsAlone) {
  auto set = test::even_labels(*sources.taxonomy, 600, false);
  for (std::size_t i = 0; i < set.rows.size(); i += 3) {
    set.rows[i].label = kUnlabelled;
    set.rows[i].true_label.reset();
  }
  write_label_set(folder / "sparse.parquet", set, IfExists::kFail);
  const auto report = run(folder / "sparse.parquet", "noisy.parquet", one(NoiseKind::kUniform, 1.0));
  EXPECT_EQ(report.counts.labelled, 400);
  const auto after = read_label_set(folder / "noisy.parquet");
  for (std::size_t i = 0; i < set.rows.size(); i += 3) EXPECT_EQ(after.rows[i], set.rows[i]);
}

// A test each: the thread sanitizer takes minutes for one.
struct NamedSpec {
  std::string name;
  NoiseSpec spec;
};

std::vector<NamedSpec> specs_of_every_plan() {
  const auto spec = [](std::vector<NoiseComponent> components) {
    NoiseSpec made;
    made.components = std::move(components);
    return made;
  };
  auto exact = spec({{NoiseKind::kUniform, 0.3}});
  exact.exact = true;
  auto stratified = spec({{NoiseKind::kUniform, 0.1}, {NoiseKind::kDistance, 0.1}});
  stratified.exact = stratified.stratify = true;
  auto guarded = spec({{NoiseKind::kPair, 1.0}});
  guarded.pair_map = {{0, 1}, {1, 2}, {2, 3}};  // class 0 would vanish: the guard binds
  return {{"Rate", spec({{NoiseKind::kSemantic, 0.2}})},
          {"Exact", std::move(exact)},
          {"ExactInEveryClass", std::move(stratified)},
          {"Guarded", std::move(guarded)}};
}

class InjectionPlan : public Injection, public testing::WithParamInterface<NamedSpec> {};

INSTANTIATE_TEST_SUITE_P(Injection, InjectionPlan, testing::ValuesIn(specs_of_every_plan()),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(InjectionPlan, SameSampleSameFateInAnyOrderShardOrThreadCount) {
  auto set = test::even_labels(*sources.taxonomy, 140000);
  write_label_set(folder / "clean.parquet", set, IfExists::kFail);
  std::mt19937 generator(3);
  std::shuffle(set.rows.begin(), set.rows.end(), generator);
  write_label_set(folder / "shuffled.parquet", set, IfExists::kFail);

  const auto& spec = GetParam().spec;
  const auto whole = run(folder / "clean.parquet", "one.parquet", spec, 1);
  const auto eight = run(folder / "clean.parquet", "eight.parquet", spec, 8);
  EXPECT_EQ(whole.digest, eight.digest);
  EXPECT_EQ(whole.counts, eight.counts);
  run(folder / "shuffled.parquet", "reordered.parquet", spec, 3);
  EXPECT_EQ(labels_by_id(folder / "reordered.parquet"), labels_by_id(folder / "one.parquet"));

  std::vector<LabelRow> together;
  constexpr std::int64_t kShards = 6;  // does not divide the rows
  for (std::int64_t shard = 1; shard <= kShards; ++shard) {
    const auto name = "part" + std::to_string(shard) + ".parquet";
    const auto part = run(folder / "clean.parquet", name, spec, 2, Shard{shard, kShards});
    EXPECT_EQ(part.counts, whole.counts);
    const auto rows = read_label_set(folder / name).rows;
    EXPECT_EQ(static_cast<std::int64_t>(rows.size()), part.written_rows);
    together.insert(together.end(), rows.begin(), rows.end());
  }
  EXPECT_EQ(together, read_label_set(folder / "one.parquet").rows);
}

TEST_F(Injection, AFolderOfPartsEqualsOneFile) {
  const auto set = test::even_labels(*sources.taxonomy, 5000);
  write_label_set(folder / "whole.parquet", set, IfExists::kFail);
  for (int part = 0; part < 5; ++part) {
    LabelSet piece{set.info, {set.rows.begin() + part * 1000, set.rows.begin() + (part + 1) * 1000}};
    write_label_set(folder / ("parts/" + std::to_string(part) + ".parquet"), piece, IfExists::kFail);
  }
  const auto spec = one(NoiseKind::kSemantic, 0.2);
  run(folder / "whole.parquet", "a.parquet", spec);
  run(folder / "parts", "b.parquet", spec, 4);
  run(folder / "parts", "c.parquet", spec, 1, Shard{2, 3});
  const auto expected = read_label_set(folder / "a.parquet").rows;
  EXPECT_EQ(read_label_set(folder / "b.parquet").rows, expected);
  const std::vector<LabelRow> second(expected.begin() + 1666, expected.begin() + 3333);
  EXPECT_EQ(read_label_set(folder / "c.parquet").rows, second);
}

TEST_F(Injection, AddingRowsChangesNoOtherRow) {
  const auto spec = one(NoiseKind::kSemantic, 0.3);
  run(clean(2400), "few.parquet", spec);
  run(clean(4800), "many.parquet", spec);
  const auto many = labels_by_id(folder / "many.parquet");
  for (const auto& [id, label] : labels_by_id(folder / "few.parquet")) EXPECT_EQ(many.at(id), label);
}

TEST_F(Injection, LowerRatesAreContainedInHigherOnes) {
  const auto parent = clean(6000);
  const auto before = labels_by_id(parent);
  run(parent, "low.parquet", one(NoiseKind::kSemantic, 0.1));
  run(parent, "high.parquet", one(NoiseKind::kSemantic, 0.3));
  const auto high = labels_by_id(folder / "high.parquet");
  for (const auto& [id, label] : labels_by_id(folder / "low.parquet")) {
    if (label != before.at(id)) {
      EXPECT_EQ(high.at(id), label);
    }
  }
}

TEST_F(Injection, ExactCountsAreExact) {
  const auto parent = clean(10007);
  auto spec = one(NoiseKind::kUniform, 0.2);
  spec.exact = true;
  const auto report = run(parent, "exact.parquet", spec);
  EXPECT_EQ(report.counts.changed, std::llround(0.2 * static_cast<double>(report.counts.labelled)));

  spec.stratify = true;
  run(parent, "stratified.parquet", spec);
  std::map<std::int32_t, std::int64_t> changed, total;
  std::int64_t all = 0;
  for (const auto& row : read_label_set(folder / "stratified.parquet").rows) {
    if (row.split != "train") continue;
    ++total[*row.true_label];
    changed[*row.true_label] += row.label != *row.true_label ? 1 : 0;
    all += row.label != *row.true_label ? 1 : 0;
  }
  EXPECT_EQ(all, report.counts.changed);
  for (const auto& [label, count] : total) {
    EXPECT_LT(std::abs(static_cast<double>(changed[label]) - 0.2 * static_cast<double>(count)), 1.0);
  }
}

TEST_F(Injection, SmallClassesGetTheirFlipsToo) {
  // 3 samples in each class: 0.2 × 3 truncated is 0, the trap that other generators fall into.
  auto spec = one(NoiseKind::kUniform, 0.2);
  spec.exact = spec.stratify = true;
  EXPECT_EQ(run(clean(36, false), "small.parquet", spec).counts.changed, 7);
}

TEST_F(Injection, MixturesHaveTheirSharesEach) {
  NoiseSpec spec;
  spec.components = {{NoiseKind::kSemantic, 0.15}, {NoiseKind::kUniform, 0.05}};
  const auto parent = clean(60000);
  const auto drawn = run(parent, "mix.parquet", spec);
  ASSERT_EQ(drawn.counts.by_component.size(), 2u);
  EXPECT_TRUE(plausible_count(drawn.counts.by_component[0], 54000, 0.15, 2));
  EXPECT_TRUE(plausible_count(drawn.counts.by_component[1], 54000, 0.05, 2));
  spec.exact = spec.stratify = true;
  const auto exact = run(parent, "exact.parquet", spec);
  EXPECT_EQ(exact.counts.by_component[0], 8100);
  EXPECT_EQ(exact.counts.by_component[1], 2700);
}

TEST_F(Injection, RatesByClassReplaceTheRate) {
  auto spec = one(NoiseKind::kUniform, 0.1);
  spec.class_rates = {{0, 0.5}, {3, 0.0}};
  run(clean(60000), "rates.parquet", spec);
  std::map<std::int32_t, std::int64_t> changed;
  for (const auto& row : read_label_set(folder / "rates.parquet").rows) {
    changed[*row.true_label] += row.label != *row.true_label ? 1 : 0;
  }
  EXPECT_TRUE(plausible_count(changed[0], 4500, 0.5, 2));
  EXPECT_EQ(changed[3], 0);
  EXPECT_TRUE(plausible_count(changed[5], 4500, 0.1, 2));
}

TEST_F(Injection, OnlyTheChosenClassesChange) {
  auto spec = one(NoiseKind::kUniform, 0.5);
  spec.classes = {2, 7};
  run(clean(6000), "some.parquet", spec);
  std::set<std::int32_t> changed;
  for (const auto& row : read_label_set(folder / "some.parquet").rows) {
    if (row.label != *row.true_label) changed.insert(*row.true_label);
  }
  EXPECT_EQ(changed, (std::set<std::int32_t>{2, 7}));
}

TEST_F(Injection, NoPhantomClassAppears) {
  // Class 11 occurs only among the test rows: neither uniform nor matrix noise may bring it into the split.
  auto set = test::even_labels(*sources.taxonomy, 1200, false);
  for (auto& row : set.rows) row.split = row.label == 11 ? "test" : "train";
  write_label_set(folder / "disjoint.parquet", set, IfExists::kFail);
  run(folder / "disjoint.parquet", "uniform.parquet", one(NoiseKind::kUniform, 1.0));
  run(folder / "disjoint.parquet", "semantic.parquet", one(NoiseKind::kSemantic, 1.0));
  auto matrix = std::make_shared<ClassMatrix>();
  matrix->rows[3] = {{3, 0.2}, {4, 0.3}, {11, 0.5}};
  sources.matrix = matrix;
  const auto report = run(folder / "disjoint.parquet", "matrix.parquet", one(NoiseKind::kMatrix, 1));
  EXPECT_GT(report.counts.phantom, 20);
  for (const auto* name : {"uniform.parquet", "semantic.parquet", "matrix.parquet"}) {
    for (const auto& row : read_label_set(folder / name).rows) {
      if (row.split == "train") {
        EXPECT_NE(row.label, 11) << name;
      }
    }
  }
  auto unguarded = one(NoiseKind::kMatrix, 1);
  unguarded.guards = false;
  EXPECT_EQ(run(folder / "disjoint.parquet", "loose.parquet", unguarded).counts.phantom, 0);
}

TEST_F(Injection, TheGuardKeepsClassesAliveAndSaysSo) {
  auto spec = one(NoiseKind::kPair, 1.0);
  spec.pair_map = {{0, 1}};
  spec.min_per_class = 4;
  const auto report = run(clean(240, false), "guarded.parquet", spec);
  EXPECT_EQ(report.guard_events, (std::vector<GuardEvent>{{0, 4}}));
  EXPECT_EQ(report.counts.guarded, 4);
  EXPECT_EQ(report.counts.changed, 16);
  std::int64_t left = 0;
  for (const auto& row : read_label_set(folder / "guarded.parquet").rows) left += row.label == 0 ? 1 : 0;
  EXPECT_EQ(left, 4);
  spec.guards = false;
  EXPECT_EQ(run(clean(240, false), "loose.parquet", spec).counts.changed, 20);
}

TEST_F(Injection, ASplitOfOneClassIsReported) {
  auto set = test::even_labels(*sources.taxonomy, 240, false);
  for (auto& row : set.rows) row.split = row.label == 5 ? "train" : "test";
  write_label_set(folder / "lonely.parquet", set, IfExists::kFail);
  const auto report = run(folder / "lonely.parquet", "noisy.parquet", one(NoiseKind::kSemantic, 0.5));
  EXPECT_EQ(report.classes_without_target, (std::vector<std::int32_t>{5}));
  EXPECT_EQ(report.counts.changed, 0);
}

TEST_F(Injection, ACorruptedParentChainsItsProvenanceAndDrawsAfresh) {
  const auto parent = clean(60000);
  run(parent, "first.parquet", one(NoiseKind::kUniform, 0.2));
  const auto second = run(folder / "first.parquet", "second.parquet", one(NoiseKind::kUniform, 0.2));
  const auto& provenance = second.info.provenance;
  EXPECT_EQ(provenance.at("noise").at("generation"), 2);
  EXPECT_EQ(provenance.at("parent").at("operation"), "inject");
  EXPECT_EQ(provenance.at("parent_digest"), parts_digest(folder / "first.parquet"));
  EXPECT_EQ(provenance.at("parent").at("parent_digest"), parts_digest(parent));
  // The same seed would hit the same samples again if generations shared their draws: 4 % are hit twice, not
  // 20 %.
  const auto before = labels_by_id(parent), middle = labels_by_id(folder / "first.parquet"),
             after = labels_by_id(folder / "second.parquet");
  std::int64_t twice = 0;
  for (const auto& [id, label] : before)
    twice += middle.at(id) != label && after.at(id) != middle.at(id) ? 1 : 0;
  EXPECT_TRUE(plausible_count(twice, 54000, 0.04));
  for (const auto& row : read_label_set(folder / "second.parquet").rows)
    EXPECT_EQ(*row.true_label, before.at(row.sample_id));
}

TEST_F(Injection, OpenSetNoiseReplacesImagesUnderTheSameLabel) {
  auto foreign = std::make_shared<ForeignImages>();
  foreign->dataset = "cars";
  for (std::int64_t i = 0; i < 2000; ++i)
    foreign->images.push_back({i, "../cars/" + std::to_string(i) + ".jpg"});
  sources.foreign = foreign;
  const auto parent = clean(6000);
  const auto before = read_label_set(parent);
  const auto report = run(parent, "open.parquet", one(NoiseKind::kOpenSet, 0.2));
  EXPECT_TRUE(plausible_count(report.counts.foreign, 5400, 0.2));
  const auto after = read_label_set(folder / "open.parquet");  // ids are still unique, or this throws
  std::set<std::string> used;
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    const auto& row = after.rows[i];
    EXPECT_EQ(row.label, before.rows[i].label);
    if (row.path == before.rows[i].path) {
      EXPECT_EQ(row, before.rows[i]);
      continue;
    }
    EXPECT_EQ(row.split, "train");
    EXPECT_EQ(row.true_label, kNoneOfThese);
    EXPECT_TRUE(row.path.starts_with("../cars/"));
    EXPECT_TRUE(used.insert(row.path).second) << "twice: " << row.path;
  }
  EXPECT_EQ(static_cast<std::int64_t>(used.size()), report.counts.foreign);
  // A second injection on top must not take a foreign image's label for its truth.
  run(folder / "open.parquet", "top.parquet", one(NoiseKind::kUniform, 0.5));
  for (const auto& row : read_label_set(folder / "top.parquet").rows) {
    if (row.path.starts_with("../cars/")) {
      EXPECT_EQ(row.true_label, kNoneOfThese);
    }
  }
}

TEST_F(Injection, OpenSetNoiseNeedsEnoughImages) {
  auto foreign = std::make_shared<ForeignImages>();
  foreign->dataset = "cars";
  foreign->images.push_back({1, "x.jpg"});
  sources.foreign = foreign;
  EXPECT_THROW(run(clean(600), "open.parquet", one(NoiseKind::kOpenSet, 0.2)), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "open.parquet"));
}

TEST_F(Injection, AMissingSplitIsNamedWithThoseThatExist) {
  auto spec = one(NoiseKind::kUniform, 0.2);
  spec.split = "trian";
  try {
    run(clean(600), "x.parquet", spec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("'trian'"), testing::HasSubstr("test, train")));
  }
}

TEST_F(Injection, AnExistingOutputStays) {
  const auto parent = clean(600);
  folder.write("there.parquet", "something");
  EXPECT_THROW(run(parent, "there.parquet", one(NoiseKind::kUniform, 0.2)), Error);
  EXPECT_EQ(test::read_all(folder / "there.parquet"), "something");
}

TEST_F(Injection, ATaxonomyOfAnotherDataSetIsRefused) {
  auto info = test::info_of(*sources.taxonomy);
  EXPECT_NO_THROW(require_same_classes(*sources.taxonomy, "t.json", info, "l.parquet"));
  std::swap(info.classes[3], info.classes[4]);
  EXPECT_THROW(require_same_classes(*sources.taxonomy, "t.json", info, "l.parquet"), Error);
  info.classes.pop_back();
  EXPECT_THROW(require_same_classes(*sources.taxonomy, "t.json", info, "l.parquet"), Error);
}

}  // namespace
}  // namespace procsim::noise
