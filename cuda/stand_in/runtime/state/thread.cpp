#include "cuda/stand_in/runtime/state/thread.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "cuda/stand_in/runtime/state/notes.h"

namespace warplens::runtime {

namespace {

// How often the device was reset: a thread whose number is older has a context that is gone.
std::atomic<unsigned> resets{0};

// The driver knows of an error that the program has not read: programs ask after each launch, and that must
// not wait for the driver.
std::atomic<bool> is_unread{false};

struct ThreadState {
  unsigned resets = 0;
  bool has_context = false;
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

cudaError_t ensure_context() {
  const unsigned now = resets.load(std::memory_order_relaxed);
  CUcontext current = nullptr;
  if (state.has_context && state.resets == now && cuCtxGetCurrent(&current) == CUDA_SUCCESS &&
      current != nullptr)
    return cudaSuccess;
  if (const cudaError_t error = ensure_driver(); error != cudaSuccess) return error;
  const bool outdated = state.has_context && state.resets != now;
  // A context that the program made current itself stays (driver and runtime API mixed).
  if (!outdated && cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != nullptr) return cudaSuccess;
  CUresult error = cuDevicePrimaryCtxRetain(&current, 0);
  if (error == CUDA_SUCCESS) error = cuCtxSetCurrent(current);
  if (error != CUDA_SUCCESS) return code_of(error);
  state.has_context = true;
  state.resets = now;
  return cudaSuccess;
}

cudaError_t reset_device() {
  if (const cudaError_t error = ensure_driver(); error != cudaSuccess) return error;
  cuCtxSetCurrent(nullptr);
  const CUresult error = cuDevicePrimaryCtxReset(0);
  resets.fetch_add(1);
  state = {};
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
