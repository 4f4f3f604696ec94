#include "taxonomy/tree/taxonomy.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  return fuzz::attempt([&] { taxonomy::Taxonomy::from_json(fuzz::text_of(bytes, size), "fuzz"); });
}
