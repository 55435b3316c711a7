// Starting, and contexts: the primary one of the device, those that a program makes, and the stack of each
// thread.
#include <algorithm>

#include "core/gpu/exec/state/console.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/teardown.h"
#include "cuda/stand_in/driver/state/order.h"

using namespace warplens::driver;

namespace {

Context* make_context(Gpu& device, DeviceState& on, unsigned flags, bool primary) {
  auto made = std::make_unique<Context>(on);
  made->id = device.contexts.size() + 1;
  made->flags = flags;
  made->primary = primary;
  device.contexts.push_back(std::move(made));
  return device.contexts.back().get();
}

// As cuCtxCreate takes them: one way to wait, and what is independent of it.
bool are_flags(unsigned flags) {
  const unsigned waiting = flags & CU_CTX_SCHED_MASK;
  const bool one = waiting == CU_CTX_SCHED_AUTO || waiting == CU_CTX_SCHED_SPIN ||
                   waiting == CU_CTX_SCHED_YIELD || waiting == CU_CTX_SCHED_BLOCKING_SYNC;
  return one && (flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0;
}

// A thread has at most 512 KiB of local memory, and so of stack.
constexpr size_t most_stack = size_t{512} << 10;

CUcontext handle_of(Context* context) { return reinterpret_cast<CUcontext>(context); }

// f(Context&) → CUresult, with the current context, whether a fault has ended its work or not.
template <class F>
CUresult with_living_context(F f) {
  return with_gpu([&](Gpu&) -> CUresult {
    Context* context = current_context();
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return context->alive.load() ? f(*context) : CUDA_ERROR_CONTEXT_IS_DESTROYED;
  });
}

CUresult create(CUcontext* made, unsigned flags, CUdevice ordinal) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (!are_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    Context* context = make_context(device, *on, flags, false);
    context_stack().push_back(context);
    *made = handle_of(context);
    return CUDA_SUCCESS;
  });
}

void end_context(Gpu& device, Context& context) {
  device.flush_console();
  tear_down(device, context);
  context.alive.store(false);
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) { return flags != 0 ? CUDA_ERROR_INVALID_VALUE : start(); }

CUresult cuCtxCreate_v2(CUcontext* made, unsigned flags, CUdevice ordinal) {
  return create(made, flags, ordinal);
}

CUresult cuCtxCreate_v3(CUcontext* made, CUexecAffinityParam*, int count, unsigned flags, CUdevice ordinal) {
  return count != 0 ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : create(made, flags, ordinal);
}

CUresult cuCtxCreate_v4(CUcontext* made, CUctxCreateParams* parameters, unsigned flags, CUdevice ordinal) {
  if (parameters != nullptr && parameters->numExecAffinityParams != 0)
    return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return create(made, flags, ordinal);
}

CUresult cuCtxDestroy_v2(CUcontext handle) {
  perform_all_deferred();
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    Context* context = find_context(device, handle);
    if (context == nullptr || context->primary || !context->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    end_context(device, *context);
    auto& stack = context_stack();
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxAttach(CUcontext* attached, unsigned flags) {
  return with_living_context([&](Context& context) -> CUresult {
    if (attached == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    ++context.retained;
    *attached = handle_of(&context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDetach(CUcontext handle) {
  if (handle == nullptr) return with_living_context([](Context&) { return CUDA_ERROR_INVALID_CONTEXT; });
  return with_gpu([&](Gpu& device) -> CUresult {
    Context* context = find_context(device, handle);
    if (context == nullptr || !context->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context->retained > 0) {
      --context->retained;
      return CUDA_SUCCESS;
    }
    if (context->primary) return CUDA_ERROR_INVALID_CONTEXT;
    end_context(device, *context);
    auto& stack = context_stack();
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Context* context = find_context(device, handle);
    if (context == nullptr || !context->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    context_stack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext* popped) {
  if (gpu() == nullptr) return not_started();
  auto& stack = context_stack();
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (popped != nullptr) *popped = handle_of(stack.back());
  stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  Gpu* device = gpu();
  if (device == nullptr) return not_started();
  auto& stack = context_stack();
  if (handle == nullptr) {
    if (!stack.empty()) stack.pop_back();
    return CUDA_SUCCESS;
  }
  if (!stack.empty() && handle_of(stack.back()) == handle && stack.back()->alive.load()) return CUDA_SUCCESS;
  return with_gpu([&](Gpu& of) -> CUresult {
    Context* context = find_context(of, handle);
    if (context == nullptr || !context->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.empty()) {
      stack.push_back(context);
    } else {
      stack.back() = context;
    }
    return CUDA_SUCCESS;
  });
}

// Before almost every call of Numba: no lock.
CUresult cuCtxGetCurrent(CUcontext* current) {
  if (gpu() == nullptr) return not_started();
  if (current == nullptr) return invalid_value();
  *current = handle_of(current_context());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* ordinal) {
  if (ordinal == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (gpu() == nullptr) return not_started();
  const Context* context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *ordinal = context->on->ordinal;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice_v2(CUdevice* ordinal, CUcontext handle) {
  if (handle == nullptr) return cuCtxGetDevice(ordinal);
  if (ordinal == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    const Context* context = find_context(device, handle);
    if (context == nullptr || !context->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    *ordinal = context->on->ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    const Context* context = handle == nullptr ? current_context() : find_context(device, handle);
    if (handle == nullptr && context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (context == nullptr || !context->alive.load()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *id = context->id;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu&, Context& context) {
    *flags = context.flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return with_living_context([&](Context& context) -> CUresult {
    if (!are_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    context.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return with_context(Waits::yes, [](Gpu& device, Context& context) -> CUresult {
    if (const CUresult error = waits_for_captures(device, context); error != CUDA_SUCCESS) return error;
    context.on->clock.meet(context.on->clock.latest_us());
    wait_for_device(device, *context.on);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize_v2(CUcontext handle) {
  if (handle == nullptr) return cuCtxSynchronize();
  return with_gpu([&](Gpu& device) -> CUresult {
    Context* context = find_context(device, handle);
    if (context == nullptr || !context->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    if (const CUresult error = state_of(device, *context, Waits::yes); error != CUDA_SUCCESS) return error;
    if (const CUresult error = waits_for_captures(device, *context); error != CUDA_SUCCESS) return error;
    context->on->clock.meet(context->on->clock.latest_us());
    wait_for_device(device, *context->on);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
  if (version == nullptr) return invalid_argument();
  return with_gpu([&](Gpu& device) -> CUresult {
    const Context* context = handle != nullptr ? find_context(device, handle) : current_context();
    if (context == nullptr || !context->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    *version = 3020;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return with_context(Waits::no, [&](Gpu&, Context&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  if (config == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu&, Context& context) {
    *config = context.cache;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  if (!is_cache_config(config)) return invalid_argument();
  return with_context(Waits::no, [&](Gpu&, Context& context) {
    context.cache = config;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  if (config == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu&, Context& context) {
    *config = context.shared_config;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  if (!is_shared_config(config)) return invalid_argument();
  return with_context(Waits::no, [&](Gpu&, Context& context) {
    context.shared_config = config;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxResetPersistingL2Cache() {
  return with_context(Waits::no, [](Gpu&, Context&) { return CUDA_SUCCESS; });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  if (value == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    if (const auto at = context.limits.find(limit); at != context.limits.end()) {
      *value = at->second;
      return CUDA_SUCCESS;
    }
    switch (limit) {
      case CU_LIMIT_STACK_SIZE:
        *value = 1024;
        return CUDA_SUCCESS;
      case CU_LIMIT_PRINTF_FIFO_SIZE:
        *value = warplens::exec::console_bytes;
        return CUDA_SUCCESS;
      case CU_LIMIT_MALLOC_HEAP_SIZE:
        *value = device.memory.kernel_heap_limit();
        return CUDA_SUCCESS;
      case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:  // gone since compute capability 9.0, as an H200 says
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
      case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
        *value = 2048;  // CUDA C++ programming guide, CUDA dynamic parallelism: the default
        return CUDA_SUCCESS;
      case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
      case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        *value = 0;  // hints that were not given
        return CUDA_SUCCESS;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (limit < CU_LIMIT_STACK_SIZE || limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
      return CUDA_ERROR_INVALID_VALUE;
    if (limit == CU_LIMIT_STACK_SIZE && value > most_stack) return CUDA_ERROR_INVALID_VALUE;
    // More than there is, is all that there is.
    value = std::min<uint64_t>(value, context.on->total_bytes());
    if (limit == CU_LIMIT_MALLOC_HEAP_SIZE) device.memory.limit_kernel_heap(value);
    context.limits[limit] = value;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* retained, CUdevice ordinal) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (retained == nullptr) return CUDA_ERROR_INVALID_VALUE;
    DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (on->primary == nullptr) on->primary = make_context(device, *on, on->primary_flags, true);
    Context& primary = *on->primary;
    if (!primary.alive.load()) {
      // The same handle again, as CUDA's own, with nothing in it.
      primary.pending = CUDA_SUCCESS;
      primary.sticky.store(CUDA_SUCCESS);
      primary.alive.store(true);
    }
    ++primary.retained;
    *retained = handle_of(&primary);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice ordinal) {
  perform_all_deferred();
  return with_gpu([&](Gpu& device) -> CUresult {
    const DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (on->primary == nullptr || on->primary->retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--on->primary->retained == 0) end_context(device, *on->primary);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice ordinal) {
  perform_all_deferred();
  return with_gpu([&](Gpu& device) -> CUresult {
    const DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (on->primary == nullptr || !on->primary->alive.load()) return CUDA_SUCCESS;
    end_context(device, *on->primary);
    on->primary->pending = CUDA_SUCCESS;
    on->primary->sticky.store(CUDA_SUCCESS);
    // Programs that retained it before the reset use it again without another call, as Numba does.
    if (on->primary->retained != 0) on->primary->alive.store(true);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice ordinal, unsigned flags) {
  return with_gpu([&](Gpu& device) -> CUresult {
    DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (!are_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    on->primary_flags = flags;
    if (on->primary != nullptr) on->primary->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned* flags, int* active) {
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    const DeviceState* on = device.device_of(ordinal);
    if (on == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    *flags = on->primary_flags;
    *active = on->primary != nullptr && on->primary->alive.load() ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
