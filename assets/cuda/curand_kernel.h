// cuRAND's device API: cuRAND documentation, "Device API". Whole and uniform numbers are those of NVIDIA's
// header bit for bit; what they rest on is published, and random/constants.h says where. docs/clang.md says
// what there is not.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define CURAND_KERNEL_H_
#include "curand.h"
#include "random/states.h"
#ifdef __CUDA__
#include "warplens_cuda.h"
// Each header needs those above it.
// clang-format off
#include "random/xorwow.h"
#include "random/philox.h"
#include "random/mrg32k3a.h"
#include "random/sobol.h"
#include "random/uniform.h"
#include "random/normal.h"
#include "random/poisson.h"
#include "random/absent.h"
#endif
