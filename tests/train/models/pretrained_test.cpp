#include "train/models/pretrained.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"
#include "tests/train/library_case.hpp"
#include "tests/train/model_folder.hpp"

namespace procsim::train {
namespace {

class Pretrained : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;

  std::filesystem::path written(const std::string& backbone, torch::ScalarType type = torch::kFloat32) {
    TensorFile file;
    Embedder model(make_backbone(backbone, 7, false), 5, 1);
    for (const auto& [name, tensor] : model.state()) file.tensors[name] = tensor.to(type);
    const auto path = folder / "weights.safetensors";
    write_safetensors(path, file, IfExists::kReplace);
    return path;
  }
};

TEST_F(Pretrained, AFileOfAnotherModelSaysWhichItIs) {
  const auto path = written("deit-ti16");
  Embedder model(make_backbone("resnet18", 1, false), 8, 1);
  test::expect_error(
      [&] { load_pretrained(model, "resnet18", path); },
      {"weights.safetensors holds weights of deit-ti16, not of resnet18", "--backbone deit-ti16"});
}

TEST_F(Pretrained, HalfPrecisionIsWidened) {
  const auto path = written("resnet18", torch::kFloat16);
  Embedder model(make_backbone("resnet18", 1, false), 8, 1);
  load_pretrained(model, "resnet18", path);
  const auto weight = model.state().at("conv1.weight");
  EXPECT_EQ(weight.scalar_type(), torch::kFloat32);
  Embedder original(make_backbone("resnet18", 7, false), 5, 1);
  EXPECT_TRUE(torch::allclose(weight, original.state().at("conv1.weight"), 1e-3, 1e-4));
}

TEST_F(Pretrained, ATensorThatIsMissingOrHasAnotherShapeIsNamed) {
  auto file = read_safetensors(written("resnet18"));
  file.tensors.erase("layer1.0.bn1.bias");
  file.tensors["layer2.0.conv1.weight"] = torch::zeros({3, 3});
  write_safetensors(folder / "hole.safetensors", file, IfExists::kFail);
  Embedder model(make_backbone("resnet18", 1, false), 8, 1);
  test::expect_error([&] { load_pretrained(model, "resnet18", folder / "hole.safetensors"); },
                     {"hole.safetensors", "it lacks layer1.0.bn1.bias", "layer2.0.conv1.weight (3×3"});
}

// Weights as other libraries name them, damaged in ways that the format allows.
TEST_F(Pretrained, ATensorThatCannotBeRenamedIsNamedWithItsFile) {
  const auto expect = [&](const char* file, const char* of, const std::string& tensor,
                          const torch::Tensor& instead, const std::vector<std::string>& said) {
    TensorFile damaged;
    damaged.tensors = weights_by_formula(library_case(file, of));
    ASSERT_TRUE(damaged.tensors.contains(tensor)) << tensor;
    damaged.tensors[tensor] = instead;
    write_safetensors(folder / "net.safetensors", damaged, IfExists::kReplace);
    auto words = said;
    words.insert(words.end(), {"net.safetensors", "'" + tensor + "'"});
    test::expect_error([&] { read_pretrained(folder / "net.safetensors"); }, words);
  };
  const std::string key = "encoder.layer.0.attention.attention.key.weight";
  const std::string place = "vision_model.embeddings.class_embedding";
  const std::string file = "backbones_hugging_face.json";
  expect(file.c_str(), "vit", key, torch::ones({3, 5}), {"is 3×5, which does not go with", "query.weight"});
  expect(file.c_str(), "vit", key, torch::tensor(1.0F), {"a number"});
  expect(file.c_str(), "clip", place, torch::ones({0}), {"empty (0)"});
}

// As PyTorch's exporter leaves them: a linear layer's weight transposed in a MatMul, the positions in a
// Reshape.
constexpr const char* kMakeOnnx = R"(
import struct, sys
def number(value):
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])
def field(tag, value):
    return number(tag << 3) + number(value) if isinstance(value, int) else number(tag << 3 | 2) + number(len(value)) + value
def tensor(name, sides, values):
    return field(5, b"".join(field(1, side) for side in sides) + field(2, 1) + field(8, name.encode())
                 + field(9, struct.pack(f"<{len(values)}f", *values)))
def node(kind, name, inputs):
    return field(1, b"".join(field(1, one.encode()) for one in inputs) + field(3, name.encode()) + field(4, kind.encode()))
graph = (tensor("model.cls_token", [1, 1, 2], [7, 8]) + tensor("model.norm.bias", [2], [1, 2])
         + tensor("onnx::MatMul_9", [2, 3], [1, 2, 3, 4, 5, 6]) + tensor("onnx::Reshape_5", [1, 4, 2], list(range(8)))
         + node("MatMul", "/blocks.0/attn/qkv/MatMul", ["x", "onnx::MatMul_9"]) + node("Reshape", "/Reshape", ["onnx::Reshape_5"]))
open(sys.argv[1], "wb").write(field(1, 8) + field(7, graph))
)";

TEST_F(Pretrained, AnOnnxFileThatTheScriptConvertsHasTheModulesNames) {
  const auto python = test::python_program().string();
  const auto onnx = (folder / "net.onnx").string(), target = (folder / "net.safetensors").string();
  ASSERT_EQ(test::run_program(python, {folder.write("make.py", kMakeOnnx).string(), onnx}).exit_code, 0);
  const auto script = (test::source_folder() / "scripts/convert_weights.py").string();
  const auto result = test::run_program(python, {script, onnx, target, "--source", "somebody, MIT"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto file = read_safetensors(target);
  EXPECT_EQ(file.metadata.at("source"), "somebody, MIT");
  EXPECT_TRUE(torch::equal(file.tensors.at("norm.bias"), torch::tensor({1.0F, 2.0F})));
  EXPECT_TRUE(torch::equal(file.tensors.at("blocks.0.attn.qkv.weight"),
                           torch::tensor({{1.0F, 4.0F}, {2.0F, 5.0F}, {3.0F, 6.0F}})));
  EXPECT_EQ(file.tensors.at("pos_embed").sizes(), (std::vector<std::int64_t>{1, 5, 2}));
  EXPECT_EQ(file.tensors.at("pos_embed")[0][0][1].item<float>(), 8);
  folder.write("cut.onnx", test::read_all(onnx).substr(0, 60));
  const auto refused = test::run_program(python, {script, (folder / "cut.onnx").string(), target, "--force"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("cut.onnx cannot be read as ONNX"), std::string::npos) << refused.err;
}

// The exporter folds batch normalisation into convolutions, whose weights are then nobody's.
TEST_F(Pretrained, AnOnnxFileWithFoldedConvolutionsIsRefused) {
  std::string make = kMakeOnnx;
  const std::string last = "node(\"Reshape\"";
  make.replace(make.find(last), 0, "node(\"Conv\", \"/layer1/conv1/Conv\", [\"x\", \"onnx::MatMul_9\"]) + ");
  const auto python = test::python_program().string();
  const auto onnx = (folder / "folded.onnx").string();
  ASSERT_EQ(test::run_program(python, {folder.write("make.py", make).string(), onnx}).exit_code, 0);
  const auto script = (test::source_folder() / "scripts/convert_weights.py").string();
  const auto refused = test::run_program(python, {script, onnx, (folder / "net.safetensors").string()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("layer1.conv1"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("do_constant_folding=False"), std::string::npos) << refused.err;
}

// DINOv2-S as it lies beside the project or where scripts/setup.sh --models has put it.
TEST_F(Pretrained, Dinov2OfTheModelFolderLoads) {
  const auto path = test::weights_of("dinov2-vits14");
  if (!path)
    GTEST_SKIP() << "no dinov2-vits14 in the model folder or ../shared/models: run scripts/setup.sh --models";
  Embedder model(make_backbone("dinov2-vits14", 1, false), 8, 1);
  ASSERT_NO_THROW(load_pretrained(model, "dinov2-vits14", *path));
  // Its layer scales are learned: those of a new model are all 1e-5.
  EXPECT_GT(model.state().at("blocks.0.ls1.gamma").abs().max().item<double>(), 0.01);
  // PyTorch's features of the same weights (tests/train/expected/make_dinov2.py).
  for (const auto& image : test::expected_values("dinov2.json")["images"]) {
    const std::int64_t size = image["size"], step = image["step"];
    const auto pixels = torch::cos(0.003 * torch::arange(3 * size * size, torch::kFloat64))
                            .to(torch::kFloat32)
                            .view({1, 3, size, size});
    const auto features = model.features(pixels)[0];
    const double allowed = 1e-5 * image["norm"].get<double>();
    const auto wanted = image["features"].get<std::vector<double>>();
    ASSERT_EQ(step * static_cast<std::int64_t>(wanted.size()), features.numel());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(features[step * static_cast<std::int64_t>(i)].item<double>(), wanted[i], allowed)
          << size << " px, feature " << step * static_cast<std::int64_t>(i);
  }
  Embedder other(make_backbone("deit-s16", 1, false), 8, 1);
  test::expect_error([&] { load_pretrained(other, "deit-s16", *path); }, {"holds weights of dinov2-vits14"});
}

}  // namespace
}  // namespace procsim::train
