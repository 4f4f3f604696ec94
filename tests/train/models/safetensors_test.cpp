#include "train/models/safetensors.hpp"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

std::string header_of(std::string json, std::string data = {}) {
  const std::uint64_t length = json.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + json + data;
}

std::string message_of(const std::filesystem::path& path) {
  try {
    read_safetensors(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class Safetensors : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;

  std::string refusal(const std::string& content) {
    return message_of(folder.write("file.safetensors", content));
  }
};

TEST_F(Safetensors, ComeBackAsTheyWereWritten) {
  TensorFile file;
  file.tensors["a"] = torch::arange(6, torch::kFloat32).view({2, 3});
  file.tensors["half"] = torch::ones({4}, torch::kFloat16) * 0.5;
  file.tensors["long"] = torch::tensor({-1, 5}, torch::kInt64);
  file.tensors["scalar"] = torch::tensor(2.5, torch::kFloat64);
  file.tensors["empty"] = torch::empty({0, 3});
  file.metadata["note"] = "grüße";
  write_safetensors(folder / "x.safetensors", file, IfExists::kFail);
  const auto read = read_safetensors(folder / "x.safetensors");
  EXPECT_EQ(read.metadata, file.metadata);
  ASSERT_EQ(read.tensors.size(), file.tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(read.tensors.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(torch::equal(read.tensors.at(name), tensor)) << name;
  }
}

TEST_F(Safetensors, WritesChannelsLastTensorsInTheirLogicalOrder) {
  const auto tensor = torch::arange(24, torch::kFloat32).view({1, 2, 3, 4});
  TensorFile file;
  file.tensors["t"] = tensor.contiguous(torch::MemoryFormat::ChannelsLast);
  write_safetensors(folder / "x.safetensors", file, IfExists::kFail);
  EXPECT_TRUE(torch::equal(read_safetensors(folder / "x.safetensors").tensors.at("t"), tensor));
}

TEST_F(Safetensors, EveryTruncationIsAnErrorThatNamesTheFile) {
  TensorFile file;
  file.tensors["weights"] = torch::ones({3, 5});
  file.metadata["k"] = "v";
  write_safetensors(folder / "x.safetensors", file, IfExists::kFail);
  const auto whole = test::read_all(folder / "x.safetensors");
  for (std::size_t size = 0; size < whole.size(); ++size)
    ASSERT_THAT(refusal(whole.substr(0, size)), HasSubstr("file.safetensors")) << size << " bytes";
}

TEST_F(Safetensors, DamagedHeadersAreRefused) {
  EXPECT_THAT(refusal(header_of("[1,2]")), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(header_of("{\"a\":" + std::string(300'000, '[') + std::string(300'000, ']') + "}")),
              HasSubstr("not a JSON object"))
      << "nested deeper than there is stack for";
  EXPECT_THAT(refusal(header_of("{\"a\":{\"dtype\":\"F32\"}}")), HasSubstr("'a' lacks"));
  EXPECT_THAT(refusal(header_of(R"({"a":{"dtype":"Q8","shape":[1],"data_offsets":[0,1]}})", "x")),
              HasSubstr("Q8"));
  EXPECT_THAT(refusal(header_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234")),
              HasSubstr("its shape asks for 8"));
  EXPECT_THAT(refusal(header_of(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234")),
              HasSubstr("no whole number"));
  EXPECT_THAT(
      refusal(header_of(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,0]}})")),
      HasSubstr("impossibly large"));
  EXPECT_THAT(refusal(header_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[400,404]}})", "1234")),
              HasSubstr("behind the end"));
  EXPECT_THAT(refusal(header_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "1234")),
              HasSubstr("'a'"));
  EXPECT_THAT(refusal(header_of(R"({"__metadata__":{"a":1}})")), HasSubstr("not text"));
  EXPECT_THAT(refusal(std::string(8, '\xff')), HasSubstr("claims"));
}

TEST_F(Safetensors, APickleIsRefusedWithTheCommandThatConvertsIt) {
  for (const std::string& start : {std::string("PK\x03\x04rest of a zip"), std::string("\x80\x02}q\x00.")}) {
    const auto message = message_of(folder.write("net.pth", start));
    EXPECT_THAT(message, HasSubstr("pickle"));
    EXPECT_THAT(message, HasSubstr("scripts/convert_weights.py"));
    EXPECT_THAT(message, HasSubstr("net.safetensors"));
  }
}

TEST_F(Safetensors, AMissingFileIsAnError) {
  EXPECT_THAT(message_of(folder / "none.safetensors"), HasSubstr("none.safetensors"));
  EXPECT_THAT(message_of(folder.path()), HasSubstr("cannot read"));
}

TEST_F(Safetensors, APickleThatTheScriptConvertsOpens) {
  const auto pickle = (folder / "net.pth").string();
  const auto target = (folder / "net.safetensors").string();
  const auto python = test::python_program().string();
  const std::string make =
      "import torch; torch.save({'state_dict': {'module.a': torch.arange(4.)}}, r'" + pickle + "')";
  ASSERT_EQ(test::run_program(python, {"-c", make}).exit_code, 0);
  const auto script = (test::source_folder() / "scripts/convert_weights.py").string();
  const auto result = test::run_program(python, {script, pickle, target});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(torch::equal(read_safetensors(target).tensors.at("a"), torch::arange(4, torch::kFloat32)));
}

TEST_F(Safetensors, APickleThatRunsCodeIsNotConverted) {
  const auto pickle = (folder / "evil.pth").string();
  const auto marker = (folder / "marker").string();
  const auto python = test::python_program().string();
  const std::string make = "import torch, os\nclass E:\n  def __reduce__(self): return (os.mkdir, (r'" +
                           marker + "',))\ntorch.save({'a': E()}, r'" + pickle + "')";
  ASSERT_EQ(test::run_program(python, {"-c", make}).exit_code, 0);
  const auto script = (test::source_folder() / "scripts/convert_weights.py").string();
  EXPECT_NE(test::run_program(python, {script, pickle, (folder / "x.safetensors").string()}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(marker));
}

}  // namespace
}  // namespace procsim::train
