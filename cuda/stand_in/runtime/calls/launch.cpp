#include "cuda/stand_in/runtime/calls/launch.h"

#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/own_stream.h"
#include "cuda/stand_in/runtime/state/registry.h"

using namespace warplens::runtime;

namespace {

unsigned limit(CUdevice_attribute which) {
  int value = 0;
  cuDeviceGetAttribute(&value, which, current_device());
  return static_cast<unsigned>(value);
}

// What the runtime of CUDA 12 calls an invalid configuration; the driver and the runtime of CUDA 13 speak of
// an invalid value (measured on an H100 with 12.9 and 13.0).
bool is_invalid_configuration(const dim3& grid, const dim3& block) {
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  return grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 ||
         threads > limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) ||
         block.x > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) ||
         block.y > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) ||
         block.z > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) ||
         grid.x > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) ||
         grid.y > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) ||
         grid.z > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
}

cudaError_t code_of_launch(CUresult error, const dim3& grid, const dim3& block) {
  if (WARPLENS_CUDART_MAJOR == 12 && error == CUDA_ERROR_INVALID_VALUE &&
      is_invalid_configuration(grid, block))
    return cudaErrorInvalidConfiguration;
  return code_of(error);
}

CUfunction as_function(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

cudaError_t launch_with(const cudaLaunchConfig_t& config, const void* function, void** arguments) {
  CUkernel kernel = nullptr;
  if (const cudaError_t error = resolve_kernel(function, kernel); error != cudaSuccess) return error;
  CUlaunchConfig asked{};
  asked.gridDimX = config.gridDim.x;
  asked.gridDimY = config.gridDim.y;
  asked.gridDimZ = config.gridDim.z;
  asked.blockDimX = config.blockDim.x;
  asked.blockDimY = config.blockDim.y;
  asked.blockDimZ = config.blockDim.z;
  asked.sharedMemBytes = static_cast<unsigned>(config.dynamicSmemBytes);
  asked.hStream = named(config.stream);
  static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
  asked.attrs = reinterpret_cast<CUlaunchAttribute*>(config.attrs);
  asked.numAttrs = config.numAttrs;
  return code_of_launch(cuLaunchKernelEx(&asked, as_function(kernel), arguments, nullptr), config.gridDim,
                        config.blockDim);
}

}  // namespace

namespace warplens::runtime {

cudaError_t launch(const void* function, const LaunchPlan& plan, void** arguments) {
  return call(
      [&]() -> cudaError_t {
        CUkernel kernel = nullptr;
        if (const cudaError_t error = resolve_kernel(function, kernel); error != cudaSuccess) return error;
        if (plan.shared_bytes > UINT32_MAX) return cudaErrorInvalidValue;
        const auto shared = static_cast<unsigned>(plan.shared_bytes);
        const dim3 grid = plan.grid, block = plan.block;
        const CUresult error =
            plan.cooperative ? cuLaunchCooperativeKernel(as_function(kernel), grid.x, grid.y, grid.z, block.x,
                                                         block.y, block.z, shared, plan.stream, arguments)
                             : cuLaunchKernel(as_function(kernel), grid.x, grid.y, grid.z, block.x, block.y,
                                              block.z, shared, plan.stream, arguments, nullptr);
        return code_of_launch(error, grid, block);
      },
      "cudaLaunchKernel");
}

}  // namespace warplens::runtime

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch(function, {grid, block, shared_bytes, stream}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch(function, {grid, block, shared_bytes, stream, true}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return call(
      [&] { return config == nullptr ? cudaErrorInvalidValue : launch_with(*config, function, arguments); });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call([&] { return cuLaunchHostFunc(stream, function, data); });
}

}  // extern "C"
