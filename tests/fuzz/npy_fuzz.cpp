#include "data/files/npy.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  const fuzz::MemoryFile file(bytes, size);
  return fuzz::attempt([&] {
    NpyMatrix matrix(file.path());
    std::vector<double> row;
    for (int i = 0; i < 1000 && matrix.next(row); ++i) {
    }
  });
}
