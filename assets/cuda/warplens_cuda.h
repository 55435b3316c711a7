// The part of CUDA C++ that a source may use when clang compiles it, without NVIDIA's files: declarations
// after the CUDA C++ Programming Guide and the CUDA Math API, definitions by clang's builtins and by PTX
// instructions. It is included before each source (core/compile/clang.cpp).
#pragma once

#ifdef __CUDA__
#define __CUDACC__ 1
#endif

// Each header needs those above it.
// clang-format off
#include "parts/qualifiers.h"
#include "parts/vector_types.h"
// Programs in C and C++ that include CUDA's headers see only these.
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
