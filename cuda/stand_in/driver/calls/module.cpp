// Modules, libraries, and the linker that joins PTX texts.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/modules.h"
#include "cuda/stand_in/driver/calls/teardown.h"
#include "cuda/stand_in/driver/code/image.h"
#include "cuda/stand_in/driver/code/merge_ptx.h"

using namespace warplens::driver;

namespace {

CUresult load(CUmodule* made, const void* image, std::optional<size_t> size, const JitLogs& logs) {
  if (made == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    std::string ptx;
    std::shared_ptr<const warplens::ptx::Module> tree;
    Module* module = nullptr;
    CUresult error = read_image(device, image, size, logs, ptx);
    if (error == CUDA_SUCCESS)
      error = parse_text(device, with_register_limit(std::move(ptx), logs.max_registers), logs, tree);
    if (error == CUDA_SUCCESS) error = load_module(device, context, std::move(tree), module);
    if (error == CUDA_SUCCESS) *made = reinterpret_cast<CUmodule>(module);
    return error;
  });
}

bool read_file(const char* path, std::string& bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) && std::filesystem::is_directory(path, error))
    return false;
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return !file.bad();
}

CUresult load_library(CUlibrary* made, const void* image, std::optional<size_t> size, const JitLogs& logs) {
  if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    auto library = std::make_unique<Library>();
    CUresult error = read_image(device, image, size, logs, library->ptx);
    if (error == CUDA_SUCCESS) {
      library->ptx = with_register_limit(std::move(library->ptx), logs.max_registers);
      error = parse_text(device, library->ptx, logs, library->tree);
    }
    if (error != CUDA_SUCCESS) return error;
    *made = reinterpret_cast<CUlibrary>(device.libraries.add(std::move(library)));
    return CUDA_SUCCESS;
  });
}

Kernel* kernel_of(Gpu& device, Library& library, std::string_view name) {
  if (const auto at = library.kernels.find(name); at != library.kernels.end()) return at->second.get();
  if (library.tree->find_entry(name) == nullptr) return nullptr;
  auto kernel = std::make_unique<Kernel>();
  kernel->library = &library;
  kernel->name = name;
  Kernel* made = kernel.get();
  device.kernels.insert(made);
  library.kernels.emplace(std::string(name), std::move(kernel));
  return made;
}

// An input of cuLink: PTX, or a file that contains PTX. The archive of the CUDA device runtime is not needed
// (merge_ptx.h).
CUresult add_input(Gpu& device, Link& link, std::string_view bytes, std::string_view name) {
  const JitLogs logs{link.info_log,    link.error_log, link.info_bytes,
                     link.error_bytes, link.info_size, link.error_size};
  const ImageKind kind = kind_of_image(bytes.substr(0, 8));
  if (kind == ImageKind::archive && name.find("cudadevrt") != std::string_view::npos) return CUDA_SUCCESS;
  if (kind == ImageKind::archive || kind == ImageKind::machine_code) {
    std::vector<std::string> texts = ptx_of_objects(bytes, device.target_of_all());
    for (std::string& text : texts) link.inputs.push_back({std::string(name), std::move(text)});
    if (!texts.empty()) return CUDA_SUCCESS;
  }
  std::string ptx;
  const CUresult error = read_image(device, bytes.data(), bytes.size(), logs, ptx);
  if (error != CUDA_SUCCESS) return error;
  link.inputs.push_back({std::string(name), std::move(ptx)});
  return CUDA_SUCCESS;
}

template <class F>
CUresult with_module(CUmodule handle, F f) {
  const auto of = [&](Gpu& device) -> Context* {
    const Module* module = device.modules.find(handle);
    return module == nullptr ? nullptr : module->context;
  };
  return with_context_of(Waits::no, of, [&](Gpu& device, Context& context) -> CUresult {
    Module* module = device.modules.find(handle);
    if (module == nullptr)
      return device.refuse(CUDA_ERROR_INVALID_HANDLE, "This is no module that is loaded.");
    return f(device, context, *module);
  });
}

template <class F>
CUresult with_library(CUlibrary handle, F f) {
  return with_gpu([&](Gpu& device) -> CUresult {
    Library* library = device.libraries.find(handle);
    if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return f(device, *library);
  });
}

}  // namespace

extern "C" {

CUresult cuModuleLoadData(CUmodule* made, const void* image) { return load(made, image, std::nullopt, {}); }

CUresult cuModuleLoadDataEx(CUmodule* made, const void* image, unsigned count, CUjit_option* options,
                            void** values) {
  return load(made, image, std::nullopt, logs_of(count, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule* made, const void* image) {
  return load(made, image, std::nullopt, {});
}

CUresult cuModuleLoad(CUmodule* made, const char* path) {
  std::string bytes;
  if (path == nullptr) return invalid_argument();
  const CUresult state = with_context(Waits::no, [](Gpu&, Context&) { return CUDA_SUCCESS; });
  if (state != CUDA_SUCCESS) return state;
  if (!read_file(path, bytes)) return CUDA_ERROR_FILE_NOT_FOUND;
  return load(made, bytes.data(), bytes.size(), {});
}

CUresult cuModuleUnload(CUmodule handle) {
  if (handle == nullptr) return invalid_handle();
  perform_all_deferred();
  return with_any_context([&](Gpu& device) -> CUresult {
    Module* module = device.modules.find(handle);
    if (module == nullptr)
      return device.refuse(CUDA_ERROR_INVALID_HANDLE, "This is no module that is loaded.");
    unload(device, *module);
    device.modules.take(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction* made, CUmodule handle, const char* name) {
  if (handle == nullptr) return invalid_handle();
  if (made == nullptr || name == nullptr) return invalid_value();
  return with_module(handle, [&](Gpu& device, Context&, Module& module) {
    CUresult error = CUDA_ERROR_INVALID_VALUE;
    if (*name == 0) return error;
    *made = reinterpret_cast<CUfunction>(function_of(device, module, name, error));
    return error;
  });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule handle) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_module(handle, [&](Gpu&, Context&, Module& module) {
    *count = 0;
    for (const auto& function : module.tree->functions) *count += function.is_entry ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* made, unsigned most, CUmodule handle) {
  if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_module(handle, [&](Gpu& device, Context&, Module& module) {
    CUresult error = CUDA_SUCCESS;
    unsigned count = 0;
    for (const auto& function : module.tree->functions) {
      if (!function.is_entry || count == most) continue;
      made[count++] = reinterpret_cast<CUfunction>(function_of(device, module, function.name, error));
      if (error != CUDA_SUCCESS) return error;
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule handle, const char* name) {
  if (handle == nullptr) return invalid_handle();
  if (name == nullptr) return invalid_value();
  return with_module(handle, [&](Gpu&, Context&, Module& module) -> CUresult {
    const Module::Variable* variable = variable_of(module, name);
    if (variable == nullptr)
      return *name == 0 || module.tree->find_entry(name) != nullptr ? CUDA_ERROR_INVALID_VALUE
                                                                    : CUDA_ERROR_NOT_FOUND;
    if (address != nullptr) *address = variable->address;
    if (bytes != nullptr) *bytes = variable->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return invalid_value();
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* made) {
  if (made == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context& context) {
    const JitLogs logs = logs_of(count, options, values);
    auto link = std::make_unique<Link>();
    link->context = &context;
    link->max_registers = logs.max_registers;
    link->info_log = logs.info;
    link->info_bytes = logs.info_bytes;
    link->info_size = logs.info_written;
    link->error_log = logs.error;
    link->error_bytes = logs.error_bytes;
    link->error_size = logs.error_written;
    *made = reinterpret_cast<CUlinkState>(device.links.add(std::move(link)));
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType, void* data, size_t bytes, const char* name,
                          unsigned, CUjit_option*, void**) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (data == nullptr || bytes == 0) return invalid_value();
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    Link* link = device.links.find(handle);
    if (link == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return add_input(device, *link, {static_cast<const char*>(data), bytes},
                     name == nullptr ? "a text" : name);
  });
}

CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType, const char* path, unsigned, CUjit_option*,
                          void**) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  std::string bytes;
  if (path == nullptr) return invalid_value();
  if (!read_file(path, bytes)) return CUDA_ERROR_FILE_NOT_FOUND;
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    Link* link = device.links.find(handle);
    if (link == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return add_input(device, *link, bytes, path);
  });
}

CUresult cuLinkComplete(CUlinkState handle, void** cubin, size_t* bytes) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (cubin == nullptr) return invalid_value();
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    Link* link = device.links.find(handle);
    if (link == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const JitLogs logs{link->info_log,    link->error_log, link->info_bytes,
                       link->error_bytes, link->info_size, link->error_size};
    std::vector<PtxPart> parts;
    for (const LinkInput& input : link->inputs) parts.push_back({input.name, input.ptx});
    warplens::Result<std::string> merged = merge_ptx(parts);
    if (!merged) {
      write_log(logs, merged.error().message, true);
      return device.refuse(CUDA_ERROR_INVALID_SOURCE, merged.error().message);
    }
    std::shared_ptr<const warplens::ptx::Module> tree;
    if (const CUresult error = parse_text(device, *merged, logs, tree); error != CUDA_SUCCESS) return error;
    // The linked result is this text: there is no machine code.
    link->result = with_register_limit(std::move(*merged), link->max_registers);
    *cubin = link->result.data();
    if (bytes != nullptr) *bytes = link->result.size() + 1;
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return with_gpu([&](Gpu& device) -> CUresult {
    return device.links.take(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  });
}

CUresult cuLibraryLoadData(CUlibrary* made, const void* code, CUjit_option* options, void** values,
                           unsigned count, CUlibraryOption*, void**, unsigned) {
  return load_library(made, code, std::nullopt, logs_of(count, options, values));
}

CUresult cuLibraryLoadFromFile(CUlibrary* made, const char* path, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption*, void**, unsigned) {
  std::string bytes;
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (gpu() == nullptr) return not_started();
  if (!read_file(path, bytes)) return CUDA_ERROR_FILE_NOT_FOUND;
  return load_library(made, bytes.data(), bytes.size(), logs_of(count, options, values));
}

CUresult cuLibraryUnload(CUlibrary handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  perform_all_deferred();
  return with_library(handle, [&](Gpu& device, Library& library) {
    for (const auto& [name, kernel] : library.kernels) device.kernels.erase(kernel.get());
    for (const auto& [context, module] : library.modules) {
      unload(device, *module);
      device.modules.take(module);
    }
    device.libraries.take(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernel(CUkernel* made, CUlibrary handle, const char* name) {
  if (made == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_library(handle, [&](Gpu& device, Library& library) -> CUresult {
    Kernel* kernel = kernel_of(device, library, name);
    if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
    *made = reinterpret_cast<CUkernel>(kernel);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary handle) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_library(handle, [&](Gpu&, Library& library) {
    *count = 0;
    for (const auto& function : library.tree->functions) *count += function.is_entry ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* made, unsigned most, CUlibrary handle) {
  if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_library(handle, [&](Gpu& device, Library& library) {
    unsigned count = 0;
    for (const auto& function : library.tree->functions) {
      if (function.is_entry && count < most)
        made[count++] = reinterpret_cast<CUkernel>(kernel_of(device, library, function.name));
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetModule(CUmodule* made, CUlibrary handle) {
  if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    Library* library = device.libraries.find(handle);
    if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    CUresult error = CUDA_SUCCESS;
    *made = reinterpret_cast<CUmodule>(module_of(device, context, *library, error));
    return error;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary handle, const char* name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUmodule module = nullptr;
  if (const CUresult error = cuLibraryGetModule(&module, handle); error != CUDA_SUCCESS) return error;
  return cuModuleGetGlobal_v2(address, bytes, module, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary handle, const char* name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult known = with_library(handle, [&](Gpu&, Library& library) {
    const auto& variables = library.tree->variables;
    const bool is_managed = std::any_of(
        variables.begin(), variables.end(),
        [&](const warplens::ptx::Variable& variable) { return variable.managed && variable.name == name; });
    return is_managed ? CUDA_SUCCESS : *name == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
  });
  CUdeviceptr its_address = 0;
  CUmodule module = nullptr;
  if (known != CUDA_SUCCESS) return known;
  if (const CUresult error = cuLibraryGetModule(&module, handle); error != CUDA_SUCCESS) return error;
  if (const CUresult error = cuModuleGetGlobal_v2(&its_address, bytes, module, name); error != CUDA_SUCCESS)
    return error;
  // The host's address, which only the first context's module has.
  return with_module(module, [&](Gpu&, Context&, Module& of) {
    const auto pages = reinterpret_cast<uintptr_t>(of.pages->begin);
    if (address != nullptr) *address = pages + (its_address - of.base.global);
    return CUDA_SUCCESS;
  });
}
// PTX has no functions for both sides.
CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary handle, const char* name) {
  if (function == nullptr || name == nullptr) return invalid_value();
  return with_library(handle, [](Gpu&, Library&) { return CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuKernelGetFunction(CUfunction* made, CUkernel handle) {
  if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    if (!device.kernels.contains(handle)) return CUDA_ERROR_INVALID_HANDLE;
    CUresult error = CUDA_SUCCESS;
    *made = reinterpret_cast<CUfunction>(find_function(device, context, handle, error));
    return error;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* made, CUkernel handle) {
  if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    if (!device.kernels.contains(handle)) return CUDA_ERROR_INVALID_HANDLE;
    *made = reinterpret_cast<CUlibrary>(reinterpret_cast<Kernel*>(handle)->library);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
