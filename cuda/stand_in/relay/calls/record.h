// What a launch on a real GPU needs to be run again on the virtual one: its text, its parameters and the
// memory that they lead to, read from the device before and after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/dim3.h"
#include "cuda/stand_in/relay/state/program.h"

namespace warplens::relay {

struct LaunchShape {
  Dim3 grid, block;
  uint32_t shared_bytes = 0;  // dynamic
  bool cooperative = false, clusters = false;
};

struct RecordedMemory {
  struct Array {
    std::string name, symbol;
    const char* kind = "device";
    uint64_t address = 0;             // as the recording has it
    CUdeviceptr device_address = 0;   // where it is read
    const std::byte* host = nullptr;  // where it is read instead
    std::vector<std::byte> bytes;
  };
  std::vector<Array> pieces;
  std::vector<recording::MemoryNote> notes() const;
};

// Before the launch, which has the device to itself until record_end. Empty: it is not recorded.
std::optional<RecordedMemory> record_launch(Program& notes, Function& function, const LaunchShape& shape,
                                            void** each, void** extra);
void record_end(Program& notes, RecordedMemory& recorded);

}  // namespace warplens::relay
