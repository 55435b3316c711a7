// Launches as they were before CUDA 4, a call for each part: the block, the shared memory, each parameter at
// its place. PyCUDA still sets the block of every launch this way, and its prepared calls are made of nothing
// else.
#include <cstring>

#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/modules.h"

using namespace warplens::driver;

namespace {

template <class F>
CUresult with_launch(const void* handle, F f) {
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    Function* function = find_function(device, context, handle, error);
    return function == nullptr ? error : f(*function, function->old_launch);
  });
}

CUresult set_parameter(CUfunction handle, int offset, const void* value, unsigned bytes) {
  return with_launch(handle, [&](Function& function, OldLaunch& launch) -> CUresult {
    const uint64_t most = function.program->parameter_bytes;
    if (offset < 0 || (value == nullptr && bytes != 0) || static_cast<uint64_t>(offset) + bytes > most)
      return CUDA_ERROR_INVALID_VALUE;
    launch.parameters.resize(most);
    if (bytes != 0) std::memcpy(launch.parameters.data() + offset, value, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult launch_grid(CUfunction handle, int width, int height, CUstream stream) {
  OldLaunch launch;
  const CUresult found = with_launch(handle, [&](Function& function, OldLaunch& put_together) {
    launch = put_together;
    launch.parameters.resize(function.program->parameter_bytes);
    return CUDA_SUCCESS;
  });
  if (found != CUDA_SUCCESS) return found;
  size_t bytes = launch.parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &bytes, CU_LAUNCH_PARAM_END};
  const auto size = [](int value) { return static_cast<unsigned>(value); };
  return cuLaunchKernel(handle, size(width), size(height), 1, size(launch.block_x), size(launch.block_y),
                        size(launch.block_z), launch.shared_bytes, stream, nullptr,
                        bytes == 0 ? nullptr : extra);
}

}  // namespace

extern "C" {

CUresult cuFuncSetBlockShape(CUfunction handle, int x, int y, int z) {
  return with_launch(handle, [&](Function&, OldLaunch& launch) -> CUresult {
    if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
    launch.block_x = x;
    launch.block_y = y;
    launch.block_z = z;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction handle, unsigned bytes) {
  return with_launch(handle, [&](Function&, OldLaunch& launch) {
    launch.shared_bytes = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSetSize(CUfunction handle, unsigned bytes) {
  return with_launch(handle, [&](Function& function, OldLaunch&) {
    return bytes > function.program->parameter_bytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult cuParamSeti(CUfunction handle, int offset, unsigned value) {
  return set_parameter(handle, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction handle, int offset, float value) {
  return set_parameter(handle, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction handle, int offset, void* value, unsigned bytes) {
  return set_parameter(handle, offset, value, bytes);
}

// A reference belongs to its module whether or not a function names it.
CUresult cuParamSetTexRef(CUfunction handle, int, CUtexref reference) {
  return with_launch(handle, [&](Function&, OldLaunch&) {
    return reference == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult cuLaunch(CUfunction handle) { return launch_grid(handle, 1, 1, nullptr); }

CUresult cuLaunchGrid(CUfunction handle, int width, int height) {
  return launch_grid(handle, width, height, nullptr);
}

CUresult cuLaunchGridAsync(CUfunction handle, int width, int height, CUstream stream) {
  return launch_grid(handle, width, height, stream);
}

}  // extern "C"
