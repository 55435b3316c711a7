#include "cuda/stand_in/driver/state/host_calls.h"

#include <dlfcn.h>

#include <csignal>
#include <mutex>

#include "cuda/stand_in/driver/preload/host_calls.h"
#include "cuda/stand_in/driver/state/gpu.h"
#include "cuda/stand_in/driver/state/host_guards.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

// Our own calls protect pages too: they hold the device's lock, or are no call of the program's.
void protects(uintptr_t begin, uintptr_t end) {
  Gpu* device = gpu();
  if (device == nullptr || in_host_call()) return;
  const std::unique_lock lock(device->mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (auto& [address, block] : device->blocks)
    if (address < end && begin < address + block.bytes) {
      open_pages(address, address + block.bytes);
      block.never_guarded = true;
    }
}

constexpr WarpLensHostCalls calls{
    [](uintptr_t begin, uintptr_t end, int writes) { return uintptr_t{guarded_in(begin, end, writes != 0)}; },
    [](int signal) {
      if (signal == SIGSEGV) open_all_pages();
    },
    protects};

}  // namespace

void watch_host_calls() {
  using Watch = void (*)(const WarpLensHostCalls*);
  if (const auto watch = reinterpret_cast<Watch>(dlsym(RTLD_DEFAULT, WARPLENS_WATCH_HOST_CALLS)))
    watch(&calls);
}

}  // namespace warplens::driver
