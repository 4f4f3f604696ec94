#pragma once

#include <memory>

#include "train/frame/method_parts.hpp"

namespace procsim::train {

// Contrastive loss over the batch and over the method's memory (mcl.cpp), for losses that build on it.
std::unique_ptr<Objective> make_memory_contrastive(MethodParts& parts);

}  // namespace procsim::train
