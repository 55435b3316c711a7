// Types of CUDA's runtime API, of version 12, for C and C++.
#pragma once

// Each needs those above it.
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
