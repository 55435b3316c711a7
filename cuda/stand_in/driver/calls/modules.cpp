#include "cuda/stand_in/driver/calls/modules.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/compile/compiler.h"
#include "core/compile/one_entry.h"
#include "core/gpu/exec/isa/isa.h"
#include "core/ptx/parser/parse.h"
#include "core/recording/kernel_name.h"
#include "cuda/stand_in/driver/calls/refused.h"
#include "cuda/stand_in/driver/calls/teardown.h"
#include "cuda/stand_in/driver/code/image.h"
#include "cuda/stand_in/driver/code/merge_ptx.h"

namespace warplens::driver {

namespace {

// Whether the addresses of its variables are those of its pages, and so the host's too.
bool is_home_of_pages(const Module& module) {
  return module.pages != nullptr && module.base.global == reinterpret_cast<uintptr_t>(module.pages->begin);
}

// A place among the constants of all modules: the first gap that is large enough.
uint64_t place_constants(Gpu& device, uint64_t bytes) {
  uint64_t at = program::constant_window + program::guard_bytes;
  for (const auto& [begin, end] : device.constants) {
    if (begin >= at && begin - at >= bytes + program::guard_bytes) break;
    at = std::max(at, (end + program::guard_bytes + 255) / 256 * 256);
  }
  return bytes > program::constant_window + program::window_bytes - at ? 0 : at;
}

uint64_t address_in(const Module& module, std::string_view symbol) {
  if (const Module::Variable* variable = variable_of(module, symbol)) return variable->address;
  const auto& functions = module.tree->functions;
  for (uint32_t f = 0; f < functions.size(); ++f) {
    if (functions[f].name == symbol) return program::address_of_function(f);
  }
  return 0;
}

void write_initial(exec::Allocation& allocation, const ptx::Variable& variable, const Module& module) {
  std::memcpy(allocation.host, variable.initial.data(), variable.initial.size());
  for (const ptx::Relocation& relocation : variable.relocations) {
    uint64_t value = address_in(module, relocation.symbol) + static_cast<uint64_t>(relocation.addend);
    if (relocation.mask != 0) value = (value & relocation.mask) >> std::countr_zero(relocation.mask);
    if (relocation.offset + relocation.bytes > variable.bytes) continue;
    std::memcpy(allocation.host + relocation.offset, &value, std::min<size_t>(relocation.bytes, 8));
  }
}

CUresult no_room(Gpu& device, Module& module) {
  unload(device, module);
  return device.refuse(CUDA_ERROR_OUT_OF_MEMORY, "There is no memory for the module's variables.");
}

// Where one of its variables is managed, the module has pages of the host, together with the modules of the
// same library in other contexts. False: there is no room.
bool take_pages(Module& module, Library* library, uint64_t bytes) {
  const auto& variables = module.tree->variables;
  if (std::none_of(variables.begin(), variables.end(), [](const ptx::Variable& one) { return one.managed; }))
    return true;
  if (library != nullptr) module.pages = library->pages.lock();
  if (module.pages == nullptr) module.pages = std::make_shared<ManagedPages>((bytes + 4095) / 4096 * 4096);
  if (library != nullptr) library->pages = module.pages;
  return module.pages->begin != nullptr;
}

// The address of the module's global variables: that of its pages, unless those of another context are there.
// 0: there is no room.
uint64_t place_globals(Gpu& device, const Module& module, uint64_t bytes) {
  if (module.pages != nullptr) {
    const auto begin = reinterpret_cast<uintptr_t>(module.pages->begin);
    const exec::Allocation* below = device.memory.nearest_below(begin + module.pages->bytes - 1);
    if (below == nullptr || below->end <= begin) return begin;
  }
  return (device.memory.reserve(bytes + 256) + 255) / 256 * 256;
}

exec::Allocation* place_variable(Gpu& device, const Module& module, const program::ModuleVariable& place) {
  const ptx::Variable& variable = *place.variable;
  const bool is_home = is_home_of_pages(module) && variable.space == ptx::StateSpace::global;
  if (!is_home && !variable.managed)
    return device.memory.allocate_at(place.address, variable.bytes, std::string(variable.name));
  return device.memory.adopt(place.address, module.pages->begin + (place.address - module.base.global),
                             variable.bytes, std::string(variable.name));
}

CUresult place_variables(Gpu& device, Context& context, Module& module, Library* library) {
  const ptx::Module& tree = *module.tree;
  const program::ModuleExtent extent = program::extent_of(tree);
  module.base.constant = place_constants(device, extent.constant_bytes);
  const bool is_shared = library != nullptr && !library->pages.expired();
  if (!take_pages(module, library, extent.global_bytes)) return no_room(device, module);
  module.base.global = place_globals(device, module, extent.global_bytes);
  if (module.base.global == 0 || module.base.constant == 0) return no_room(device, module);
  device.constants[module.base.constant] = module.base.constant + extent.constant_bytes;
  const std::vector<program::ModuleVariable> placed = program::variables_of(tree, module.base);
  std::vector<exec::Allocation*> allocations;
  for (const program::ModuleVariable& place : placed) {
    const ptx::Variable& variable = *place.variable;
    exec::Allocation* made = place_variable(device, module, place);
    if (made == nullptr) return no_room(device, module);
    made->read_only = variable.space == ptx::StateSpace::constant;

    module.variables.push_back({std::string(variable.name), place.address, variable.bytes});
    device.blocks.emplace(place.address, Block{.kind = Block::Kind::module,
                                               .context = &context,
                                               .on = context.on,
                                               .number = ++device.numbers,
                                               .bytes = variable.bytes,
                                               .for_all = variable.managed,
                                               .allocation = made});
    allocations.push_back(made);
  }
  for (size_t i = 0; i < placed.size(); ++i)
    if (!is_shared || !placed[i].variable->managed)
      write_initial(*allocations[i], *placed[i].variable, module);
  return CUDA_SUCCESS;
}

}  // namespace

ManagedPages::ManagedPages(uint64_t size) : bytes(size) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  begin = pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

ManagedPages::~ManagedPages() {
  if (begin != nullptr) munmap(begin, bytes);
}

JitLogs logs_of(unsigned count, const CUjit_option* options, void** values) {
  JitLogs logs;
  if (options == nullptr || values == nullptr) return logs;
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
      case CU_JIT_INFO_LOG_BUFFER:
        logs.info = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER:
        logs.error = static_cast<char*>(values[i]);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        logs.info_bytes = reinterpret_cast<uintptr_t>(values[i]) & 0xffffffff;
        logs.info_written = values + i;
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        logs.error_bytes = reinterpret_cast<uintptr_t>(values[i]) & 0xffffffff;
        logs.error_written = values + i;
        break;
      case CU_JIT_MAX_REGISTERS:
        logs.max_registers = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[i]));
        break;
      default:
        break;
    }
  }
  return logs;
}

namespace {

constexpr std::string_view limit_comment = "\n// warplens: at most this many registers a thread: ";

}  // namespace

std::string with_register_limit(std::string ptx, uint32_t registers) {
  if (registers != 0) ptx += fmt::format("{}{}\n", limit_comment, registers);
  return ptx;
}

uint32_t register_limit_of(std::string_view ptx) {
  const size_t at = ptx.rfind(limit_comment);
  if (at == std::string_view::npos) return 0;
  return static_cast<uint32_t>(
      std::strtoul(std::string(ptx.substr(at + limit_comment.size())).c_str(), nullptr, 10));
}

void write_log(const JitLogs& logs, const std::string& text, bool is_error) {
  char* to = is_error ? logs.error : logs.info;
  const size_t room = is_error ? logs.error_bytes : logs.info_bytes;
  void** written = is_error ? logs.error_written : logs.info_written;
  size_t size = 0;
  if (to != nullptr && room != 0) {
    size = std::min(text.size(), room - 1);
    std::memcpy(to, text.data(), size);
    to[size] = 0;
  }
  if (written != nullptr) *written = reinterpret_cast<void*>(size == 0 ? 0 : size + 1);
}

CUresult read_image(Gpu& device, const void* image, std::optional<size_t> size, const JitLogs& logs,
                    std::string& ptx) {
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // What all devices can run; else what some can.
  Result<std::string> text = ptx_of_image(image, size, device.target_of_all());
  if (!text && device.target_of_any() != device.target_of_all())
    text = ptx_of_image(image, size, device.target_of_any());
  if (text) {
    ptx = std::move(*text);
    return CUDA_SUCCESS;
  }
  write_log(logs, text.error().message, true);
  return device.refuse(
      text.error().kind == ErrorKind::missing ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE,
      text.error().message);
}

namespace {

std::string too_new(const ptx::Module& tree, const Device& spec) {
  const uint32_t capability = spec.compute_capability.number();
  return fmt::format(
      "The PTX is for {} and newer; the {} has compute capability {}.{}. Compile for it, or choose another "
      "device (--device).",
      tree.target, spec.name, capability / 10, capability % 10);
}

}  // namespace

CUresult parse_text(Gpu& device, const std::string& ptx, const JitLogs& logs,
                    std::shared_ptr<const ptx::Module>& tree) {
  const double begin_us = recording::now_us();
  ptx::ParseResult parsed = ptx::parse(with_grid_barrier(ptx), "program.ptx");
  device.journal.module(begin_us, recording::now_us() - begin_us, ptx.size());
  tree = parsed.module;
  if (tree != nullptr && tree->target_number > device.target_of_any()) {
    const std::string why = too_new(*tree, device.devices.front()->spec);
    write_log(logs, why, true);
    return device.refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, why);
  }
  write_log(logs, "", true);
  write_log(logs, "", false);
  if (tree != nullptr) return CUDA_SUCCESS;
  const std::string why = to_text(parsed.diagnostics);
  write_log(logs, why, true);
  return device.refuse(CUDA_ERROR_INVALID_PTX, "The PTX cannot be loaded: " + why);
}

CUresult load_module(Gpu& device, Context& context, std::shared_ptr<const ptx::Module> tree, Module*& made,
                     Library* library) {
  if (tree->target_number > device.newest_target(*context.on))
    return device.refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, too_new(*tree, context.on->spec));
  auto module = std::make_unique<Module>();
  module->context = &context;
  module->tree = std::move(tree);
  if (const CUresult error = place_variables(device, context, *module, library); error != CUDA_SUCCESS)
    return error;
  module->max_registers = register_limit_of(*module->tree->text);
  made = device.modules.add(std::move(module));
  return CUDA_SUCCESS;
}

const Module::Variable* variable_of(const Module& module, std::string_view name) {
  const auto at = std::find_if(module.variables.begin(), module.variables.end(),
                               [&](const Module::Variable& v) { return v.name == name; });
  return at == module.variables.end() ? nullptr : &*at;
}

Function* function_of(Gpu& device, Module& module, std::string_view name, CUresult& error) {
  error = CUDA_SUCCESS;
  if (const auto at = module.functions.find(name); at != module.functions.end()) return at->second.get();
  const ptx::Function* code = module.tree->find_entry(name);
  if (code == nullptr) {
    error = CUDA_ERROR_NOT_FOUND;
    return nullptr;
  }
  program::DecodeMode mode;
  mode.base = module.base;
  mode.watching = device.settings.sanitize == Sanitize::off      ? program::Watching::nothing
                  : device.settings.sanitize == Sanitize::memory ? program::Watching::divisions
                                                                 : program::Watching::all;
  program::DecodeResult decoded = program::decode(module.tree, name, exec::best_ops(), mode);
  if (decoded.program == nullptr) {
    device.refuse(CUDA_ERROR_INVALID_PTX,
                  fmt::format("{} cannot be run: {}", recording::readable_kernel_name(name),
                              to_text(decoded.diagnostics)));
    error = CUDA_ERROR_INVALID_PTX;
    return nullptr;
  }
  auto function = std::make_unique<Function>();
  function->module = &module;
  function->code = code;
  function->program = std::move(decoded.program);
  function->name = recording::readable_kernel_name(name);
  Function* made = function.get();
  device.functions.insert(made);
  module.functions.emplace(std::string(name), std::move(function));
  return made;
}

Module* module_of(Gpu& device, Context& context, Library& library, CUresult& error) {
  error = CUDA_SUCCESS;
  if (const auto at = library.modules.find(&context); at != library.modules.end()) return at->second;
  Module* made = nullptr;
  error = load_module(device, context, library.tree, made, &library);
  if (error != CUDA_SUCCESS) return nullptr;
  library.modules[&context] = made;
  return made;
}

Function* find_function(Gpu& device, Context& context, const void* handle, CUresult& error) {
  error = CUDA_SUCCESS;
  if (device.functions.contains(handle)) {
    auto* function = const_cast<Function*>(static_cast<const Function*>(handle));
    if (function->module->context == &context) return function;
    error = device.refuse(
        CUDA_ERROR_INVALID_HANDLE,
        fmt::format("{} belongs to another context than the one that is current: load its module in "
                    "this context, or make the other one current.",
                    function->name));
    return nullptr;
  }
  if (!device.kernels.contains(handle)) {
    error = device.refuse(CUDA_ERROR_INVALID_HANDLE, "This is no function of a module that is loaded.");
    return nullptr;
  }
  const auto* kernel = static_cast<const Kernel*>(handle);
  Module* module = module_of(device, context, *kernel->library, error);
  if (module == nullptr) return nullptr;
  Function* function = function_of(device, *module, kernel->name, error);
  const auto set = kernel->max_dynamic_shared_bytes.find(context.on);
  if (function != nullptr && set != kernel->max_dynamic_shared_bytes.end())
    function->max_dynamic_shared_bytes = set->second;
  return function;
}

const Resources* resources_of_function(Function& function) {
  if (!function.resources_asked) {
    function.resources_asked = true;
    const OwnLibrary works;
    constexpr size_t large_text = size_t{1} << 20;
    const std::string& whole = *function.module->tree->text;
    // A kernel that launches others names them.
    const bool is_large = whole.size() > large_text && !function.program->calls_runtime;
    const std::string one = is_large ? with_one_entry(whole, function.code->name) : "";
    Result<Resources> got = warplens::resources_of(one.empty() ? whole : one, function.code->name,
                                                   function.module->context->on->spec.compute_capability,
                                                   {.max_registers = function.module->max_registers});
    if (got) function.resources = *got;
  }
  return function.resources ? &*function.resources : nullptr;
}

}  // namespace warplens::driver
