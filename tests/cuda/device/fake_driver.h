// A fake driver for tests: its memory is the host's, a launch calls a function, all objects are counted, and
// any call can be made to fail. There is only one at a time, since CUDA's functions have no state argument.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cuda/device/driver/driver.h"

namespace warplens::cuda {

struct FakeState {
  std::vector<std::string> calls;                    // in order, without calls that only create events
  std::map<std::string, CUresult> failures;          // by function: its result from now on
  std::map<std::string, int> alive;                  // counts of contexts, modules, memory, host, streams
  std::function<CUresult(void** arguments)> kernel;  // called immediately by a launch
  CUresult broken = CUDA_SUCCESS;                    // the result of every call after a sticky error
  size_t arguments = 3;                              // of each kernel
  int total_alive() const {
    int sum = 0;
    for (const auto& [what, count] : alive) sum += count;
    return sum;
  }
};

FakeState& fake();   // the one of the running test
Driver make_fake();  // also resets the state

}  // namespace warplens::cuda
