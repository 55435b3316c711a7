// The GPUs of this machine, as whoever joins the program found them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.h"

namespace warplens {

struct RealGpus {
  std::vector<Device> devices;  // their ids are cuda:0, cuda:1, …
  std::string none;             // why there are none; empty where there are
};

// Looks for them, which loads a driver and takes a moment. Null: the program was built without CUDA.
using FindRealGpus = std::function<RealGpus()>;
RealGpus find_real_gpus(const FindRealGpus& find);

// "cuda:0" is a real GPU, any other name a virtual one (find_device); empty: the first real GPU, where there
// is one, else the first virtual one.
Result<Device> find_device(std::string_view name, const FindRealGpus& find);

}  // namespace warplens
