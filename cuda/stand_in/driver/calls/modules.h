// Code that a program loads: text → module, and its functions and variables.
#pragma once

#include <optional>
#include <string>

#include "core/gpu/exec/state/device_work.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// The options of cuModuleLoadDataEx and cuLinkCreate.
struct JitLogs {
  char *info = nullptr, *error = nullptr;
  size_t info_bytes = 0, error_bytes = 0;
  void **info_written = nullptr, **error_written = nullptr;
  uint32_t max_registers = 0;
};
// The linker's options stay with its result, which is text, in a comment at the end.
std::string with_register_limit(std::string ptx, uint32_t registers);
uint32_t register_limit_of(std::string_view ptx);
JitLogs logs_of(unsigned count, const CUjit_option* options, void** values);
void write_log(const JitLogs& logs, const std::string& text, bool is_error);

// The PTX of an image; an error is reported.
CUresult read_image(Gpu& device, const void* image, std::optional<size_t> size, const JitLogs& logs,
                    std::string& ptx);
CUresult parse_text(Gpu& device, const std::string& ptx, const JitLogs& logs,
                    std::shared_ptr<const ptx::Module>& tree);
// `library`: that it is of; null for one that was loaded by itself.
CUresult load_module(Gpu& device, Context& context, std::shared_ptr<const ptx::Module> tree, Module*& made,
                     Library* library = nullptr);
// Decodes a function on its first use. Null if there is none, or if it cannot be run, which is reported.
Function* function_of(Gpu& device, Module& module, std::string_view name, CUresult& error);
const Module::Variable* variable_of(const Module& module, std::string_view name);
// A function, or the kernel of a library in this context.
Function* find_function(Gpu& device, Context& context, const void* handle, CUresult& error);
Module* module_of(Gpu& device, Context& context, Library& library, CUresult& error);

const Resources* resources_of_function(Function& function);
// What is said of a kernel, to the host and to kernels.
exec::KernelFacts facts_of_function(Function& function);
uint32_t active_blocks_of_function(Function& function, uint32_t threads, uint64_t dynamic_bytes);

}  // namespace warplens::driver
