// Where in a stepped block a fault or finding of a run happens.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/gpu/stepping/block_stepper.h"

namespace warplens::stepping {

// The bytes that an incident is about, at the addresses that the stepped block sees, which may be others than
// those of the run. Empty if it has none.
struct IncidentBytes {
  Space space = Space::global;
  uint64_t address = 0, bytes = 0;
};
std::optional<IncidentBytes> bytes_of(const BlockStepper& stepper, const Incident& incident);

// The position before the instruction by which the incident's thread did it: the first access to its bytes in
// its line; without bytes, the first instruction of the line that it ran. Empty if the block does not come
// there, or if it is an incident of another block. The stepper stays where it is; what was not recorded yet
// is run until the incident is found. The block must have no breakpoints.
std::optional<uint64_t> position_of(BlockStepper& stepper, const Incident& incident,
                                    const std::stop_token& stop = {});

}  // namespace warplens::stepping
