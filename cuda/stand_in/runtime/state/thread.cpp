#include "cuda/stand_in/runtime/state/thread.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "cuda/stand_in/runtime/state/notes.h"

namespace warplens::runtime {

namespace {

// How often each device was reset: a thread whose number is older has a context that is gone.
constexpr int most_devices = 16;
std::array<std::atomic<unsigned>, most_devices> resets{};

// The driver knows of an error that the program has not read: programs ask after each launch, and that must
// not wait for the driver.
std::atomic<bool> is_unread{false};

struct ThreadState {
  int device = 0;
  unsigned resets = 0;       // of the device, when it took the context
  bool has_context = false;  // that of the device
  cudaError_t last = cudaSuccess;
};
thread_local ThreadState state;

// Faults of kernels end the context: each later call returns the same code.
bool ends_context(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

// Calls that give memory or work: other errors are often an answer, as of attributes that a device lacks.
bool is_told_of(std::string_view call) {
  constexpr std::array begins = {std::string_view("cudaMalloc"), std::string_view("cudaHostAlloc"),
                                 std::string_view("cudaMemcpy"), std::string_view("cudaMemset"),
                                 std::string_view("cudaLaunch"), std::string_view("cudaFree")};
  return std::any_of(begins.begin(), begins.end(),
                     [&](std::string_view begin) { return call.starts_with(begin); });
}

}  // namespace

cudaError_t ensure_driver() {
  static const CUresult started = cuInit(0);
  if (started != CUDA_SUCCESS) return code_of(started);
  return cudaSuccess;
}

namespace {

cudaError_t take_context(int device, unsigned now) {
  CUcontext primary = nullptr;
  CUresult error = cuDevicePrimaryCtxRetain(&primary, device);
  if (error == CUDA_SUCCESS) error = cuCtxSetCurrent(primary);
  if (error != CUDA_SUCCESS) return code_of(error);
  state.device = device;
  state.has_context = true;
  state.resets = now;
  return cudaSuccess;
}

}  // namespace

cudaError_t ensure_context() {
  const unsigned now = resets[state.device].load(std::memory_order_relaxed);
  CUcontext current = nullptr;
  if (state.has_context && state.resets == now && cuCtxGetCurrent(&current) == CUDA_SUCCESS &&
      current != nullptr)
    return cudaSuccess;
  if (const cudaError_t error = ensure_driver(); error != cudaSuccess) return error;
  const bool outdated = state.has_context && state.resets != now;
  // A context that the program made current itself stays (driver and runtime API mixed).
  if (!outdated && cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != nullptr) return cudaSuccess;
  return take_context(state.device, now);
}

bool is_device(int device) {
  int count = 0;
  return cuDeviceGetCount(&count) == CUDA_SUCCESS && device >= 0 && device < count && device < most_devices;
}

int current_device() {
  CUdevice device = 0;
  return cuCtxGetDevice(&device) == CUDA_SUCCESS ? device : state.device;
}

cudaError_t choose_device(int device) {
  if (!is_device(device)) return cudaErrorInvalidDevice;
  if (device == current_device()) {
    state.device = device;
    return ensure_context();
  }
  return take_context(device, resets[device].load(std::memory_order_relaxed));
}

cudaError_t reset_device() {
  if (const cudaError_t error = ensure_driver(); error != cudaSuccess) return error;
  const int device = current_device();
  cuCtxSetCurrent(nullptr);
  const CUresult error = cuDevicePrimaryCtxReset(device);
  resets[device].fetch_add(1);
  state = {.device = device};
  return code_of(error);
}

cudaError_t noted(cudaError_t code, const char* call) {
  if (code == cudaSuccess || code == cudaErrorNotReady) return code;
  state.last = code;
  if (warplens_failed != nullptr && !ends_context(code) && is_told_of(call)) {
    warplens_failed(call, name_of(code));
    is_unread.store(true);
  }
  return code;
}

void note_asked() {
  if (is_unread.load(std::memory_order_relaxed) && is_unread.exchange(false)) warplens_asked();
}

cudaError_t last_error(bool forget) {
  note_asked();
  const cudaError_t last = state.last;
  if (forget && !ends_context(last)) state.last = cudaSuccess;
  return last;
}

}  // namespace warplens::runtime
