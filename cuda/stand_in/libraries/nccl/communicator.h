// Communicators: the ranks of a clique are devices of this process. What they are to do together waits in the
// clique until all ranks have given their part.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/stand_in/libraries/nccl/errors.h"

namespace warplens::nccl {

struct Clique;

// ncclRedOpCreatePreMulSum: what a rank multiplies its elements by, before the sum.
struct Factor {
  ncclDataType_t type{};
  const void* on_device = nullptr;  // read when the work runs; null: the bytes are here
  std::vector<std::byte> bytes;
};

enum class Kind : uint8_t { all_reduce, reduce, broadcast, all_gather, reduce_scatter, send, receive };

// What waits for one group of a thread.
struct Ticket {
  int open = 0;  // parts that have not run
  ncclResult_t result = ncclSuccess;
};

// What one rank gives to an operation of its clique.
struct Part {
  Kind kind{};
  const char* name = nullptr;  // "ncclAllReduce"
  const void* from = nullptr;  // null where this rank gives or gets nothing
  void* to = nullptr;
  size_t count = 0;  // as the function takes it: of ReduceScatter and AllGather for one rank
  ncclDataType_t type{};
  ncclRedOp_t op = ncclSum;
  std::shared_ptr<const Factor> factor;  // of a program's own operator
  int peer = 0;                          // the root, or the other rank of a send or receive
  ncclComm* comm = nullptr;
  CUstream stream = nullptr;
  std::shared_ptr<Ticket> ticket;
};

struct Clique {
  std::vector<ncclComm*> ranks;  // null: has not come yet
  size_t joined = 0;
  bool runs = false;    // a thread runs what is ready, without the lock
  std::string failure;  // why nothing more can be done together; empty: it can
  ncclResult_t code = ncclSuccess;
  std::vector<std::deque<Part>> collectives;                        // of each rank, in its order
  std::map<std::pair<int, int>, std::deque<Part>> sends, receives;  // by sender and receiver
};

}  // namespace warplens::nccl

struct ncclComm {
  std::shared_ptr<warplens::nccl::Clique> clique;
  int rank = 0, device = 0;
  CUcontext context = nullptr;
  std::map<int, std::shared_ptr<const warplens::nccl::Factor>> operators;
  int next_operator = ncclNumOps;
};

namespace warplens::nccl {

// All communicators of the process, and what guards them. Nothing of the driver is called with the lock: it
// may take Python's, which another thread holds that waits here.
struct Communicators {
  std::mutex mutex;
  std::condition_variable changed;  // a rank has come, or work has run
  std::set<const ncclComm*> alive;
  std::map<uint64_t, std::shared_ptr<Clique>>
      cliques;  // by the number in their ncclUniqueId, until all have come
  uint64_t ids = 0;
};
Communicators& communicators();  // it is never destroyed

// Ends a communicator that nothing else names any more, without the lock.
void release(ncclComm* comm);

// A communicator that is given to a function: its code if it is none.
ncclResult_t check_communicator(const char* name, const ncclComm* comm);

// While it exists, the communicator's device is this thread's.
class OnDevice {
 public:
  explicit OnDevice(const ncclComm& comm) { cuCtxPushCurrent(comm.context); }
  ~OnDevice() {
    CUcontext old = nullptr;
    cuCtxPopCurrent(&old);
  }
  OnDevice(OnDevice&&) = delete;
};

}  // namespace warplens::nccl
