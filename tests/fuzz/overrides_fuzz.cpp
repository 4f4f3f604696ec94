#include "taxonomy/resolve/overrides.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  return fuzz::attempt([&] { taxonomy::parse_overrides(fuzz::text_of(bytes, size), "fuzz"); });
}
