// CUDA's driver, loaded at run time. Building needs only its headers, and the same program runs with and
// without a GPU. Every entry is looked up with cuGetProcAddress, so that a newer driver gives the version of
// each function for which this program was written.
#pragma once

#include <cudaTypedefs.h>

#include <functional>
#include <string>

#include "core/base/result.h"

namespace warplens::cuda {

// The entries, with their names from cuda.h: driver.cuMemAlloc(&pointer, bytes). Tests fill this struct with
// functions of their own. Copies stay valid, since the library is never unloaded.
struct Driver {
#define CUDA_ENTRY(name, version) PFN_##name##_v##version name = nullptr;
#define CUDA_OPTIONAL(name, version) CUDA_ENTRY(name, version)
#include "cuda/device/driver/driver.def"
#undef CUDA_OPTIONAL
#undef CUDA_ENTRY

  // Finds an entry that is not in the list (those of cudaGL.h). Null if the driver has none.
  std::function<void*(const char* name, int version)> find;
  std::string path;  // of the library
  int version = 0;   // the newest CUDA version that the driver supports: 12090 is 12.9
};

// Loads libcuda and initialises it. The environment variable WARPLENS_CUDA_DRIVER may name another library;
// "none" means that no GPU is used. It fails if there is no driver or no device, or if the driver is too
// old. The errors are of kind missing and say what to do.
Result<Driver> load_driver();
// The same with the caller's own lookup function. It initialises the driver too.
Result<Driver> make_driver(std::function<void*(const char* name, int version)> find);

// "12.9" for 12090.
std::string version_text(int version);

}  // namespace warplens::cuda
