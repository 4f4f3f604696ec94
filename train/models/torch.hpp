#pragma once

// LibTorch as train/ uses it, precompiled: without that every source takes half a minute.
// The Python wheel's headers are noisy under -Wpedantic only where they are not SYSTEM; here they are.
#include <torch/torch.h>
