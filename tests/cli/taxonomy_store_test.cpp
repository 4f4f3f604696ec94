#include "tools/program/taxonomy_store.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "tests/cli/stored_taxonomy.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

taxonomy::Taxonomy pets(const std::string& parent_of_cat) {
  taxonomy::TaxonomyParts parts;
  parts.dataset = "pets";
  parts.nodes = {{"animal", "animal", "", ""}, {"feline", "feline", "", ""}};
  parts.tree_parent = {std::nullopt, 0};
  parts.edges = {{1, 0}};
  parts.classes = {{"cat", "01.cat", parent_of_cat, taxonomy::Resolution::kImported, "", ""},
                   {"dog", "02.dog", "animal", taxonomy::Resolution::kImported, "", ""}};
  return taxonomy::Taxonomy(std::move(parts));
}

LabelSet base_labels() {
  LabelSet set;
  set.info.dataset = "pets";
  set.info.classes = {{"cat", "01.cat", ""}, {"dog", "02.dog", ""}};
  set.info.provenance = nlohmann::ordered_json::object();
  set.rows = {{1, "a.jpg", "train", 0, 0}, {2, "b.jpg", "train", 1, 1}};
  return set;
}

std::set<std::string> files_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(TaxonomyStore, KeepsWhatItReplacesUnderItsDigest) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto first = pets("feline"), second = pets("animal");
  test::store_taxonomy(workspace, first);
  test::store_taxonomy(workspace, first);
  EXPECT_THAT(files_in(workspace.home() / "taxonomies"), ElementsAre("pets.json"))
      << "the same again leaves one file";
  const auto path = test::store_taxonomy(workspace, second);
  const auto kept = path.parent_path() / ("pets-" + first.digest().substr(0, 8) + ".json");
  EXPECT_EQ(sha256_file(path), second.digest());
  EXPECT_EQ(sha256_file(kept), first.digest());
  EXPECT_EQ(workspace.newest_taxonomy("pets")->digest, second.digest());
}

void refresh(Workspace& workspace, const taxonomy::Taxonomy& taxonomy) {
  FileChanges files;
  const auto record = tools::write_refreshed_labels(files, workspace, taxonomy);
  ASSERT_TRUE(record);
  workspace.put_together(files, [&] { tools::record_base_labels(workspace, *record); });
}

TEST(TaxonomyStore, BaseLabelsFollowTheTaxonomyThereAndBack) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto path = test::store_base_labels(workspace, base_labels(), pets("feline"));
  const auto first = workspace.newest_label_set("pets", "base")->digest;
  EXPECT_EQ(read_label_set(path).info.classes[0].node, "feline");

  refresh(workspace, pets("animal"));
  EXPECT_EQ(read_label_set(path).info.classes[0].node, "animal");
  const auto second = workspace.newest_label_set("pets", "base")->digest;
  EXPECT_EQ(sha256_file(path), second);
  const auto file_of = [&](const std::string& digest) {
    return tools::label_file(workspace, *workspace.label_set_by_digest(digest));
  };
  EXPECT_EQ(sha256_file(file_of(first)), first) << "the record follows its file to where it is kept";

  refresh(workspace, pets("feline"));
  EXPECT_EQ(workspace.newest_label_set("pets", "base")->digest, first)
      << "the newest record names the file that is there";
  EXPECT_EQ(file_of(first), path);
  EXPECT_EQ(sha256_file(path), first);
  EXPECT_EQ(sha256_file(file_of(second)), second);
  refresh(workspace, pets("animal"));
  EXPECT_EQ(sha256_file(file_of(first)), first);
  EXPECT_EQ(sha256_file(file_of(second)), second);
  std::filesystem::remove(file_of(first));
  EXPECT_THAT(error_of([&] { file_of(first); }), HasSubstr("was replaced or deleted"));
}

TEST(TaxonomyStore, AnUnchangedBaseDoesNotOvertakeNewerLabelSets) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  test::store_base_labels(workspace, base_labels(), pets("feline"));
  LabelSetRecord noisy;
  noisy.dataset = "pets";
  noisy.path = "labels/noisy.parquet";
  noisy.digest = "n";
  noisy.kind = "inject";
  workspace.put_label_set(noisy);
  test::store_base_labels(workspace, base_labels(), pets("feline"));
  EXPECT_EQ(workspace.newest_label_set("pets")->kind, "inject");
}

TEST(TaxonomyStore, RefusesLabelsOfOtherClasses) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  auto base = base_labels();
  base.info.classes.push_back({"cow", "cow", ""});
  EXPECT_THROW(test::store_base_labels(workspace, base, pets("feline")), Error);
}

TEST(TaxonomyStore, NamesFilesAfterAnyDataSet) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  auto parts = pets("feline").parts();
  parts.dataset = "../../etc/<pets>";
  const auto path = test::store_taxonomy(workspace, taxonomy::Taxonomy(std::move(parts)));
  EXPECT_EQ(path.parent_path(), workspace.home() / "taxonomies");
}

// The classes of a data set that the workspace knows keep their labels when a tree is imported for it.
TEST(TaxoImport, FindsTheDataSetsClassesInTheTree) {
  const TemporaryFolder folder;
  {
    auto workspace = Workspace::open_or_create(folder.path());
    DatasetRecord record;
    record.name = record.source = "pets";
    record.kind = "csv";
    record.options = "{}";
    workspace.put_dataset(record);
    test::store_base_labels(workspace, base_labels(), pets("feline"));
  }
  folder.write("tree.nwk", "((DOG,wolf)canine,(Cat,lion)feline)animal;");
  ProgramOptions options;
  options.folder = folder.path();
  const auto result = run_program("taxo", {"import", "tree.nwk", "--dataset", "pets"}, options);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("classes: those of pets, found in the tree by name"));
  const auto taxonomy = tools::read_taxonomy(folder / ".procsim/taxonomies/pets.json");
  ASSERT_EQ(taxonomy.class_count(), 2);
  EXPECT_EQ(taxonomy.class_at(0).published, "01.cat");
  EXPECT_EQ(taxonomy.class_at(0).node, "pets:feline");
  const auto labels = read_label_set(folder / ".procsim/labels/pets.parquet");
  EXPECT_EQ(labels.info.classes[1].node, "pets:canine") << "the base label set learned the nodes";

  folder.write("without.nwk", "((wolf,cat))animal;");
  const auto refused = run_program("taxo", {"import", "without.nwk", "--dataset", "pets"}, options);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("1 of 2 classes are not in the tree: 'dog'"));
  EXPECT_EQ(run_program("taxo", {"import", "without.nwk", "--dataset", "pets", "--allow-missing"}, options)
                .exit_code,
            0);
}

}  // namespace
}  // namespace procsim::test
