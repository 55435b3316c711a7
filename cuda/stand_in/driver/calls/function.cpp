// Attributes of functions and kernels, and how many blocks of one an SM holds.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/gpu/machine/module_runtime.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/modules.h"

namespace warplens::driver {

namespace {

// By the assembler where it is on this machine, since the API knows no "unknown".
AssembledKernel assembled(Function& function) {
  if (const Resources* known = resources_of_function(function))
    return {.registers = known->registers_per_thread, .local_bytes = known->local_bytes};
  return {.local_bytes = function.program->local_bytes};
}

exec::KernelFacts facts_by(const Function& function, const AssembledKernel& assembled) {
  exec::KernelFacts facts = facts_of(function.module->context->on->spec, *function.program, assembled);
  facts.most_dynamic_shared_bytes =
      std::max(facts.most_dynamic_shared_bytes, static_cast<int32_t>(function.max_dynamic_shared_bytes));
  facts.carveout = function.preferred_carveout;
  return facts;
}

// The assembler takes time, so it is asked only for what it knows.
bool needs_assembler(CUfunction_attribute which) {
  return which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK || which == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES ||
         which == CU_FUNC_ATTRIBUTE_NUM_REGS;
}

}  // namespace

exec::KernelFacts facts_of_function(Function& function) { return facts_by(function, assembled(function)); }

uint32_t active_blocks_of_function(Function& function, uint32_t threads, uint64_t dynamic_bytes) {
  return active_blocks_of(function.module->context->on->spec, *function.program,
                          assembled(function).registers, threads, dynamic_bytes);
}

}  // namespace warplens::driver

using namespace warplens::driver;

namespace {

CUresult attribute_of(Function& function, CUfunction_attribute which, int& value) {
  const warplens::exec::KernelFacts facts =
      needs_assembler(which) ? facts_of_function(function) : facts_by(function, {});
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      value = facts.most_threads;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      value = static_cast<int>(facts.shared_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      value = static_cast<int>(facts.constant_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      value = static_cast<int>(facts.local_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      value = facts.registers;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      value = facts.ptx_version;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      value = facts.binary_version;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      value = facts.most_dynamic_shared_bytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      value = facts.carveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      value = 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult set_shared(Gpu& device, Function& function, int value) {
  const uint32_t fixed = function.program->shared_static_bytes;
  const uint32_t most = function.module->context->on->spec.limits.shared_bytes_per_block_optin;
  if (value < 0 || static_cast<uint32_t>(value) > most - std::min(most, fixed)) {
    return device.refuse(
        CUDA_ERROR_INVALID_VALUE,
        fmt::format("{} asks for {} bytes of dynamic shared memory; with {} static ones a block of the {} "
                    "may have {}.",
                    function.name, value, fixed, function.module->context->on->spec.name, most));
  }
  function.max_dynamic_shared_bytes = static_cast<uint32_t>(value);
  return CUDA_SUCCESS;
}

// Before the driver is started, any number passes: a later check returns that.
bool is_device(CUdevice ordinal) { return gpu() == nullptr || gpu()->device_of(ordinal) != nullptr; }

// Of a kernel on another device than the current one, that is, if it has a context.
Context& context_on(Gpu& device, Context& current, std::optional<CUdevice> ordinal) {
  const DeviceState* on = ordinal ? device.device_of(*ordinal) : nullptr;
  const bool is_other = on != nullptr && on != current.on && on->primary != nullptr;
  return is_other && on->primary->alive.load() ? *on->primary : current;
}

template <class F>
CUresult with_function(const void* handle, F f, std::optional<CUdevice> ordinal = {}) {
  const auto of = [&](Gpu& device) {
    return device.functions.contains(handle) ? static_cast<const Function*>(handle)->module->context
                                             : newest_context(device);
  };
  return with_context_of(Waits::no, of, [&](Gpu& device, Context& context) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    Function* function = find_function(device, context_on(device, context, ordinal), handle, error);
    return function == nullptr ? error : f(device, *function);
  });
}

CUresult set_attribute(Gpu& device, Function& function, CUfunction_attribute which, int value) {
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return set_shared(device, function, value);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      function.preferred_carveout = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult best_block(int* least_grid, int* block, CUfunction handle, CUoccupancyB2DSize shared_for,
                    size_t dynamic_bytes, int limit) {
  if (least_grid == nullptr || block == nullptr || limit < 0) return invalid_argument();
  // The program's own function is called without the lock.
  int most = 0, warps_per_sm = 0, sms = 0;
  const CUresult known = with_function(handle, [&](Gpu&, Function& function) {
    sms = static_cast<int>(function.module->context->on->spec.sms);
    warps_per_sm = static_cast<int>(function.module->context->on->spec.limits.max_warps_per_sm);
    return attribute_of(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, most);
  });
  if (known != CUDA_SUCCESS) return known;
  if (limit > 0) most = std::min(most, limit);
  int best_threads = 0, best = 0, best_blocks = 0;
  for (int threads = std::max(1, (most + 31) / 32 * 32); threads > 0; threads -= 32) {
    const int tried = std::min(threads, most);
    const size_t bytes = shared_for != nullptr ? shared_for(tried) : dynamic_bytes;
    int blocks = 0;
    const CUresult got = with_function(handle, [&](Gpu&, Function& function) {
      blocks = static_cast<int>(active_blocks_of_function(function, static_cast<uint32_t>(tried), bytes));
      return CUDA_SUCCESS;
    });
    if (got != CUDA_SUCCESS) return got;
    if (blocks * tried > best_threads) {
      best_threads = blocks * tried;
      best = tried;
      best_blocks = blocks;
    }
    if (best_threads >= warps_per_sm * 32) break;
  }
  *block = best;
  *least_grid = best_blocks * sms;
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction handle) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_function(handle,
                       [&](Gpu&, Function& function) { return attribute_of(function, which, *value); });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute which, CUkernel handle, CUdevice ordinal) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_function(
      handle, [&](Gpu&, Function& function) { return attribute_of(function, which, *value); }, ordinal);
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute which, int value) {
  if (handle == nullptr) return invalid_handle();
  return with_function(
      handle, [&](Gpu& device, Function& function) { return set_attribute(device, function, which, value); });
}

CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel handle, CUdevice ordinal) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  return with_function(
      handle,
      [&](Gpu& device, Function& function) {
        const CUresult done = set_attribute(device, function, which, value);
        const bool shared =
            which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && device.kernels.contains(handle);
        if (done == CUDA_SUCCESS && shared)
          reinterpret_cast<Kernel*>(handle)->max_dynamic_shared_bytes[function.module->context->on] =
              static_cast<uint32_t>(value);
        return done;
      },
      ordinal);
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config) {
  if (handle == nullptr) return invalid_handle();
  if (!is_cache_config(config)) return invalid_value();
  return with_function(handle, [&](Gpu&, Function& function) {
    function.cache = config;
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice ordinal) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(handle), config);
}

CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config) {
  if (handle == nullptr) return invalid_handle();
  if (!is_shared_config(config)) return invalid_value();
  return with_function(handle, [](Gpu&, Function&) { return CUDA_SUCCESS; });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction handle) {
  if (module == nullptr) return invalid_value();
  return with_function(handle, [&](Gpu&, Function& function) {
    *module = reinterpret_cast<CUmodule>(function.module);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetName(const char** name, CUfunction handle) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_function(handle, [&](Gpu&, Function& function) {
    for (const auto& [key, made] : function.module->functions) {
      if (made.get() == &function) *name = key.c_str();
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel handle) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    if (!device.kernels.contains(handle)) return CUDA_ERROR_INVALID_HANDLE;
    *name = reinterpret_cast<Kernel*>(handle)->name.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset, size_t* bytes) {
  if (offset == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_function(handle, [&](Gpu&, Function& function) -> CUresult {
    const auto& parameters = function.code->parameters;
    if (index >= parameters.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = function.program->parameter_offsets[index];
    if (bytes != nullptr) *bytes = parameters[index].bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetParamInfo(CUkernel handle, size_t index, size_t* offset, size_t* bytes) {
  return cuFuncGetParamInfo(reinterpret_cast<CUfunction>(handle), index, offset, bytes);
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_function(handle, [&](Gpu&, Function&) {
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncLoad(CUfunction handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return with_function(handle, [](Gpu&, Function&) { return CUDA_SUCCESS; });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int threads,
                                                     size_t dynamic_bytes) {
  if (blocks == nullptr || threads <= 0) return invalid_argument();
  return with_function(handle, [&](Gpu&, Function& function) {
    *blocks =
        static_cast<int>(active_blocks_of_function(function, static_cast<uint32_t>(threads), dynamic_bytes));
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction handle, int threads,
                                                              size_t dynamic_bytes, unsigned flags) {
  if ((flags & ~unsigned{CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE}) != 0) return invalid_argument();
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, handle, threads, dynamic_bytes);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block, CUfunction handle,
                                          CUoccupancyB2DSize shared_for, size_t dynamic_bytes, int limit) {
  return best_block(least_grid, block, handle, shared_for, dynamic_bytes, limit);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid, int* block, CUfunction handle,
                                                   CUoccupancyB2DSize shared_for, size_t dynamic_bytes,
                                                   int limit, unsigned flags) {
  if ((flags & ~unsigned{CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE}) != 0) return invalid_argument();
  return best_block(least_grid, block, handle, shared_for, dynamic_bytes, limit);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction handle, int blocks, int threads) {
  if (bytes == nullptr || blocks <= 0 || threads <= 0) return invalid_argument();
  return with_function(handle, [&](Gpu&, Function& function) -> CUresult {
    const warplens::DeviceLimits& limits = function.module->context->on->spec.limits;
    const auto wanted = static_cast<uint32_t>(blocks);
    if (static_cast<uint32_t>(threads) > limits.max_threads_per_block ||
        wanted > active_blocks_of_function(function, static_cast<uint32_t>(threads), 0))
      return CUDA_ERROR_INVALID_VALUE;
    const uint64_t share = limits.shared_bytes_per_sm / static_cast<uint32_t>(blocks) /
                           limits.shared_allocation_unit * limits.shared_allocation_unit;
    const uint64_t used = function.program->shared_static_bytes + limits.shared_reserved_bytes_per_block;
    *bytes = std::min<uint64_t>(share - std::min(share, used), limits.shared_bytes_per_block_optin);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
