// Work of several devices, each in its own stream.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cuda/stand_in/driver/exchange_call.h"
#include "cuda/stand_in/libraries/nccl/communicator.h"
#include "cuda/stand_in/libraries/shared/work.h"

namespace warplens::nccl {

// What one device does. Nothing is written before all have read, so that a program may give the same memory
// for both.
struct Member {
  const ncclComm* comm = nullptr;
  CUstream stream = nullptr;
  libraries::Call call;
  warplens_exchange moved{};
  // Each returns whether all memory was there.
  std::function<bool(const libraries::Memory&)> read, write;
};

// The streams of all members wait for each other before what they read and before what they write.
CUresult run_exchange(const std::vector<Member>& members);

}  // namespace warplens::nccl
