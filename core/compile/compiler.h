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
  std::string compiler;                          // path of NVRTC; empty: the one that set-up brought
};

struct Compilation {
  bool ok = false;
  std::string ptx;
  std::vector<Diagnostic> diagnostics;  // at their lines of the source
  std::string log;
  double compile_ms = 0;
};

// Always with -lineinfo. Bad source gives ok == false and diagnostics; an Error means that there is no
// compiler, that it knows no architecture as old as the one asked for, or that it was cancelled. An
// architecture newer than the compiler gives PTX for the newest that it knows, which runs there too.
// `stop` cancels between phases where the library can (12.4 on). The PTX names the source `name`, without the
// folder that the compiler happened to run in.
Result<Compilation> compile_cuda(std::string_view source, std::string_view name,
                                 const CompileOptions& options, std::stop_token stop = {});

// Version of the loaded NVRTC ("12.9"), or why there is none.
Result<std::string> compiler_version();

struct LinkOptions {
  uint32_t max_registers = 0;  // 0: no cap
  // Fuse plain mul + add into one instruction, as ptxas does by default. Off, the machine code gives the bits
  // that the PTX says, for comparisons.
  bool contract = true;
};

// Registers, spills, stack and shared bytes of one entry for a device, read from nvJitLink's cubin. 12.9 for
// PTX ISA up to 8.8, 13.x for newer on sm_75 and later. PTX for a newer architecture than the device's is
// refused, as a driver does.
// The last few links are kept for the whole process, behind a mutex, because views ask for the same again and
// again: the one piece of state in this folder.
Result<Resources> resources_of(std::string_view ptx, std::string_view entry, ComputeCapability architecture,
                               LinkOptions options = {});

// The cubin itself (ELF), for a real device.
Result<std::string> link_cubin(std::string_view ptx, ComputeCapability architecture,
                               LinkOptions options = {});

}  // namespace warplens
