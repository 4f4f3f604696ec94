#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {

// A TorchScript module of one convolution with five features, made by PyTorch.
inline std::string write_torchscript(const TemporaryFolder& folder, const std::string& name) {
  const auto file = (folder / name).string();
  const std::string make =
      "import torch\nclass N(torch.nn.Module):\n  def __init__(s):\n    super().__init__(); "
      "s.c=torch.nn.Conv2d(3,5,3)\n"
      "  def forward(s,x):\n    return s.c(x)\ntorch.jit.script(N()).save(r'" +
      file + "')";
  const auto made = run_program(python_program().string(), {folder.write("make.py", make).string()});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  return file;
}

}  // namespace procsim::test
