// The first bytes of a kernel's buffers.
#pragma once

#include <cstdint>
#include <span>

#include "core/expression/value.h"
#include "core/kernels/catalogue.h"

namespace warplens {

// The bits of `value` in a type, in the low bytes. Integers wrap; floats round to nearest.
uint64_t encode_scalar(expression::Value value, DType type);

// Writes the values to the elements from `first` on.
void fill_values(DType type, std::span<const expression::Value> values, uint64_t first, Bytes& bytes);
// fill_index: element i is i. fill_random: uniform in [low, high), for integers too. Element i depends only
// on seed, stream and i, so the data is the same on every machine, and a longer buffer begins like a shorter
// one.
Bytes fill_index(DType type, uint64_t elements);
Bytes fill_random(DType type, uint64_t elements, double low, double high, uint64_t seed, uint64_t stream);

}  // namespace warplens
