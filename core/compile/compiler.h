// CUDA C++ → PTX (NVRTC) and PTX → what the real assembler gives it (nvJitLink). Both libraries are loaded at
// run time, with no CUDA header and no GPU; their absence is an error of kind missing that says what still
// works.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/device/device.h"
#include "core/device/occupancy.h"

namespace warplens {

struct CompileOptions {
  ComputeCapability architecture{5, 0};
  std::vector<std::string> include_directories;  // empty: the CUDA headers that set-up brought
  std::vector<std::string> extra;                // further NVRTC options
};

struct Compilation {
  bool ok = false;
  std::string ptx;
  std::vector<Diagnostic> diagnostics;  // at their lines of the source
  std::string log;
  double compile_ms = 0;
};

// Always with -lineinfo. Bad source gives ok == false and diagnostics; an Error means that there is no
// compiler. `stop` cancels between phases where the library can.
Result<Compilation> compile_cuda(std::string_view source, std::string_view name,
                                 const CompileOptions& options, std::stop_token stop = {});

// Version of the loaded NVRTC ("12.9"), or why there is none.
Result<std::string> compiler_version();

// Registers, spills, stack and shared bytes of one entry for a device, from nvJitLink's cubin. 12.9 for PTX
// ISA up to 8.8, 13.x for newer on sm_75 and later. Results are cached in the process. `max_registers` 0: no
// cap.
Result<Resources> resources_of(std::string_view ptx, std::string_view entry, ComputeCapability architecture,
                               uint32_t max_registers = 0);

// The cubin itself (ELF), for a real device.
Result<std::string> link_cubin(std::string_view ptx, ComputeCapability architecture,
                               uint32_t max_registers = 0);

}  // namespace warplens
