// Reads the user's own kernels from files, compiles them for a device, and describes them.
#pragma once

#include <stop_token>
#include <string>

#include "core/compile/compiler.h"
#include "core/device/device.h"
#include "core/kernels/own/own_kernel.h"

namespace warplens {

struct CompiledKernel {
  OwnKernel own;
  std::string source, name, path;  // set even if the text does not compile
  double compile_ms = 0;           // measured; 0 if nothing was compiled
  std::string compiler;            // which made it: "clang 19.1.7"; empty for PTX
};

constexpr uint64_t max_own_source_bytes = uint64_t{16} << 20;

// Compiles a text. Errors in the source are returned as diagnostics. An Error means that there is no
// compiler, that it does not know the device, or that it was cancelled. The results of the last few texts
// are kept, so that going back to one costs nothing. A text whose name ends in .ptx is PTX and needs no
// compiler. `copy_of` names the built-in kernel from which the text was copied, and is empty if there is
// none.
struct OwnKernelSource {
  std::string source, name, path, entry, copy_of;
  CompilerKind compiler = CompilerKind::what_is_there;  // as in CompileOptions
};
Result<CompiledKernel> make_own_kernel(const OwnKernelSource& text, const Device& device,
                                       std::stop_token stop);

// Opens FILE.cu or FILE.ptx. If there is no kernel because of errors, they become one message with a line
// for each.
Result<CompiledKernel> open_own_kernel(const std::string& path, const Device& device,
                                       const std::string& entry, std::stop_token stop,
                                       CompilerKind compiler = CompilerKind::what_is_there);

// Whether the name ends in .cu or .ptx.
bool is_own_kernel_path(const std::string& path);
// The diagnostics as an Error, with a line for each.
Error error_of(const std::vector<Diagnostic>& diagnostics);

}  // namespace warplens
