// Of NVIDIA's header of this name, what kernels use.
#pragma once
#include "warplens_cuda.h"
