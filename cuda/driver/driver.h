// CUDA's driver, loaded at run time: building needs its headers only, and the same program runs with and
// without a GPU. Every entry comes through cuGetProcAddress, so that a newer driver hands out the version of
// each function that this program was written for.
#pragma once

#include <cudaTypedefs.h>

#include <functional>
#include <string>

#include "core/base/result.h"

namespace warplens::cuda {

// The entries, each under the name that cuda.h gives it: driver.cuMemAlloc(&pointer, bytes). A plain value:
// tests fill one with functions of their own. Copies stay valid, since the library is never unloaded.
struct Driver {
#define CUDA_ENTRY(name, version) PFN_##name##_v##version name = nullptr;
#define CUDA_OPTIONAL(name, version) CUDA_ENTRY(name, version)
#include "cuda/driver/driver.def"
#undef CUDA_OPTIONAL
#undef CUDA_ENTRY

  // An entry that is not in the list (those of cudaGL.h); null where the driver has none.
  std::function<void*(const char* name, int version)> find;
  std::string path;  // of the library
  int version = 0;   // the newest CUDA version that the driver serves: 12090 is 12.9
};

// Loads libcuda (or what the environment's WARPLENS_CUDA_DRIVER names; "none" leaves every GPU alone) and
// initialises it. Errors are of kind missing and say what to do: no driver, one that is too old, no device.
Result<Driver> load_driver();
// The same with a lookup of the caller's; initialises as well.
Result<Driver> make_driver(std::function<void*(const char* name, int version)> find);

// "12.9" for 12090.
std::string version_text(int version);

}  // namespace warplens::cuda
