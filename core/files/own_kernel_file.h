// Own kernels out of files: reads, compiles for a device, and describes.
#pragma once

#include <stop_token>
#include <string>

#include "core/device/device.h"
#include "core/kernels/own/own_kernel.h"

namespace warplens {

struct CompiledKernel {
  OwnKernel own;
  std::string source, name, path;  // the text itself, also where it does not compile
  double compile_ms = 0;           // measured; 0: nothing was compiled
};

constexpr uint64_t max_own_source_bytes = uint64_t{16} << 20;

// Compiles a text. A source with errors is no Error but has diagnostics; an Error means that there is no
// compiler, that it knows no such device, or that it was cancelled. The last few texts of the process are
// kept, so that going back to one costs nothing.
// A text of PTX, by the ending of its name, needs no compiler. `copy_of`: the built-in kernel that the text
// began as; empty: none.
struct OwnKernelSource {
  std::string source, name, path, entry, copy_of;
};
Result<CompiledKernel> make_own_kernel(const OwnKernelSource& text, const Device& device,
                                       std::stop_token stop);

// FILE.cu or FILE.ptx. Errors that end in no kernel are joined into one message, a line each.
Result<CompiledKernel> open_own_kernel(const std::string& path, const Device& device,
                                       const std::string& entry, std::stop_token stop);

// By the ending of its name: .cu or .ptx.
bool is_own_kernel_path(const std::string& path);
// The diagnostics as an Error, a line each.
Error error_of(const std::vector<Diagnostic>& diagnostics);

}  // namespace warplens
