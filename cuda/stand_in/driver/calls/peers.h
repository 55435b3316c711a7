// What kernels of one device may use of another's memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// Whether each can be let use the memory of the other: both have the same major compute capability (CUDA
// Driver API, cuCtxEnablePeerAccess).
bool are_peers(const DeviceState& one, const DeviceState& other);

// Whether kernels of the context may use the memory.
bool may_use(Gpu& device, const Context& context, const Block& block);
// " It is on device 1, …": why they may not, and what to do.
std::string words_on_reach(const Context& context, const Block& block);

// While it exists, what kernels of the context may not use is out of every kernel's reach.
class OutOfReach {
 public:
  OutOfReach(Gpu& device, const Context& context);
  ~OutOfReach();
  OutOfReach(OutOfReach&&) = delete;

 private:
  std::vector<std::pair<exec::Allocation*, uint64_t>> m_ends;
};

}  // namespace warplens::driver
