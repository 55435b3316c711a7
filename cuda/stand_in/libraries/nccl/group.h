// Groups of calls, and the waiting of ranks for each other.
#pragma once

#include "cuda/stand_in/libraries/nccl/communicator.h"

namespace warplens::nccl {

// A rank that joins its clique; `where` is the program's variable, which loses it if that fails.
struct Join {
  ncclComm* comm = nullptr;
  ncclComm** where = nullptr;
};

// At the end of this thread's group; without a group, now.
ncclResult_t give_join(Join join);
ncclResult_t give_part(Part part);
// What a call of a group returns: with an error the whole group is given up at its end.
ncclResult_t note_in_group(ncclResult_t code);

void begin_group();
ncclResult_t end_group();

}  // namespace warplens::nccl
