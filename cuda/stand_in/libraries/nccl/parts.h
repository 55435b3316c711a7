// What ranks have given, as work of their streams.
#pragma once

#include <string>
#include <vector>

#include "cuda/stand_in/libraries/nccl/communicator.h"
#include "cuda/stand_in/libraries/nccl/reduction.h"
#include "cuda/stand_in/libraries/shared/memory.h"

namespace warplens::nccl {

struct Pair {
  Part send, receive;
};

// "1024 × float32".
std::string elements_of(const Part& part);
inline size_t bytes_of(const Part& part) { return part.count * size_of(part.type); }

// Whether the memory was there.
bool read_bytes(const libraries::Memory& memory, const void* address, size_t bytes, Bytes& to);
bool write_bytes(const libraries::Memory& memory, void* address, const std::byte* from, size_t bytes);

// A collective: the parts of all ranks, in their order.
CUresult run_collective(const std::vector<Part>& parts);
// Sends and receives, all at the same time.
CUresult run_pairs(const std::vector<Pair>& pairs);

}  // namespace warplens::nccl
