#include "data/images/image.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  const auto text = fuzz::text_of(bytes, size);
  return fuzz::attempt([&] {
    const auto found = image_size(text, "fuzz");
    if (std::int64_t{found.width} * found.height < 4'000'000)
      decode_image(text, "fuzz", {.shorter_side = 64});
  });
}
