// What the code of nvcc calls before main() and at each launch: the entries of CUDA's crt/host_runtime.h.
// LLVM's CGCUDANV.cpp emits calls of the same ones.
#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/calls/launch.h"
#include "cuda/stand_in/runtime/state/registry.h"

using namespace warplens::runtime;

namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};
// The launches whose arguments are still being evaluated, the innermost last. Nothing here has a destructor:
// programs launch while they exit.
struct Configurations {
  static constexpr size_t most = 32;
  Configuration rows[most];
  size_t count = 0;
};
thread_local Configurations configurations;

void** handle_of(Binary* binary) { return reinterpret_cast<void**>(binary); }
Binary* binary_of(void** handle) { return reinterpret_cast<Binary*>(handle); }

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names.
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) { return handle_of(register_binary(wrapper)); }

// Code is loaded when it is first used.
void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) { unregister_binary(binary_of(handle)); }

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  register_kernel(binary_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int, int) {
  register_variable(binary_of(handle), host, name, bytes, nullptr);
}

// The program reaches the variable through a pointer, whose address identifies the variable.
void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, size_t bytes, int,
                              int) {
  register_variable(binary_of(handle), pointer, name, bytes, pointer);
}

// Called before the host first uses a managed variable of the binary.
char __cudaInitModule(void** handle) {
  const cudaError_t error = guarded([&] { return load(binary_of(handle)); });
  return error == cudaSuccess ? 1 : 0;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  if (configurations.count == Configurations::most) {
    noted(cudaErrorInvalidConfiguration);
    return 1;
  }
  configurations.rows[configurations.count++] = {grid, block, shared_bytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (configurations.count == 0) return noted(cudaErrorMissingConfiguration);
  const Configuration& last = configurations.rows[--configurations.count];
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

// nvcc 13 keeps this handle in the launch stub. It is the entry, which is loaded at the launch.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  if (kernel == nullptr) return noted(cudaErrorInvalidValue);
  *kernel = reinterpret_cast<cudaKernel_t>(find_kernel(host));
  return *kernel == nullptr ? noted(cudaErrorInvalidDeviceFunction) : cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return launch(kernel, {grid, block, shared_bytes, stream}, arguments);
}

// From the stub of a device link that the nvcc of WarpLens wrote (app/user_program/nvcc_plan.h): one object
// of the link.
void warplens_register_linked_binary(const void* link, void (*callback)(void**), const void* wrapper) {
  callback(handle_of(register_linked_part(link, wrapper)));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
