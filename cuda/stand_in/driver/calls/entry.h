// How every function of the API begins: the driver is initialised, the device is locked, a context is
// current, and no earlier fault has ended it.
#pragma once

#include <mutex>
#include <new>
#include <stdexcept>

#include "cuda/stand_in/driver/calls/refused.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

inline CUresult not_started() { return was_forked() ? start() : CUDA_ERROR_NOT_INITIALIZED; }

// Arguments that are wrong by themselves. NVIDIA's driver looks at them in one of three places, which
// tests/cuda/stand_in/driver/call_codes.txt shows for each function: before everything (there the code is
// returned as it is), after the check that CUDA is initialised, or (invalid_argument) after the checks of the
// context and its fault.
inline CUresult invalid_value() { return gpu() == nullptr ? not_started() : CUDA_ERROR_INVALID_VALUE; }
inline CUresult invalid_handle() { return gpu() == nullptr ? not_started() : CUDA_ERROR_INVALID_HANDLE; }
CUresult invalid_argument();

// Calls f(Gpu&) → CUresult with the device locked. No exception leaves.
template <class F>
CUresult with_gpu(F f) {
  Gpu* device = gpu();
  if (device == nullptr) return not_started();
  if (own_library_calls()) return CUDA_ERROR_NOT_INITIALIZED;
  const CUresult code = [&] {
    const std::scoped_lock lock(device->mutex);
    try {
      return f(*device);
    } catch (const std::bad_alloc&) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::length_error&) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (...) {
      return CUDA_ERROR_UNKNOWN;
    }
  }();
  if (device->deferred.on) [[unlikely]]
    perform_deferred(*device);
  return code;
}

// Does f(Gpu&) → CUresult, work of a stream, now or, in another order, later.
template <class F>
CUresult in_stream_order(Gpu& device, Context& context, const Stream* stream, F f) {
  if (!device.deferred.on || performs_deferred()) return f(device);
  defer(device, context, stream, [f]() mutable { return with_gpu([&](Gpu& locked) { return f(locked); }); });
  return CUDA_SUCCESS;
}

inline bool is_cache_config(CUfunc_cache config) {
  return config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL;
}
inline bool is_shared_config(CUsharedconfig config) {
  return config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
         config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
}

// What a call makes the program wait for. An earlier fault of a kernel is reported by calls that give the
// device work or wait for it, and by every call after those. A stream that is being captured takes only work
// that becomes a node (stream_of).
enum class Waits : uint8_t { no, gives_work, gives_node, yes };

inline CUresult state_of(Gpu& device, Context& context, Waits waits) {
  if (waits == Waits::yes) device.flush_console();
  if (waits != Waits::no && context.pending != CUDA_SUCCESS) context.sticky.store(context.pending);
  return context.sticky.load();
}

// Calls f(Gpu&) → CUresult, for calls that need only a handle or an address: with or without a current
// context.
template <class F>
CUresult with_any_context(F f) {
  return with_gpu([&](Gpu& device) -> CUresult {
    Context* context = current_context();
    if (context != nullptr) {
      if (!context->alive.load()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
      if (const CUresult error = state_of(device, *context, Waits::no); error != CUDA_SUCCESS) return error;
    }
    return f(device);
  });
}

// Calls f(Gpu&, Context&) → CUresult with the current context; if there is none, with what of(Gpu&) →
// Context* returns: the context that a handle belongs to.
template <class Of, class F>
CUresult with_context_of(Waits waits, Of of, F f) {
  Context* context = nullptr;
  const CUresult code = with_gpu([&](Gpu& device) -> CUresult {
    context = current_context();
    if (context == nullptr) context = of(device);
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (!context->alive.load()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (const CUresult error = state_of(device, *context, waits); error != CUDA_SUCCESS) return error;
    return f(device, *context);
  });
  if (code != CUDA_SUCCESS || waits != Waits::yes || !gpu()->deferred.on) [[likely]]
    return code;
  // What was put aside was done only now.
  return with_gpu([&](Gpu& device) { return state_of(device, *context, waits); });
}

// Calls f(Gpu&, Context&) → CUresult with the current context.
template <class F>
CUresult with_context(Waits waits, F f) {
  return with_context_of(
      waits, [](Gpu&) -> Context* { return nullptr; }, f);
}

// The context for a handle that belongs to none, as a kernel of a library: the newest one.
inline Context* newest_context(Gpu& device) {
  for (auto at = device.contexts.rbegin(); at != device.contexts.rend(); ++at)
    if ((*at)->alive.load()) return at->get();
  return nullptr;
}

inline CUresult invalid_argument() {
  return with_context(Waits::no, [](Gpu&, Context&) { return CUDA_ERROR_INVALID_VALUE; });
}

}  // namespace warplens::driver
