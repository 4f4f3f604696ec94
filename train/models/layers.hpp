#pragma once

// What backbones are made of. Apart from torch.hpp: only they pay for these headers.
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/normalization.h>
