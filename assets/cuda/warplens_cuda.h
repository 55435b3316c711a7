// What a CUDA C++ source may use when clang compiles it, without a file of NVIDIA's: declarations after the
// CUDA C++ Programming Guide and the CUDA Math API, definitions by clang's builtins and by instructions of
// PTX. It is included in front of each source (core/compile/clang.cpp).
#pragma once

#ifdef __CUDA__
#define __CUDACC__ 1
#endif

// Each needs those above it.
// clang-format off
#include "parts/qualifiers.h"
#include "parts/vector_types.h"
// Programs in C and C++ that include CUDA's headers see these alone.
#ifdef __CUDA__
#include "parts/builtin_variables.h"
#include "parts/constants.h"
#include "parts/bits.h"
#include "parts/simd.h"
#include "parts/math.h"
#include "parts/inverse_math.h"
#include "parts/bessel.h"
#include "parts/rounding.h"
#include "parts/atomics.h"
#include "parts/memory.h"
#include "parts/warp.h"
#include "parts/block.h"
#include "parts/textures.h"
#include "parts/surfaces.h"
#include "parts/calls.h"
#endif
