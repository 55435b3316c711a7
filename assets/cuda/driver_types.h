// Types of CUDA's runtime API, of version 12, for C and C++.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define __DRIVER_TYPES_H__

// Each header needs those above it.
// clang-format off
#include "parts/qualifiers.h"
#include "parts/vector_types.h"
#include "runtime/error_codes.h"
#include "runtime/handles.h"
#include "runtime/enumerations.h"
#include "runtime/device_attributes.h"
#include "runtime/device_properties.h"
#include "runtime/structures.h"
#include "runtime/graph_structures.h"
