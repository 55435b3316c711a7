// A driver of the tests' own: memory is the host's, a launch calls a function, everything that is made is
// counted, and any call can be made to fail. There is one at a time, since CUDA's entries carry no state.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cuda/driver/driver.h"

namespace warplens::cuda {

struct FakeState {
  std::vector<std::string> calls;                    // in order, without those that only make events
  std::map<std::string, CUresult> failures;          // by entry: answers this from now on
  std::map<std::string, int> alive;                  // contexts, modules, memory, host, streams, events
  std::function<CUresult(void** arguments)> kernel;  // what a launch does, at once
  CUresult broken = CUDA_SUCCESS;                    // what every call answers after a sticky error
  size_t arguments = 3;                              // of each kernel
  int total_alive() const {
    int sum = 0;
    for (const auto& [what, count] : alive) sum += count;
    return sum;
  }
};

FakeState& fake();   // of the running test
Driver make_fake();  // clears it

}  // namespace warplens::cuda
