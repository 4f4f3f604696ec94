#include "data/labels/scores.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  const fuzz::MemoryFile file(bytes, size);
  return fuzz::attempt([&] {
    ScoresReader reader(file.path());
    while (!reader.next().empty()) {
    }
  });
}
