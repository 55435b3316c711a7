// Which calls for copies and memsets make the host wait: CUDA Runtime API, "API synchronization behavior".
#pragma once

#include <cstdint>

namespace warplens::streams {

enum class Memory : uint8_t { pageable, pinned, managed, device };

enum class HostWaits : uint8_t {
  no,
  for_earlier,  // for what the stream was given before; the copy itself may still go on
  until_done
};

// `async`: the function's name ends in Async. The page of CUDA 11 is taken: today's leaves open what that one
// says of managed and of pageable memory ("might be synchronous"), and a right program may rely on it.
HostWaits waits_of_copy(bool async, Memory to, Memory from);
HostWaits waits_of_set(bool async, Memory to);

}  // namespace warplens::streams
