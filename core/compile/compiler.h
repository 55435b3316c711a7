// Compiles CUDA C++ to PTX (NVRTC, or clang: choice.h), and PTX to machine code with its resources (ptxas).
// The library and the program are found at run time and need no CUDA header and no GPU. If one is absent, the
// error is of kind missing and says what still works.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/compile/kernel_headers.h"
#include "core/device/device.h"
#include "core/device/occupancy.h"

namespace warplens {

enum class CompilerKind : uint8_t { what_is_there, nvrtc, clang };

struct CompileOptions {
  ComputeCapability architecture{5, 0};
  std::vector<std::string> include_directories;  // empty for the CUDA headers that set-up brought
  std::vector<std::string> extra;                // further options, as NVRTC takes them
  std::string compiler;                          // path of NVRTC; empty for the one that set-up brought
  bool debug = false;                            // with debug information; nothing is optimised (-G)
  // what_is_there: the one that WARPLENS_COMPILER names, else NVRTC, else clang.
  CompilerKind kind = CompilerKind::what_is_there;
  std::span<const KernelHeader> headers = {};  // NVRTC has none of the host's; compile_cuda gives it these
};

struct Compilation {
  bool ok = false;
  std::string ptx;
  std::vector<Diagnostic> diagnostics;  // with their lines in the source
  std::string log;
  std::string compiler;  // which made it: "NVRTC 12.9", "clang 19.1.7"
  double compile_ms = 0;
};

// Compiles, always with -lineinfo. Bad source gives ok == false and diagnostics. An Error means that there
// is no compiler, that it does not know an architecture as old as the requested one, or that it was
// cancelled. For an architecture that is newer than the compiler, the PTX is for the newest one that it
// knows; it runs there too. `stop` cancels between phases if the library can (from 12.4 on). The PTX calls
// the source `name`, without the folder in which the compiler ran.
Result<Compilation> compile_cuda(std::string_view source, std::string_view name,
                                 const CompileOptions& options, std::stop_token stop = {});

// The version of the loaded NVRTC ("12.9"), or why there is none.
Result<std::string> compiler_version();

struct AssemblyOptions {
  uint32_t max_registers = 0;  // 0 for no limit
  // Fuse plain mul + add into one instruction, as ptxas does by default. Without it the results have exactly
  // the bits that the PTX demands, for comparisons.
  bool contract = true;
  bool for_driver_of_12 = false;  // machine code that a driver of CUDA 12 loads, where the PTX allows it
};

// The registers, spills, stack, barriers and shared bytes of one entry on a device, from a whole-program
// assembly like that of nvcc and the driver. ptxas 13 assembles for sm_75 and later, 12.9 for older devices.
// PTX for a newer architecture than the device's is refused, as by a driver. It takes 10 to 40 ms for a small
// kernel, so it must not be called in a frame. Results are cached: in files for all processes
// (assembly_cache.h), and the last few in memory, protected by a mutex, because views request the same ones
// repeatedly. The only other state of this folder is the user's choice of a compiler (choice.h) and the
// version that clang reported.
Result<Resources> resources_of(std::string_view ptx, std::string_view entry, ComputeCapability architecture,
                               AssemblyOptions options = {});

// The cubin itself (ELF), for a real device, from the same assembly.
Result<std::string> assemble_cubin(std::string_view ptx, ComputeCapability architecture,
                                   AssemblyOptions options = {});

}  // namespace warplens
