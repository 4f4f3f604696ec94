#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace procsim::train {

// How the …-best presets train the last blocks of a pretrained backbone in minutes on two cores. Chosen for
// their time: what other stages and sizes give has not been measured (docs/results.md).
struct FineTuning {
  std::string backbone;
  std::string train_from;
  std::int64_t image_size = 224;
  double centre_crop = 0.875;
};

const std::vector<FineTuning>& fine_tunings();
// Null for a backbone that nobody tried.
const FineTuning* find_fine_tuning(std::string_view backbone);

// Whether a preset of this name and backbone is for whichever of them is the best whose weights are there.
bool takes_best_backbone(std::string_view preset, std::string_view backbone);

}  // namespace procsim::train
