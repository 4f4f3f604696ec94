#include "data/files/mat_file.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  const fuzz::MemoryFile file(bytes, size);
  return fuzz::attempt([&] {
    const MatFile mat(file.path());
    if (mat.has("annotations")) mat.structs("annotations");
    if (mat.has("class_names")) mat.texts("class_names");
  });
}
