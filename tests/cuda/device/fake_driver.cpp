#include "tests/cuda/device/fake_driver.h"

#include <cstdlib>
#include <cstring>

namespace warplens::cuda {

namespace {

FakeState state;

// A context that has faulted answers nothing else, until it is destroyed.
CUresult call(const char* name) {
  if (const auto failure = state.failures.find(name); failure != state.failures.end()) return failure->second;
  return state.broken;
}
CUresult make(const char* name, const char* what) {
  const CUresult r = call(name);
  if (r == CUDA_SUCCESS) ++state.alive[what];
  return r;
}
CUresult drop(const char* what) {
  --state.alive[what];
  return CUDA_SUCCESS;
}
template <class Handle>
Handle handle(uintptr_t number) {
  return reinterpret_cast<Handle>(number);
}
void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<uintptr_t>(address)); }

CUresult launch(void** arguments) {
  state.calls.emplace_back("launch");
  if (const CUresult r = call("cuLaunchKernel"); r != CUDA_SUCCESS) return r;
  const CUresult r = state.kernel ? state.kernel(arguments) : CUDA_SUCCESS;
  if (r != CUDA_SUCCESS) state.broken = r;  // told by the next call that waits
  return CUDA_SUCCESS;
}

void add_device(Driver& d) {
  d.cuDeviceGet = [](CUdevice* device, int) { return *device = 0, call("cuDeviceGet"); };
  d.cuDeviceGetPCIBusId = [](char* bus, int, CUdevice) {
    return std::strcpy(bus, "no such bus"), CUDA_SUCCESS;
  };
  d.cuCtxCreate = [](CUcontext* c, unsigned, CUdevice) {
    *c = handle<CUcontext>(1);
    state.calls.emplace_back("context");
    return make("cuCtxCreate", "contexts");
  };
  d.cuCtxDestroy = [](CUcontext) {
    state.broken = CUDA_SUCCESS;
    return drop("contexts");
  };
  d.cuCtxSetCurrent = [](CUcontext) { return call("cuCtxSetCurrent"); };
  d.cuGetErrorString = [](CUresult, const char** words) { return *words = "words", CUDA_SUCCESS; };
  d.cuGetErrorName = [](CUresult, const char** name) { return *name = "NAME", CUDA_SUCCESS; };
}

void add_modules(Driver& d) {
  d.cuModuleLoadDataEx = [](CUmodule* m, const void*, unsigned, CUjit_option*, void**) {
    *m = handle<CUmodule>(2);
    return make("cuModuleLoadDataEx", "modules");
  };
  d.cuModuleUnload = [](CUmodule) { return drop("modules"); };
  d.cuModuleGetFunction = [](CUfunction* f, CUmodule, const char*) {
    return *f = handle<CUfunction>(3), call("cuModuleGetFunction");
  };
  d.cuModuleGetGlobal = [](CUdeviceptr*, size_t*, CUmodule, const char*) { return CUDA_ERROR_NOT_FOUND; };
  d.cuFuncGetAttribute = [](int* value, CUfunction_attribute what, CUfunction) {
    *value = what == CU_FUNC_ATTRIBUTE_NUM_REGS ? 17 : 0;
    return call("cuFuncGetAttribute");
  };
  d.cuFuncSetAttribute = [](CUfunction, CUfunction_attribute, int bytes) {
    state.calls.push_back("shared " + std::to_string(bytes));
    return call("cuFuncSetAttribute");
  };
  d.cuFuncGetParamInfo = [](CUfunction, size_t index, size_t*, size_t*) {
    return index < state.arguments ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  };
  d.cuOccupancyMaxActiveBlocksPerMultiprocessor = [](int* blocks, CUfunction, int, size_t) {
    return *blocks = 8, CUDA_SUCCESS;
  };
  d.cuLaunchKernel = [](CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        CUstream, void** arguments, void**) { return launch(arguments); };
  d.cuLaunchCooperativeKernel = [](CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   unsigned, CUstream, void** arguments) { return launch(arguments); };
}

void add_memory(Driver& d) {
  d.cuMemAlloc = [](CUdeviceptr* p, size_t bytes) {
    const CUresult r = make("cuMemAlloc", "memory");
    if (r == CUDA_SUCCESS) *p = reinterpret_cast<uintptr_t>(std::malloc(bytes));
    return r;
  };
  d.cuMemFree = [](CUdeviceptr p) { return std::free(pointer(p)), drop("memory"); };
  d.cuMemHostAlloc = [](void** p, size_t bytes, unsigned) {
    const CUresult r = make("cuMemHostAlloc", "host");
    if (r == CUDA_SUCCESS) *p = std::malloc(bytes);
    return r;
  };
  d.cuMemFreeHost = [](void* p) { return std::free(p), drop("host"); };
  d.cuMemsetD8Async = [](CUdeviceptr p, unsigned char value, size_t bytes, CUstream) {
    return std::memset(pointer(p), value, bytes), call("cuMemsetD8Async");
  };
  d.cuMemcpyHtoDAsync = [](CUdeviceptr to, const void* from, size_t bytes, CUstream) {
    state.calls.push_back("copy in " + std::to_string(bytes));
    return std::memcpy(pointer(to), from, bytes), call("cuMemcpyHtoDAsync");
  };
  d.cuMemcpyDtoHAsync = [](void* to, CUdeviceptr from, size_t bytes, CUstream) {
    state.calls.push_back("copy out " + std::to_string(bytes));
    return std::memcpy(to, pointer(from), bytes), call("cuMemcpyDtoHAsync");
  };
  d.cuMemcpyHtoD = [](CUdeviceptr to, const void* from, size_t bytes) {
    return std::memcpy(pointer(to), from, bytes), call("cuMemcpyHtoD");
  };
  d.cuMemcpyDtoH = [](void* to, CUdeviceptr from, size_t bytes) {
    return std::memcpy(to, pointer(from), bytes), call("cuMemcpyDtoH");
  };
}

void add_streams(Driver& d) {
  d.cuStreamCreate = [](CUstream* s, unsigned) {
    return *s = handle<CUstream>(4), make("cuStreamCreate", "streams");
  };
  d.cuStreamDestroy = [](CUstream) { return drop("streams"); };
  d.cuStreamSynchronize = [](CUstream) { return call("cuStreamSynchronize"); };
  d.cuEventCreate = [](CUevent* e, unsigned) {
    return *e = handle<CUevent>(5), make("cuEventCreate", "events");
  };
  d.cuEventDestroy = [](CUevent) { return drop("events"); };
  d.cuEventRecord = [](CUevent, CUstream) { return call("cuEventRecord"); };
  d.cuEventElapsedTime = [](float* ms, CUevent, CUevent) { return *ms = 0.5f, call("cuEventElapsedTime"); };
}

}  // namespace

FakeState& fake() { return state; }

Driver make_fake() {
  state = {};
  Driver driver;
  add_device(driver);
  add_modules(driver);
  add_memory(driver);
  add_streams(driver);
  return driver;
}

}  // namespace warplens::cuda
