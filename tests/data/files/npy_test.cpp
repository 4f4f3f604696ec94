#include "data/files/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::error_of;
using testing::HasSubstr;

TEST(NpyIntegers, ReadsWhatNumpyWrites) {
  const test::TemporaryFolder folder;
  const std::string script =
      "import numpy as n\n"
      "for t in ['<i8','>i4','<i2','|i1','<u4','|u1']:\n"
      "  n.save(t[1:]+'.npy', n.array([3,0,99,7]).astype(t))\n"
      "n.save('negative.npy', n.array([-1,5]).astype('<i4'))\n"
      "n.save('float.npy', n.array([1.5]))\n"
      "n.save('square.npy', n.zeros((2,2),dtype='<i8'))\n"
      "n.save('pickle.npy', {'worse_label': n.array([1])}, allow_pickle=True)\n";
  const auto made =
      test::run_program(test::python_program().string(), {"-c", script}, {folder.path(), {}, {}});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const auto* name : {"i8.npy", "i4.npy", "i2.npy", "i1.npy", "u4.npy", "u1.npy"}) {
    EXPECT_EQ(read_npy_integers(folder / name), (std::vector<std::int64_t>{3, 0, 99, 7})) << name;
  }
  EXPECT_EQ(read_npy_integers(folder / "negative.npy"), (std::vector<std::int64_t>{-1, 5}));
  EXPECT_THAT(error_of([&] { read_npy_integers(folder / "float.npy"); }), HasSubstr("integers"));
  EXPECT_THAT(error_of([&] { read_npy_integers(folder / "square.npy"); }), HasSubstr("one dimension"));
  EXPECT_THAT(error_of([&] { read_npy_integers(folder / "pickle.npy"); }), HasSubstr("pickle"));
  folder.write("torch.pt", "PK\x03\x04 whatever");
  EXPECT_THAT(error_of([&] { read_npy_integers(folder / "torch.pt"); }), HasSubstr("pickle"));
}

TEST(NpyIntegers, RefusesTruncatedFiles) {
  const test::TemporaryFolder folder;
  const std::string header = "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  for (const auto& content :
       {file.substr(0, 4), file, file + header.substr(0, 20), file + header + "12345678"}) {
    EXPECT_NE(error_of([&] { read_npy_integers(folder.write("x.npy", content)); }), "(no error)");
  }
}

TEST(NpyMatrix, ReadsRowByRowWhatNumpyWrites) {
  const test::TemporaryFolder folder;
  const std::string script =
      "import numpy as n\n"
      "m = n.arange(6).reshape(3, 2) / 4\n"
      "n.save('f4.npy', m.astype('<f4')); n.save('f8.npy', m)\n"
      "n.save('cube.npy', n.zeros((2, 2, 2)))\n";
  const auto made =
      test::run_program(test::python_program().string(), {"-c", script}, {folder.path(), {}, {}});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const auto* name : {"f4.npy", "f8.npy"}) {
    NpyMatrix matrix(folder / name);
    EXPECT_EQ(matrix.rows(), 3) << name;
    EXPECT_EQ(matrix.columns(), 2) << name;
    std::vector<double> row;
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(matrix.next(row)) << name;
      EXPECT_EQ(row, (std::vector<double>{0.5 * i, 0.5 * i + 0.25})) << name;
    }
    EXPECT_FALSE(matrix.next(row)) << name;
  }
  EXPECT_THAT(error_of([&] { NpyMatrix(folder / "cube.npy"); }), HasSubstr("(2, 2, 2)"));
}

}  // namespace
}  // namespace procsim
