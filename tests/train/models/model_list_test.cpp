#include "train/models/model_list.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/test_files.hpp"
#include "train/models/safetensors.hpp"

namespace procsim::train {
namespace {

const ListedModel& entry(const std::vector<ListedModel>& list, const std::string& name) {
  return *std::find_if(list.begin(), list.end(),
                       [&](const auto& one) { return one.architecture->name == name; });
}

TEST(ModelList, SaysWhatIsThereWithItsSizeAndSource) {
  const test::TemporaryFolder folder;
  TensorFile file;
  file.tensors["x"] = torch::zeros({3});
  file.metadata["source"] = "somebody, MIT";
  write_safetensors(folder / "swin-t.safetensors", file, IfExists::kFail);
  folder.write("deit-s16.safetensors", "no weights");
  const auto list = list_models(folder.path());
  EXPECT_EQ(list.size(), architectures().size());
  EXPECT_EQ(entry(list, "swin-t").file, folder / "swin-t.safetensors");
  EXPECT_EQ(entry(list, "swin-t").bytes, std::filesystem::file_size(folder / "swin-t.safetensors"));
  EXPECT_EQ(entry(list, "swin-t").source, "somebody, MIT");
  EXPECT_FALSE(entry(list, "swin-b").file);
  std::filesystem::create_directory(folder / "swin-b.safetensors");
  EXPECT_THAT(entry(list_models(folder.path()), "swin-b").damage, ::testing::HasSubstr("cannot read"));
  EXPECT_THAT(entry(list, "deit-s16").damage, ::testing::HasSubstr("deit-s16.safetensors"));
}

}  // namespace
}  // namespace procsim::train
