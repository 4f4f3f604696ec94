#pragma once

#include "train/guidance/guidance.hpp"
#include "train/reports/run_page.hpp"

namespace procsim::train {

// At most 200 of the training classes, evenly spread over their order in the taxonomy (class_order.hpp).
// `embeddings`: a row per training sample.
GuidanceView make_guidance_view(const Guidance& guidance, const TrainData& data,
                                const torch::Tensor& embeddings);

}  // namespace procsim::train
