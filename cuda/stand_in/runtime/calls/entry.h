// How every function of the runtime API begins and ends: the thread has a context, and an error becomes its
// last one.
#pragma once

#include <new>
#include <stdexcept>

#include "cuda/stand_in/runtime/state/thread.h"

namespace warplens::runtime {

constexpr cudaError_t code_of(cudaError_t code) { return code; }

// Calls f() → CUresult or cudaError_t. No exception leaves. `name`: of the calling function.
template <class F>
cudaError_t guarded(F f, const char* name = __builtin_FUNCTION()) {
  try {
    return noted(code_of(f()), name);
  } catch (const std::bad_alloc&) {
    return noted(cudaErrorMemoryAllocation, name);
  } catch (const std::length_error&) {
    return noted(cudaErrorMemoryAllocation, name);
  } catch (...) {
    return noted(cudaErrorUnknown, name);
  }
}

// Calls f() → CUresult or cudaError_t with a context.
template <class F>
cudaError_t call(F f, const char* name = __builtin_FUNCTION()) {
  if (const cudaError_t error = ensure_context(); error != cudaSuccess) return noted(error, name);
  return guarded(f, name);
}

// Calls f() → CUresult or cudaError_t with only the driver initialised.
template <class F>
cudaError_t call_without_context(F f, const char* name = __builtin_FUNCTION()) {
  if (const cudaError_t error = ensure_driver(); error != cudaSuccess) return noted(error, name);
  return guarded(f, name);
}

inline CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
inline CUdeviceptr* address_at(void** pointer) { return reinterpret_cast<CUdeviceptr*>(pointer); }

}  // namespace warplens::runtime
