#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace procsim {

// Philox4x32-10 (Salmon et al., SC 2011), the counter-based generator that Random123, JAX and PyTorch use:
// ten rounds turn a 128-bit counter and a 64-bit key into 128 random bits, with no state between calls.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// A short sequence of draws that belongs to one thing (a sample, say). Copy it to draw the same again.
class Draws {
 public:
  Draws(std::array<std::uint32_t, 2> key, std::uint64_t id) : key_(key), id_(id) {}

  std::uint64_t next_bits();                 // 64 uniform bits
  double uniform();                          // in [0, 1), 53 bits
  std::uint64_t below(std::uint64_t bound);  // unbiased in [0, bound); bound > 0
  double normal();                           // mean 0, variance 1

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint64_t id_;
  std::uint64_t block_ = 0;
  std::array<std::uint32_t, 4> words_{};
  unsigned used_ = 4;
};

// Random numbers by key: a draw depends only on (seed, what it is for, id), never on the order in which draws
// are made. `purpose` is part of the file formats: changing one of its strings changes every file made with
// it.
class KeyedRandom {
 public:
  KeyedRandom(std::uint64_t seed, std::string_view purpose);

  Draws for_id(std::int64_t id) const { return {key_, static_cast<std::uint64_t>(id)}; }

 private:
  std::array<std::uint32_t, 2> key_;
};

}  // namespace procsim
