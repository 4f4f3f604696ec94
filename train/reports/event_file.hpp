#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "train/reports/epoch_record.hpp"

namespace procsim::train {

// CRC-32C (Castagnoli), as TFRecord files use it.
std::uint32_t crc32c(std::string_view bytes);

// A run's metrics as a TensorBoard event file: a scalar per metric and epoch. The wall time of an event is
// its epoch, so that the same run gives the same bytes.
std::string tensorboard_events(std::span<const EpochRecord> records);

// The name that TensorBoard looks for.
inline constexpr std::string_view kEventFileName = "events.out.tfevents.0.procsim";

}  // namespace procsim::train
