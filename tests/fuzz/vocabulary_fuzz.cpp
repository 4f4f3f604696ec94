#include "tests/fuzz/fuzz.hpp"
#include "train/language/word_piece.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  const fuzz::MemoryFile file(bytes, size);
  return fuzz::attempt([&] {
    const train::WordPiece pieces(file.path());
    pieces.encode(fuzz::text_of(bytes, size), 64);
  });
}
