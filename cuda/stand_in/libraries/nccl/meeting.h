// Where the parts of all ranks meet: they are compared, and run as work of each rank's stream.
#pragma once

#include <mutex>

#include "cuda/stand_in/libraries/nccl/communicator.h"

namespace warplens::nccl {

// With the lock of the communicators: puts a part where those of the other ranks are looked for.
void post(Part part);
// Whether a part still waits for other ranks.
bool is_waiting(const Part& part);
// Runs what all ranks have given, without the lock, and tells those that wait.
void run_what_is_ready(std::unique_lock<std::mutex>& lock, Clique& clique);

}  // namespace warplens::nccl
