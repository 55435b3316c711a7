// What to run: a module, named buffers, and a list of steps over them. A value; nothing in it changes once it
// is built.
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
#include "core/device/occupancy.h"

namespace warplens {

using Bytes = std::vector<std::byte>;

// Device memory of the request. Without initial bytes it starts zero-filled.
struct BufferSpec {
  std::string name;
  uint64_t bytes = 0;
  DType dtype = DType::u8;
  std::shared_ptr<const Bytes> initial;
  bool output = false;  // handed back in the result, with its last-writer map where one is asked for
  // How people see it: a picture (channels 1, 3 or 4), a matrix or a vector. Elements =
  // width·height·channels.
  uint32_t width = 0, height = 1, channels = 1;
};

struct BufferArgument {
  uint32_t buffer = 0;  // index in LaunchRequest::buffers
  uint64_t offset = 0;  // bytes
};
struct ScalarArgument {
  DType type = DType::i32;
  uint64_t bits = 0;  // little-endian in the low bytes
};
// A structure passed by value: its bytes, with the addresses of buffers put in at these offsets.
struct StructArgument {
  struct Pointer {
    uint32_t at = 0;  // bytes from the structure's start
    BufferArgument to;
  };
  Bytes bytes;
  std::vector<Pointer> pointers;
};
// A texture or surface object whose texels are a buffer's, row after row without gaps.
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

// What a .texref or .surfref of the module is bound to.
struct TextureBinding {
  std::string symbol;
  TextureArgument texture;
};

struct AllocateStep {
  uint32_t buffer;
  // As with cudaMemset behind it. Memory is zeros either way, but who reads what was neither cleared nor
  // copied to has a finding.
  bool cleared = false;
};
// What the host holds: the initial bytes, or what was copied out last.
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
struct CopyOutStep {
  uint32_t buffer;
};
struct FreeStep {
  uint32_t buffer;
};
using Step = std::variant<AllocateStep, CopyInStep, LaunchStep, CopyOutStep, FreeStep>;

enum class Observe : uint8_t { none, counters, trace };
enum class Sanitize : uint8_t { off, memory, all };

// The code to run. `ptx_name` and `source_name` are what messages call them.
struct ModuleText {
  std::string ptx;
  std::string ptx_name;
  std::string source;  // CUDA C++, where it is known
  std::string source_name;
};

// Weighted warp instructions (a memory request that touches many sectors counts as several), chosen so that
// an endless kernel ends well within 10 s on one core.
constexpr uint64_t default_step_budget = 1'000'000'000;

// What never ends on a real GPU is stopped after so long.
constexpr uint32_t default_time_limit_ms = 10'000;

// The groups of a request. Each is described once, in core/launch/fields.h.

// What to run.
struct Work {
  std::string kernel;  // what the user calls it: "grayscale", "my.cu"
  std::shared_ptr<const ModuleText> module;
  std::vector<BufferSpec> buffers;
  std::vector<GlobalInit> globals;
  std::vector<TextureBinding> textures;
  std::vector<Step> steps;
};

// On which device, and what the kernel takes of it.
struct Target {
  Device device;
  Resources resources;  // for launch limits and the report; the caller asks the linker for them
  bool resources_known = false;
  uint32_t max_registers = 0;  // the linker's limit on the registers of a thread; 0 if it has none
};

// What to watch.
struct Observation {
  Observe observe = Observe::counters;
  Sanitize sanitize = Sanitize::memory;
  bool model_caches = false;    // run the accesses through models of L1 and L2; on one worker, in order
  uint64_t trace_limit = 0;     // warp instructions to record (core/gpu/step/trace.h); on one worker
  bool record_writers = false;  // maps of the last writers of output buffers
  bool record_blocks = false;   // heat maps over blocks
};

// How the virtual GPU runs it.
struct Schedule {
  uint64_t seed = 0;     // of the order of warps and blocks; 0 keeps them in order
  uint32_t workers = 0;  // 0 takes all cores
  uint64_t step_budget = default_step_budget;
};

// How a real GPU runs it.
struct DeviceOptions {
  // Fuse plain mul + add into one instruction, as NVIDIA's assembler does by default. Without it, the machine
  // code gives the bits that the PTX says, for comparisons.
  bool contract = true;
  bool preflight = true;  // the virtual GPU runs the launch first, as far as it can in a few seconds
  uint32_t time_limit_ms = default_time_limit_ms;  // for one pass over the steps
};

// How often.
struct Repetition {
  uint32_t repeat = 1;  // each run starts from the initial buffers
};

struct LaunchRequest : Work, Target, Observation, Schedule, DeviceOptions, Repetition {};

}  // namespace warplens
