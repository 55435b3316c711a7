// What a launch needs to be run again, for the recording: the memory that its parameters lead to.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/dim3.h"
#include "driver/state/gpu.h"

namespace warplens::driver {

struct RecordedShape {
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  bool cooperative = false;
};
// The memory of a launch that was noted.
struct RecordedMemory {
  std::vector<recording::MemoryNote> pieces;
};

// Before the launch. Empty: it is not recorded.
std::optional<RecordedMemory> record_launch(Gpu& device, const Function& function, const RecordedShape& shape,
                                            std::span<const std::byte> parameters);
// Behind it.
void record_end(Gpu& device, const RecordedMemory& recorded, bool fault);

}  // namespace warplens::driver
