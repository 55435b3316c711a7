// NVIDIA's header, with every version of every function under its own name (cuMemAlloc_v2), as the library
// exports them. Only its declarations are used.
#pragma once

#define __CUDA_API_VERSION_INTERNAL
#include <cudaTypedefs.h>
