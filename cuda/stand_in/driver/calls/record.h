// The part of a launch's recording that running it again needs: the memory that its parameters lead to.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/dim3.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

struct RecordedShape {
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  bool cooperative = false;
};
// The memory of a recorded launch.
struct RecordedMemory {
  std::vector<recording::MemoryNote> pieces;
};

// Call it before the launch. Empty if it is not recorded.
std::optional<RecordedMemory> record_launch(Gpu& device, const Function& function, const RecordedShape& shape,
                                            std::span<const std::byte> parameters);
// Call it after the launch.
void record_end(Gpu& device, const RecordedMemory& recorded, bool fault);

}  // namespace warplens::driver
