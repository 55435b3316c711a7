// What to run: a module, named buffers, and a list of steps that use them. The request does not change once
// it is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/dtype.h"
#include "core/base/texture.h"
#include "core/device/device.h"
#include "core/device/launch_limits.h"
#include "core/device/occupancy.h"

namespace warplens {

using Bytes = std::vector<std::byte>;

// A buffer in device memory. Without initial bytes it is filled with zeros.
struct BufferSpec {
  std::string name;
  uint64_t bytes = 0;
  DType dtype = DType::u8;
  std::shared_ptr<const Bytes> initial;
  bool output = false;  // returned in the result, with its last-writer map if one is requested
  // How views show the buffer: as a picture (channels 1, 3 or 4), a matrix or a vector. Elements =
  // width·height·channels.
  uint32_t width = 0, height = 1, channels = 1;
  // Its address on the virtual GPU, for memory that contains pointers; 0 to place it anywhere.
  uint64_t address = 0;
};

struct BufferArgument {
  uint32_t buffer = 0;  // index in LaunchRequest::buffers
  uint64_t offset = 0;  // bytes
};
struct ScalarArgument {
  DType type = DType::i32;
  uint64_t bits = 0;  // little-endian in the low bytes
};
// A structure that is passed by value: its bytes, and the offsets at which addresses of buffers are filled
// in.
struct StructArgument {
  struct Pointer {
    uint32_t at = 0;  // bytes from the structure's start
    BufferArgument to;
  };
  Bytes bytes;
  std::vector<Pointer> pointers;
};
// A texture or surface object. Its texels are stored in a buffer, row after row without gaps.
struct TextureArgument {
  uint32_t buffer = 0;
  TextureSpec spec;
};
using Argument = std::variant<BufferArgument, ScalarArgument, StructArgument, TextureArgument>;

// A module variable (.global or .const) that is set before the first step.
struct GlobalInit {
  std::string symbol;
  Bytes bytes;
};

// The texture to which a .texref or .surfref of the module is bound.
struct TextureBinding {
  std::string symbol;
  TextureArgument texture;
};

// Where the module's variables begin on the virtual GPU; 0 for the default place.
struct ModulePlace {
  uint64_t global = 0, constant = 0;
};

struct AllocateStep {
  uint32_t buffer;
  // The host also clears the buffer, as with cudaMemset. New memory holds zeros in any case, but reading
  // memory that was neither cleared nor copied to is a finding.
  bool cleared = false;
};
// Copies the host's bytes to the device: the initial bytes, or those that were copied out last.
struct CopyInStep {
  uint32_t buffer;
};
struct LaunchStep {
  std::string entry;
  Dim3 grid, block;
  uint32_t shared_dynamic_bytes = 0;
  bool cooperative = false;
  std::vector<Argument> arguments;
};
inline LaunchShape shape_of(const LaunchStep& launch) {
  return {launch.grid, launch.block, launch.shared_dynamic_bytes, launch.cooperative};
}
struct CopyOutStep {
  uint32_t buffer;
};
struct FreeStep {
  uint32_t buffer;
};
using Step = std::variant<AllocateStep, CopyInStep, LaunchStep, CopyOutStep, FreeStep>;

enum class Observe : uint8_t { none, counters, trace };
enum class Sanitize : uint8_t { off, memory, all };

// The code to run. Messages call the texts by `ptx_name` and `source_name`.
struct ModuleText {
  std::string ptx;
  std::string ptx_name;
  std::string source;  // CUDA C++; empty if it is not known
  std::string source_name;
};

// The largest number of warp instructions that a run may execute. They are weighted: a memory request that
// touches many sectors counts as several. With this limit an endless kernel ends well within 10 s on one
// core.
constexpr uint64_t default_step_budget = 1'000'000'000;

// A run on a real GPU is stopped after this time, since the kernel may never end.
constexpr uint32_t default_time_limit_ms = 10'000;

// The groups of a request. Each is described once, in core/launch/fields.h.

// What to run.
struct Work {
  std::string kernel;  // the user's name for it: "grayscale", "my.cu"
  std::shared_ptr<const ModuleText> module;
  std::vector<BufferSpec> buffers;
  std::vector<GlobalInit> globals;
  std::vector<TextureBinding> textures;
  std::vector<Step> steps;
  ModulePlace place;
};

// The device, and the resources of it that the kernel takes.
struct Target {
  Device device;
  Resources resources;  // for launch limits and the report; the caller gets them from the assembler
  bool resources_known = false;
  uint32_t max_registers = 0;  // the assembler's limit on the registers of a thread; 0 if it has none
};

// What to record.
struct Observation {
  Observe observe = Observe::counters;
  Sanitize sanitize = Sanitize::memory;
  bool model_caches = false;  // run the accesses through models of L1 and L2; on one worker, in order
  uint64_t trace_limit = 0;   // warp instructions to record (core/gpu/stepping/trace/trace.h); on one worker
  bool record_writers = false;  // maps of the last writers of output buffers
  bool record_blocks = false;   // heat maps over blocks
};

// How the virtual GPU runs it.
struct Schedule {
  uint64_t seed = 0;     // of the order of warps and blocks; 0 keeps them in order
  uint32_t workers = 0;  // 0 takes all cores
  uint64_t step_budget = default_step_budget;
  bool passes_faults = false;  // kernels go on after accesses outside of memory, which become findings
};

// How a real GPU runs it.
struct DeviceOptions {
  // Fuse plain mul + add into one instruction, as NVIDIA's assembler does by default. Without it, the machine
  // code gives the bits that the PTX says, for comparisons.
  bool contract = true;
  bool preflight = true;  // the virtual GPU runs the launch first, as far as it can in a few seconds
  // Each run of the steps starts on an idle device, with L2 as the previous run left it. Otherwise L2 is
  // cleared first, which keeps the device busy until all launches are on the stream.
  bool from_idle = false;
  uint32_t time_limit_ms = default_time_limit_ms;  // for one run of the steps
};

// The number of runs.
struct Repetition {
  uint32_t repeat = 1;  // each run starts from the initial buffers
};

struct LaunchRequest : Work, Target, Observation, Schedule, DeviceOptions, Repetition {};

}  // namespace warplens
