// How long a rank waits for the others. NVIDIA's library waits for ever, which here would hide a mistake.
#pragma once

#include <mutex>

#include "cuda/stand_in/libraries/nccl/communicator.h"

namespace warplens::nccl {

// Whether the process has done nothing for so long that nobody comes any more. A call each time that the wait
// for a change was in vain.
class Patience {
 public:
  // Waits for a change or a tenth of a second. False: nothing has moved for five seconds.
  bool wait(std::unique_lock<std::mutex>& lock);

 private:
  int m_idle = 0;  // tenths of a second in a row, which do not count while the process is stopped
};

}  // namespace warplens::nccl
