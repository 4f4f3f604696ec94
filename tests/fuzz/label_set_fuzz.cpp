#include "data/labels/label_set.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  const fuzz::MemoryFile file(bytes, size);
  return fuzz::attempt([&] {
    LabelSetReader reader(file.path());
    while (reader.next()) {
    }
  });
}
