#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/noise_workspace.hpp"

namespace procsim {
namespace {

using test::NoiseFiles;
using test::NoiseWorkspace;
using testing::AllOf;
using testing::HasSubstr;

void change_labels(const std::filesystem::path& path, const std::function<void(LabelSet&)>& how) {
  auto set = read_label_set(path);
  how(set);
  write_label_set(path, set, IfExists::kReplace);
}

TEST(NoiseVerify, FindsParentAndTaxonomyInTheWorkspace) {
  const NoiseWorkspace workspace;
  ASSERT_EQ(workspace.noise({"inject", "--semantic", "0.3", "--exact"}).exit_code, 0);
  const auto result = workspace.noise({"verify"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "2,400 rows: file, seed, parent and taxonomy agree in every row\nchecks: nothing found\n");
  EXPECT_THAT(result.err, AllOf(HasSubstr("labels: birds semantic 0.3 seed 1 exact"),
                                HasSubstr("parent: birds as published")));
}

TEST(NoiseVerify, NamesTheRowsThatWereTamperedWith) {
  const NoiseWorkspace workspace;
  ASSERT_EQ(workspace.noise({"inject", "--semantic", "0.3", "-o", "noisy.parquet"}).exit_code, 0);
  change_labels(workspace.folder / "noisy.parquet", [](LabelSet& set) {
    for (const auto row : {3, 700, 1500}) set.rows[static_cast<std::size_t>(row)].label = 0;
  });
  const auto result = workspace.noise({"verify", "--labels", "noisy.parquet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("row 3 (sample 10): label 0 'Heermann Gull', expected"),
                                HasSubstr("row 700 (sample 2101)")));
  const auto limited = workspace.noise({"verify", "--labels", "noisy.parquet", "--top", "1"});
  EXPECT_THAT(limited.out, HasSubstr("more rows"));
  const auto json =
      nlohmann::ordered_json::parse(workspace.noise({"verify", "--labels", "noisy.parquet", "--json"}).out);
  EXPECT_FALSE(json.at("agrees").get<bool>());
  EXPECT_GE(json.at("disagreements").get<int>(), 2);
}

TEST(NoiseVerify, ANamedParentThatIsNotTheParentIsSaid) {
  const NoiseFiles files;
  ASSERT_EQ(
      files.noise({"inject", "--uniform", "0.2", "--labels", "clean.parquet", "-o", "out/noisy.parquet"})
          .exit_code,
      0);
  write_label_set(files.folder / "other.parquet", test::even_labels(files.taxonomy, 2412), IfExists::kFail);
  const auto result = files.noise({"verify", "--labels", "out/noisy.parquet", "--parent", "other.parquet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("other.parquet is not the parent that the provenance names"));
  const auto lost = files.noise({"verify", "--labels", "out/noisy.parquet"});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.err, HasSubstr("give --parent FILE"));
}

TEST(NoiseVerify, FindsFilesBesideTheLabelSet) {
  const NoiseFiles files;
  files.folder.write("m.csv", "from,to,probability\nBarn Owl,Osprey,0.4\nBarn Owl,Barn Owl,0.6\n");
  ASSERT_EQ(files.noise({"inject", "--matrix", "m.csv", "--labels", "clean.parquet", "-o", "noisy.parquet"})
                .exit_code,
            0);
  EXPECT_EQ(files.noise({"verify", "--labels", "noisy.parquet"}).exit_code, 0);
  files.folder.write("m.csv", "from,to,probability\nBarn Owl,Osprey,0.5\nBarn Owl,Barn Owl,0.5\n");
  const auto gone = files.noise({"verify", "--labels", "noisy.parquet"});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_THAT(gone.err, HasSubstr("--matrix FILE"));
  const auto wrong = files.noise({"verify", "--labels", "noisy.parquet", "--matrix", "m.csv"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("matrix 'm.csv' is not the one that the provenance names"));
}

TEST(NoiseVerify, ChecksForeignSets) {
  const NoiseFiles files;
  const auto clean = files.noise({"verify", "--labels", "clean.parquet"});
  EXPECT_EQ(clean.exit_code, 0) << clean.out;
  EXPECT_THAT(clean.err, HasSubstr("was not made by noise"));
  change_labels(files.folder / "clean.parquet", [](LabelSet& set) {
    for (auto& row : set.rows) {
      if (row.label == 9) row.label = 10;
    }
    set.rows[1].path = set.rows[0].path;
  });
  const auto result = files.noise({"verify", "--labels", "clean.parquet", "--rate", "0.3"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("missing-class: 1 classes"), HasSubstr("duplicate-path: 1 images"),
                                HasSubstr("rate: "), HasSubstr("9 'Barn Owl'")));
}

}  // namespace
}  // namespace procsim
