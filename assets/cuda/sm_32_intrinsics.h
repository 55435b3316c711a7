// The part of NVIDIA's header of this name that kernels use.
#pragma once
#include "warplens_cuda.h"
