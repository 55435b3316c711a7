// The first bytes of a kernel's buffers.
#pragma once

#include <cstdint>

#include "core/kernels/catalogue.h"

namespace warplens {

// The bits of `value` in a type, in the low bytes: integers wrap, floats round to nearest.
uint64_t encode_scalar(double value, DType type);

Bytes fill_values(DType type, const std::vector<double>& values);
// `index`: element i is i. `random`: uniform in [low, high), integers too; element i depends on seed, stream
// and i alone, so that the data is the same on every machine and a longer buffer begins like a shorter one.
Bytes fill_index(DType type, uint64_t elements);
Bytes fill_random(DType type, uint64_t elements, double low, double high, uint64_t seed, uint64_t stream);

}  // namespace warplens
