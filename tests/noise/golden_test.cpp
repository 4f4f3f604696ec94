// Labels for three seeds, against files that golden/make_golden.py computes without any of our code. They pin
// the draws, the models, the guards and exact counting: a change here changes every file that users have
// made.

#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "noise/injection.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::noise {
namespace {

// As make_golden.py makes them.
LabelSet golden_rows(const taxonomy::Taxonomy& taxonomy) {
  LabelSet set{test::info_of(taxonomy), {}};
  for (std::int64_t i = 0; i < 150; ++i) {
    const auto label = static_cast<std::int32_t>((i * 7 + i / 11) % taxonomy.class_count());
    const bool test = label == 11 || i % 13 == 5;
    set.rows.push_back(
        {7 * i * i + 3 * i - 500, std::to_string(i) + ".jpg", test ? "test" : "train", label, label});
  }
  return set;
}

std::map<std::string, NoiseSpec> golden_specs() {
  std::map<std::string, NoiseSpec> specs;
  specs["uniform"].components = {{NoiseKind::kUniform, 0.3}};
  specs["semantic"].components = {{NoiseKind::kSemantic, 0.4}};
  specs["semantic-all"].components = {{NoiseKind::kSemantic, 1.0}};
  specs["semantic-leaves"].components = {{NoiseKind::kSemantic, 0.4}};
  specs["semantic-leaves"].internal = InnerStep::kLeaves;
  specs["pair"].components = {{NoiseKind::kPair, 0.25}};
  specs["superclass"].components = {{NoiseKind::kSuperclass, 0.5}};
  specs["distance"].components = {{NoiseKind::kDistance, 0.5}};
  specs["distance"].temperature = 1.5;
  specs["mix"].components = {{NoiseKind::kSemantic, 0.2}, {NoiseKind::kUniform, 0.1}};
  specs["exact"].components = {{NoiseKind::kUniform, 0.27}};
  specs["exact"].exact = true;
  specs["stratified"].components = {{NoiseKind::kSemantic, 0.35}};
  specs["stratified"].exact = true;
  specs["stratified"].stratify = true;
  return specs;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

class Golden : public testing::TestWithParam<int> {};

TEST_P(Golden, LabelsAreThoseOfTheIndependentComputation) {
  const test::TemporaryFolder folder;
  NoiseSources sources;
  sources.taxonomy = std::make_shared<const taxonomy::Taxonomy>(test::noise_birds());
  write_label_set(folder / "clean.parquet", golden_rows(*sources.taxonomy), IfExists::kFail);

  std::istringstream expected(test::read_all(test::source_folder() / "tests/noise/golden" /
                                             ("expected_seed" + std::to_string(GetParam()) + ".csv")));
  std::string line;
  std::getline(expected, line);
  const auto names = fields_of(line);
  std::map<std::string, std::map<std::int64_t, std::int32_t>> made;
  for (auto [name, spec] : golden_specs()) {
    InjectionOptions options;
    options.parent = folder / "clean.parquet";
    options.output = folder / (name + ".parquet");
    options.spec = spec;
    options.spec.seed = static_cast<std::uint64_t>(GetParam());
    inject(options, sources);
    made[name] = test::labels_by_id(options.output);
  }
  ASSERT_EQ(names.size(), made.size() + 1);
  int rows = 0;
  for (; std::getline(expected, line); ++rows) {
    const auto fields = fields_of(line);
    const auto id = std::stoll(fields[0]);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      EXPECT_EQ(made.at(names[i]).at(id), std::stoi(fields[i])) << names[i] << ", sample " << id;
    }
  }
  EXPECT_EQ(rows, 150);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Golden, testing::Values(1, 2, 3),
                         [](const auto& seed) { return std::to_string(seed.param); });

}  // namespace
}  // namespace procsim::noise
