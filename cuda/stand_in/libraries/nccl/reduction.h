// Elements of NCCL's types, as bytes of the host.
#pragma once

#include <cstddef>
#include <vector>

#include "cuda/stand_in/libraries/nccl/types.h"

namespace warplens::nccl {

using Bytes = std::vector<std::byte>;

const char* name_of(ncclDataType_t type);  // "float32"; null: it is not supported
const char* name_of(ncclRedOp_t op);       // "sum"
size_t size_of(ncclDataType_t type);
bool is_floating(ncclDataType_t type);

// into[i] = into[i] op next[i], rounded to the type. An average is a sum.
void combine(ncclDataType_t type, ncclRedOp_t op, Bytes& into, const Bytes& next);
void multiply(ncclDataType_t type, Bytes& elements, const std::byte* factor);
// What elements are multiplied by before the sum of an average; of integers the sum is divided.
Bytes share_of_average(ncclDataType_t type, size_t ranks);
void divide(ncclDataType_t type, Bytes& sums, size_t ranks);

}  // namespace warplens::nccl
