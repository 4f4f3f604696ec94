#include "data/base/keyed_random.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <string>

#include "data/base/digest.hpp"

namespace procsim {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint64_t Draws::next_bits() {
  if (used_ == 4) {
    words_ = philox4x32({static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32),
                         static_cast<std::uint32_t>(id_), static_cast<std::uint32_t>(id_ >> 32)},
                        key_);
    ++block_;
    used_ = 0;
  }
  const std::uint64_t bits = std::uint64_t{words_[used_]} << 32 | words_[used_ + 1];
  used_ += 2;
  return bits;
}

double Draws::uniform() { return static_cast<double>(next_bits() >> 11) * 0x1p-53; }

std::uint64_t Draws::below(std::uint64_t bound) {
  // Multiply and shift; the few values that would make some results likelier are drawn again (Lemire 2019).
  __extension__ using Wide = unsigned __int128;
  Wide product = Wide{next_bits()} * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = Wide{next_bits()} * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Draws::normal() {
  // Box-Muller, one of the pair: simple, exact, and the second draw is not kept so that copies stay equal.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

KeyedRandom::KeyedRandom(std::uint64_t seed, std::string_view purpose) {
  const auto digest = sha256_hex(std::to_string(seed) + "\n" + std::string(purpose));
  std::from_chars(digest.data(), digest.data() + 8, key_[0], 16);
  std::from_chars(digest.data() + 8, digest.data() + 16, key_[1], 16);
}

}  // namespace procsim
