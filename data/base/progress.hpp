#pragma once

#include <cstdint>
#include <functional>

namespace procsim {

// Called now and then by long work with (done, total); total is 0 when it is not known. Empty when nobody
// looks.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace procsim
