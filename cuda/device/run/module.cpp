#include "cuda/device/run/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/compile/compiler.h"
#include "cuda/device/driver/error.h"

namespace warplens::cuda {

namespace {

constexpr unsigned log_bytes = 16 * 1024;

// CUDA's interface takes such values in place of a pointer.
void* value(uintptr_t number) { return reinterpret_cast<void*>(number); }

Owned<CUmodule> owned(const Driver& driver, CUmodule module) {
  const auto unload = driver.cuModuleUnload;
  return Owned<CUmodule>(module, [unload](CUmodule m) { unload(m); });
}

// Loads PTX with the driver's compiler. If it refuses the PTX, the error has its message.
Result<Module> load_ptx(const Context& context, const LaunchRequest& request) {
  std::string log(log_bytes, '\0');
  std::vector<CUjit_option> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::vector<void*> values{log.data(), value(log_bytes)};
  if (request.max_registers != 0) {
    options.push_back(CU_JIT_MAX_REGISTERS);
    values.push_back(value(request.max_registers));
  }
  const Driver& driver = context.driver();
  CUmodule module = nullptr;
  const CUresult r =
      driver.cuModuleLoadDataEx(&module, request.module->ptx.c_str(), static_cast<unsigned>(options.size()),
                                options.data(), values.data());
  if (r != CUDA_SUCCESS) {
    Error error = error_of(driver, r, fmt::format("Loading {} as PTX", request.module->ptx_name));
    log.resize(std::min(log.find('\0'), log.size()));
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
    if (!log.empty()) error.message += "; the driver's compiler says: " + log;
    return error;
  }
  return Module{owned(driver, module), "PTX, compiled by the driver"};
}

Result<Module> load_cubin(const Context& context, const std::string& cubin) {
  const Driver& driver = context.driver();
  CUmodule module = nullptr;
  const CUresult r = driver.cuModuleLoadDataEx(&module, cubin.data(), 0, nullptr, nullptr);
  if (r != CUDA_SUCCESS) return error_of(driver, r, "Loading the machine code");
  return Module{owned(driver, module), "machine code, made by ptxas"};
}

uint32_t attribute_of(const Driver& driver, CUfunction function, CUfunction_attribute attribute) {
  int number = 0;
  if (driver.cuFuncGetAttribute(&number, attribute, function) != CUDA_SUCCESS || number < 0) return 0;
  return static_cast<uint32_t>(number);
}

std::optional<size_t> count_arguments(const Driver& driver, CUfunction function) {
  if (driver.cuFuncGetParamInfo == nullptr) return std::nullopt;
  size_t count = 0, offset = 0, bytes = 0;
  while (driver.cuFuncGetParamInfo(function, count, &offset, &bytes) == CUDA_SUCCESS) ++count;
  return count;
}

}  // namespace

Result<Module> load_module(const Context& context, const LaunchRequest& request) {
  for (const bool driver_of_12 : {false, true}) {
    const Result<std::string> cubin = assemble_cubin(request.module->ptx, request.device.compute_capability,
                                                     {request.max_registers, request.contract, driver_of_12});
    // The driver would refuse bad PTX too, and the assembler's message is better.
    if (!cubin && cubin.error().kind != ErrorKind::missing) return cubin.error();
    if (!cubin) break;
    Result<Module> module = load_cubin(context, *cubin);
    if (module) return module;
  }
  return load_ptx(context, request);
}

Result<Function> find_function(const Context& context, const Module& module, const LaunchStep& launch) {
  const Driver& driver = context.driver();
  Function function;
  if (const CUresult r =
          driver.cuModuleGetFunction(&function.handle, module.handle.get(), launch.entry.c_str());
      r != CUDA_SUCCESS)
    return error_of(driver, r, fmt::format("Looking for the kernel {}", launch.entry));
  const auto attribute = [&](CUfunction_attribute a) { return attribute_of(driver, function.handle, a); };
  function.resources.registers_per_thread = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
  function.resources.shared_static_bytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  function.resources.local_bytes = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  function.resources.constant_bytes = attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  function.resources.origin = ResourceOrigin::driver;
  function.max_threads = attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  function.arguments = count_arguments(driver, function.handle);
  if (function.arguments && *function.arguments != launch.arguments.size())
    return bad_input(fmt::format("{} takes {} arguments; {} were given.", launch.entry, *function.arguments,
                                 launch.arguments.size()));
  if (launch.shared_dynamic_bytes > 0) {
    const CUresult r =
        driver.cuFuncSetAttribute(function.handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  static_cast<int>(launch.shared_dynamic_bytes));
    if (r != CUDA_SUCCESS)
      return error_of(driver, r,
                      fmt::format("Letting {} have {} bytes of dynamic shared memory", launch.entry,
                                  launch.shared_dynamic_bytes));
  }
  int blocks = 0;
  if (driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function.handle,
                                                         static_cast<int>(launch.block.count()),
                                                         launch.shared_dynamic_bytes) == CUDA_SUCCESS)
    function.max_active_blocks_per_sm = static_cast<uint32_t>(std::max(blocks, 0));
  return function;
}

bool has_writable_variables(std::string_view ptx) {
  constexpr std::string_view word = ".global";
  constexpr std::string_view blank = " \t\r\n";
  for (size_t at = ptx.find(word); at != std::string_view::npos; at = ptx.find(word, at + 1)) {
    const bool starts = at == 0 || blank.find(ptx[at - 1]) != std::string_view::npos;
    const size_t end = at + word.size();
    // In instructions (ld.global.f32) it is part of a longer word.
    if (starts && end < ptx.size() && blank.find(ptx[end]) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace warplens::cuda
