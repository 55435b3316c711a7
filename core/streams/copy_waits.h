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

// `async`: the function's name ends in Async. What "might be synchronous" counts as not. Of managed memory
// the page says nothing; calls that are not asynchronous count as waiting until they are done.
HostWaits waits_of_copy(bool async, Memory to, Memory from);
HostWaits waits_of_set(bool async, Memory to);

}  // namespace warplens::streams
