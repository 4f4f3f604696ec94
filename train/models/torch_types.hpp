#pragma once

// The tensor's name without LibTorch's headers: for headers that only hand tensors on, so that programs which
// include them compile in a second. Whoever makes or reads a tensor includes train/models/torch.hpp.
namespace at {
class Tensor;
}
namespace torch {
using at::Tensor;
}
