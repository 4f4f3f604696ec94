#include "taxonomy/import/imported_tree.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  return fuzz::attempt([&] { taxonomy::read_obo_tree(fuzz::text_of(bytes, size), "fuzz"); });
}
