// Of NVIDIA's header of this name, what kernels use.
#pragma once
#include "curand_kernel.h"
