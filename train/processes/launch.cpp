#include "train/processes/launch.hpp"

#include <string_view>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"

namespace procsim::train {
namespace {

std::int64_t number(const char* name, std::string_view text, std::int64_t least, std::int64_t most) {
  const auto value = parse_number<std::int64_t>(text);
  if (!value || *value < least || *value > most)
    throw UsageError(fmt::format("{}={}: must be a whole number in [{}, {}]", name, text, least, most));
  return *value;
}

}  // namespace

std::optional<Launch> read_launch(const std::function<const char*(const char*)>& variable) {
  constexpr std::int64_t kMost = 1 << 20;
  const char* rank = variable("RANK");
  const char* size = variable("WORLD_SIZE");
  if (rank == nullptr && size == nullptr) return std::nullopt;
  const auto need = [&](const char* name, const char* given) {
    const char* value = variable(name);
    if (value == nullptr)
      throw UsageError(fmt::format(
          "{} is set and {} is not: a launcher sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT (unset "
          "{} to train in one process)",
          given, name, given));
    return value;
  };
  if (size == nullptr) need("WORLD_SIZE", "RANK");
  if (rank == nullptr) need("RANK", "WORLD_SIZE");
  Launch launch;
  launch.size = number("WORLD_SIZE", size, 1, kMost);
  launch.rank = number("RANK", rank, 0, kMost);
  if (launch.rank >= launch.size)
    throw UsageError(fmt::format("RANK={} with WORLD_SIZE={}: ranks are counted from 0, so the last is {}",
                                 launch.rank, launch.size, launch.size - 1));
  if (const char* attempt = variable("TORCHELASTIC_RESTART_COUNT"))
    launch.attempt = number("TORCHELASTIC_RESTART_COUNT", attempt, 0, kMost);
  const char* agent = variable("TORCHELASTIC_USE_AGENT_STORE");
  launch.store_is_there = agent != nullptr && std::string_view(agent) == "True";
  if (launch.size == 1 && !launch.store_is_there) return launch;
  launch.address = need("MASTER_ADDR", "WORLD_SIZE");
  launch.port =
      static_cast<std::uint16_t>(number("MASTER_PORT", need("MASTER_PORT", "WORLD_SIZE"), 1, 65535));
  return launch;
}

}  // namespace procsim::train
