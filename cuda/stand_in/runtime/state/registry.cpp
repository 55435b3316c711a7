#include "cuda/stand_in/runtime/state/registry.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cuda/stand_in/runtime/state/thread.h"

namespace warplens::runtime {

struct Variable {
  Binary* binary = nullptr;
  std::string name;
  size_t bytes = 0;
  void** managed = nullptr;
};

struct KernelEntry {
  Binary* binary = nullptr;
  std::string name;
  CUkernel kernel = nullptr;  // once it was asked for
};

struct Binary {
  std::vector<const void*> wrappers;  // __fatBinC_Wrapper_t (CUDA's fatbinary_section.h)
  const void* link = nullptr;         // of a device link
  bool loaded = false;
  CUresult error = CUDA_SUCCESS;
  CUlibrary library = nullptr;
  std::vector<Variable> managed;
};

namespace {

struct Registry {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<Binary>> binaries;
  std::unordered_map<const void*, std::unique_ptr<KernelEntry>> kernels;  // by host function
  std::unordered_map<const void*, KernelEntry*> entries;                  // by themselves
  std::unordered_map<const void*, Variable> variables;                    // by host variable
};

// Never destroyed: programs launch and register while they start and while they exit.
Registry& registry() {
  static auto* made = new Registry;
  return *made;
}

// The code of several objects as one image. PTX stays PTX: the driver's linker joins texts.
CUresult join(const std::vector<const void*>& wrappers, CUlibrary& library) {
  CUlinkState state = nullptr;
  CUresult error = cuLinkCreate(0, nullptr, nullptr, &state);
  for (size_t i = 0; i < wrappers.size() && error == CUDA_SUCCESS; ++i) {
    // The wrapper's own bytes: the driver follows its pointer to the fat binary.
    constexpr size_t wrapper_bytes = 24;
    const std::string name = "object " + std::to_string(i + 1);
    error = cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, const_cast<void*>(wrappers[i]), wrapper_bytes,
                          name.c_str(), 0, nullptr, nullptr);
  }
  void* image = nullptr;
  size_t bytes = 0;
  if (error == CUDA_SUCCESS) error = cuLinkComplete(state, &image, &bytes);
  if (error == CUDA_SUCCESS)
    error = cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (state != nullptr) cuLinkDestroy(state);
  return error;
}

void set_managed(const Binary& binary) {
  for (const Variable& variable : binary.managed) {
    CUdeviceptr address = 0;
    if (cuLibraryGetManaged(&address, nullptr, binary.library, variable.name.c_str()) == CUDA_SUCCESS)
      *variable.managed = reinterpret_cast<void*>(address);
  }
}

void forget_kernels(Registry& all, const Binary* binary) {
  std::erase_if(all.kernels, [&](const auto& row) { return row.second->binary == binary; });
  std::erase_if(all.entries, [&](const auto& row) {
    return std::none_of(all.kernels.begin(), all.kernels.end(),
                        [&](const auto& kernel) { return kernel.second.get() == row.second; });
  });
  std::erase_if(all.variables, [&](const auto& row) { return row.second.binary == binary; });
}

cudaError_t kernel_of(KernelEntry& entry, CUkernel& kernel) {
  if (entry.kernel == nullptr) {
    if (const cudaError_t error = load(entry.binary); error != cudaSuccess) return error;
    const CUresult error = cuLibraryGetKernel(&entry.kernel, entry.binary->library, entry.name.c_str());
    if (error == CUDA_ERROR_NOT_FOUND) return cudaErrorInvalidDeviceFunction;
    if (error != CUDA_SUCCESS) return code_of(error);
  }
  kernel = entry.kernel;
  return cudaSuccess;
}

}  // namespace

Binary* register_binary(const void* wrapper) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  all.binaries.push_back(std::make_unique<Binary>());
  if (wrapper != nullptr) all.binaries.back()->wrappers.push_back(wrapper);
  return all.binaries.back().get();
}

Binary* register_linked_part(const void* link, const void* wrapper) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  const auto at = std::find_if(all.binaries.begin(), all.binaries.end(),
                               [&](const auto& binary) { return binary->link == link && !binary->loaded; });
  Binary* binary = at == all.binaries.end() ? register_binary(nullptr) : at->get();
  binary->link = link;
  binary->wrappers.push_back(wrapper);
  return binary;
}

void unregister_binary(Binary* binary) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  const auto at = std::find_if(all.binaries.begin(), all.binaries.end(),
                               [&](const auto& known) { return known.get() == binary; });
  if (at == all.binaries.end()) return;
  forget_kernels(all, binary);
  if (binary->library != nullptr) cuLibraryUnload(binary->library);
  all.binaries.erase(at);
}

void register_kernel(Binary* binary, const void* host, const char* name) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  auto entry = std::make_unique<KernelEntry>();
  entry->binary = binary;
  entry->name = name;
  KernelEntry* made = entry.get();
  // A template that several files have is registered by each: the first is the one whose address they share.
  if (all.kernels.try_emplace(host, std::move(entry)).second) all.entries.emplace(made, made);
}

void register_variable(Binary* binary, const void* host, const char* name, size_t bytes, void** managed) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  const Variable variable{binary, name, bytes, managed};
  all.variables.try_emplace(host, variable);
  if (managed != nullptr) binary->managed.push_back(variable);
}

cudaError_t load(Binary* binary) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  if (binary->loaded) return code_of(binary->error);
  if (const cudaError_t error = ensure_context(); error != cudaSuccess) return error;
  binary->loaded = true;
  if (binary->wrappers.empty()) {
    binary->error = CUDA_ERROR_NO_BINARY_FOR_GPU;
  } else if (binary->link == nullptr) {
    binary->error = cuLibraryLoadData(&binary->library, binary->wrappers.front(), nullptr, nullptr, 0,
                                      nullptr, nullptr, 0);
  } else {
    binary->error = join(binary->wrappers, binary->library);
  }
  if (binary->error == CUDA_SUCCESS) set_managed(*binary);
  return code_of(binary->error);
}

cudaError_t reset_with_variables() {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  std::vector<std::pair<const Variable*, std::vector<std::byte>>> kept;
  for (const auto& binary : all.binaries) {
    for (const Variable& variable : binary->managed) {
      const auto* bytes = static_cast<const std::byte*>(*variable.managed);
      if (binary->library != nullptr && bytes != nullptr)
        kept.emplace_back(&variable, std::vector(bytes, bytes + variable.bytes));
    }
  }
  const cudaError_t error = reset_device();
  if (kept.empty() || ensure_context() != cudaSuccess) return error;
  for (const auto& binary : all.binaries)
    if (binary->library != nullptr) set_managed(*binary);
  for (const auto& [variable, bytes] : kept) std::memcpy(*variable->managed, bytes.data(), bytes.size());
  return error;
}

KernelEntry* find_kernel(const void* host) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  const auto at = all.kernels.find(host);
  return at == all.kernels.end() ? nullptr : at->second.get();
}

cudaError_t resolve_kernel(const void* function, CUkernel& kernel) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  if (function == nullptr) return cudaErrorInvalidDeviceFunction;
  if (const auto at = all.kernels.find(function); at != all.kernels.end())
    return kernel_of(*at->second, kernel);
  if (const auto at = all.entries.find(function); at != all.entries.end())
    return kernel_of(*at->second, kernel);
  // A kernel of cudaLibraryGetKernel: the driver knows its own.
  kernel = static_cast<CUkernel>(const_cast<void*>(function));
  CUlibrary library = nullptr;
  return code_of(cuKernelGetLibrary(&library, kernel));
}

const void* host_function_of(const void* kernel) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  for (const auto& [host, entry] : all.kernels)
    if (entry->kernel == kernel) return host;
  return kernel;
}

cudaError_t resolve_function(const void* function, CUfunction& made) {
  CUkernel kernel = nullptr;
  if (const cudaError_t error = resolve_kernel(function, kernel); error != cudaSuccess) return error;
  return code_of(cuKernelGetFunction(&made, kernel));
}

cudaError_t resolve_variable(const void* host, DeviceVariable& variable) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  const auto at = all.variables.find(host);
  if (at == all.variables.end()) return cudaErrorInvalidSymbol;
  if (const cudaError_t error = load(at->second.binary); error != cudaSuccess) return error;
  const CUresult error = cuLibraryGetGlobal(&variable.address, &variable.bytes, at->second.binary->library,
                                            at->second.name.c_str());
  if (error == CUDA_ERROR_NOT_FOUND) return cudaErrorInvalidSymbol;
  if (error == CUDA_SUCCESS && at->second.bytes != 0) variable.bytes = at->second.bytes;
  return code_of(error);
}

}  // namespace warplens::runtime
