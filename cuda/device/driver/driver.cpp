#include "cuda/device/driver/driver.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "core/system/library.h"
#include "cuda/device/driver/driver_library.h"
#include "cuda/device/driver/error.h"

namespace warplens::cuda {

namespace {

using Find = std::function<void*(const char*, int)>;

// The type of cuGetProcAddress. CUDA 12.0 added its last parameter under a second name.
using GetProcAddress = PFN_cuGetProcAddress_v11030;
using GetProcAddress2 = PFN_cuGetProcAddress_v12000;

Result<Find> finder(const DynamicLibrary& library) {
  using Second = std::remove_pointer_t<GetProcAddress2>;
  using First = std::remove_pointer_t<GetProcAddress>;
  if (Second* get = library.function<Second>("cuGetProcAddress_v2")) {
    return Find([get](const char* name, int version) -> void* {
      void* entry = nullptr;
      CUdriverProcAddressQueryResult why{};
      if (get(name, &entry, version, CU_GET_PROC_ADDRESS_DEFAULT, &why) != CUDA_SUCCESS) return nullptr;
      return why == CU_GET_PROC_ADDRESS_SUCCESS ? entry : nullptr;
    });
  }
  if (First* get = library.function<First>("cuGetProcAddress")) {
    return Find([get](const char* name, int version) -> void* {
      void* entry = nullptr;
      if (get(name, &entry, version, CU_GET_PROC_ADDRESS_DEFAULT) != CUDA_SUCCESS) return nullptr;
      return entry;
    });
  }
  return missing(fmt::format(
      "NVIDIA's driver {} is older than CUDA 11.3: update it to use the GPU. The virtual GPUs need none.",
      library.path()));
}

template <class Function>
void take(const Find& find, const char* name, int version, Function& entry, std::string* lacking) {
  entry = reinterpret_cast<Function>(find(name, version));
  if (entry != nullptr || lacking == nullptr) return;
  *lacking += (lacking->empty() ? "" : ", ") + std::string(name);
}

void take_all(Driver& driver, std::string& lacking) {
#define CUDA_ENTRY(name, version) take(driver.find, #name, version, driver.name, &lacking);
#define CUDA_OPTIONAL(name, version) take(driver.find, #name, version, driver.name, nullptr);
#include "cuda/device/driver/driver.def"
#undef CUDA_OPTIONAL
#undef CUDA_ENTRY
}

}  // namespace

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

Result<Driver> make_driver(Find find) {
  Driver driver;
  driver.find = std::move(find);
  std::string lacking;
  take_all(driver, lacking);
  if (!lacking.empty())
    return missing(
        fmt::format("NVIDIA's driver is too old for this program, it lacks {}: update it to use the GPU. The "
                    "virtual GPUs need none.",
                    lacking));
  const CUresult started = driver.cuInit(0);
  if (started == CUDA_ERROR_NO_DEVICE) return missing("NVIDIA's driver is there, but it finds no GPU.");
  if (started != CUDA_SUCCESS)
    return missing(
        fmt::format("NVIDIA's driver does not start: {}. Restarting the machine helps where the "
                    "driver was just updated.",
                    describe(driver, started)));
  if (driver.cuDriverGetVersion(&driver.version) != CUDA_SUCCESS) driver.version = 0;
  return driver;
}

Result<Driver> load_driver() {
  std::vector<std::string> names = driver_library_names();
  const char* wanted = std::getenv("WARPLENS_CUDA_DRIVER");
  if (wanted != nullptr && *wanted != '\0') {
    if (std::string(wanted) == "none")
      return missing("Real GPUs are left alone, because WARPLENS_CUDA_DRIVER is set to none.");
    names = {wanted};
  }
  const Result<DynamicLibrary> library = DynamicLibrary::open_first(names);
  if (!library)
    return missing(fmt::format(
        "This machine has no NVIDIA driver, so there is no real GPU to use; the virtual GPUs need none. ({})",
        library.error().message));
  Result<Find> find = finder(*library);
  if (!find) return find.error();
  Result<Driver> driver = make_driver(std::move(*find));
  if (driver) driver->path = library->path();
  return driver;
}

}  // namespace warplens::cuda
