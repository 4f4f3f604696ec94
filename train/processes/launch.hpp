#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace procsim::train {

// Which process of a run this is and where the others are met, as torchrun and other launchers say it.
struct Launch {
  std::int64_t rank = 0;
  std::int64_t size = 1;
  std::string address;  // empty for one process
  std::uint16_t port = 0;
  bool store_is_there = false;  // torchrun's agent keeps the meeting place: nobody has to open it
  std::int64_t attempt = 0;     // how often torchrun has started all of them again
};

// From RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT and torchrun's TORCHELASTIC_…; `variable` gives the value
// of one, null where it is not set. None where neither RANK nor WORLD_SIZE is set: no launcher. Throws
// UsageError for what is missing or makes no sense.
std::optional<Launch> read_launch(const std::function<const char*(const char*)>& variable);

}  // namespace procsim::train
