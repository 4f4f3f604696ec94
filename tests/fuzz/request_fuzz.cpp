#include "curate/review/request_reader.hpp"
#include "tests/fuzz/fuzz.hpp"

// The same bytes in one piece and in pieces of one give the same requests.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using procsim::curate::RequestReader;
  using State = RequestReader::State;
  const auto text = procsim::fuzz::text_of(bytes, size);
  const auto cut = [&](std::size_t piece) {
    RequestReader reader;
    std::string all;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      auto state = reader.add(text.substr(at, piece));
      for (; state == State::kComplete; state = reader.next()) all += reader.take();
      if (state == State::kRefused) return all + "|refused";
    }
    return all;
  };
  if (cut(text.size() + 1) != cut(1)) __builtin_trap();
  return 0;
}
