#include "data/labels/label_table.hpp"

#include <gtest/gtest.h>

#include "data/labels/label_set.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

TEST(LabelTable, HasTheLabelsAsTheirUserWroteThem) {
  const test::TemporaryFolder folder;
  LabelSet set;
  set.info.dataset = "birds";
  set.info.classes = {{"Arctic Tern", "Arctic_Tern", ""}, {"Gull, Herring", "", ""}};
  set.rows = {
      {7, "a,b/1.jpg", "train", 1, 0}, {3, "2.jpg", "test", 0, {}}, {4, "3.jpg", "train", kUnlabelled, {}}};
  write_label_set(folder / "set.parquet", set, IfExists::kFail);
  AtomicFile file(folder / "set.csv");
  EXPECT_EQ(write_label_table(folder / "set.parquet", file), 3);
  file.commit();
  EXPECT_EQ(test::read_all(folder / "set.csv"),
            "sample_id,path,split,label\n7,\"a,b/1.jpg\",train,\"Gull, "
            "Herring\"\n3,2.jpg,test,Arctic_Tern\n4,3.jpg,train,\n");
}

}  // namespace
}  // namespace procsim
