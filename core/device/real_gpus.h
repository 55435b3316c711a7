// The real GPUs of this machine. Core is given a function that finds them, since it does not depend on
// cuda/.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.h"

namespace warplens {

struct RealGpus {
  std::vector<Device> devices;  // their ids are cuda:0, cuda:1, …
  std::string none;             // why there are none; empty if there are any
};

// Looks for GPUs. It loads a driver, which takes a moment. Null if the program was built without CUDA.
using FindRealGpus = std::function<RealGpus()>;
RealGpus find_real_gpus(const FindRealGpus& find);

// "cuda:0" names a real GPU; any other name is a virtual one (find_device). An empty name means the first
// real GPU if there is one, otherwise the first virtual one.
Result<Device> find_device(std::string_view name, const FindRealGpus& find);

// The virtual device that replaces a real one when its launches are run again: the one with the same name,
// else with the same compute capability or the nearest lower one, else the first.
Device twin_of(const Device& real);

}  // namespace warplens
