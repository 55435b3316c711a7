// The objects that handles of the API name. All of them are guarded by Gpu::mutex, unless it says otherwise.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/texture.h"
#include "core/device/occupancy.h"
#include "core/gpu/exec/kept_workers.h"
#include "core/gpu/exec/state/memory.h"
#include "core/program/program.h"
#include "core/recording/journal.h"
#include "core/streams/order.h"
#include "cuda/stand_in/driver/api.h"
#include "cuda/stand_in/driver/state/device_state.h"
#include "cuda/stand_in/driver/state/page_watch.h"

namespace warplens::driver {

// A context is never freed, so that a thread may still hold one that another thread has destroyed.
struct Context {
  explicit Context(DeviceState& its_device) : on(&its_device) {}

  DeviceState* const on;
  std::set<const Context*> peers;  // of other devices, whose memory its kernels may use
  uint64_t id = 0;
  unsigned flags = 0;
  bool primary = false;
  uint32_t retained = 0;  // of the primary context
  std::atomic<bool> alive{true};
  // A fault of a kernel that no call has reported yet, and the error that every call returns from then on.
  CUresult pending = CUDA_SUCCESS;
  std::atomic<CUresult> sticky{CUDA_SUCCESS};
  std::map<CUlimit, size_t> limits;
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
  CUsharedconfig shared_config = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
};

struct Capture;
struct GraphNode;

// The legacy default stream of the first device is null; those of others are streams with `legacy`.
struct Stream {
  Context* context = nullptr;
  uint64_t id = 0;
  unsigned flags = 0;
  bool legacy = false;
  int priority = 0;
  std::map<CUstreamAttrID, CUstreamAttrValue> attributes = {};  // that were set, without the priority
  double end_us = 0;  // when the device is done with what was given to it
  streams::Line line = streams::default_line;
  Capture* capture = nullptr;             // null: its work runs
  std::vector<GraphNode*> captured = {};  // in a capture: what the next node depends on
  std::vector<CUgraphEdgeData> captured_edges = {};
};

inline bool is_legacy(const Stream* stream) { return stream == nullptr || stream->legacy; }
// The number of a stream in the journal: 0 is the default one of the first device.
inline uint64_t number_of(const Stream* stream) { return stream == nullptr ? 0 : stream->id; }

struct Event {
  Context* context = nullptr;
  unsigned flags = 0;
  bool recorded = false;
  double at_us = 0;
  streams::VectorClock order = {};
  uint64_t after_work = 0, stream = 0;  // the newest work of the stream in which it was recorded; 0: none
  uint64_t capture = 0;                 // id of the one in which it was recorded last; 0: in none
  std::vector<GraphNode*> captured;
};

struct Module;

// A launch that programs of CUDA 3 and PyCUDA build with a call for each part.
struct OldLaunch {
  int block_x = 1, block_y = 1, block_z = 1;
  uint32_t shared_bytes = 0;
  std::vector<std::byte> parameters;
};

struct Function {
  Module* module = nullptr;
  const ptx::Function* code = nullptr;
  std::shared_ptr<const program::Program> program;
  std::string name;                       // as people read it
  uint32_t max_dynamic_shared_bytes = 0;  // 0: not opted in
  int preferred_carveout = -1;
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
  std::optional<Resources> resources;  // once they were asked for
  bool resources_asked = false;
  // What a launch counted, and its modelled time, by a hash of it.
  struct Counted {
    Counters counters;
    std::optional<double> us;
  };
  std::map<uint64_t, Counted> counted;
  uint64_t launches = 0;
  exec::KeptWorkers kept;   // of its launches
  std::string source_file;  // of its first line; empty: its text names none
  uint32_t source_line = 0;
  bool source_noted = false;  // at the first launch, taken or not
  bool parted_told = false;   // it was reported that its warps come to barriers in parts
  OldLaunch old_launch;
};

struct TextureReference {
  Module* module = nullptr;
  uint64_t variable = 0;  // address of the 8 bytes that hold its handle
  TextureSpec spec;
  unsigned flags = 0;
  CUarray array = nullptr;
  CUmipmappedArray mipmapped = nullptr;
  CUdeviceptr address = 0;
  size_t bytes = 0;
  uint64_t handle = 0;  // 0: not bound
};

// Pages of the host for the variables of a library, some of which are managed. These are the same bytes for
// all devices; each has its own of the others.
struct ManagedPages {
  explicit ManagedPages(uint64_t size);  // `begin` is null if there is no room
  ManagedPages(ManagedPages&&) = delete;
  ~ManagedPages();
  std::byte* begin = nullptr;
  uint64_t bytes = 0;
};

struct Module {
  Context* context = nullptr;
  std::shared_ptr<const ptx::Module> tree;
  uint32_t max_registers = 0;  // of a thread, as the program asked; 0: no limit
  program::ModuleBase base;
  std::optional<bool>
      talks_to_host;  // whether its kernels order memory for the host too; empty: not looked for
  struct Variable {
    std::string name;
    uint64_t address = 0, bytes = 0;
  };
  std::vector<Variable> variables;
  std::shared_ptr<ManagedPages> pages;  // null: none of its variables is managed
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
  std::vector<std::unique_ptr<TextureReference>> references;
};

struct Library;

// A kernel of a library: the same in every context.
struct Kernel {
  Library* library = nullptr;
  std::string name;
  std::map<const DeviceState*, uint32_t> max_dynamic_shared_bytes;  // where it was set
};

struct Library {
  std::string ptx;
  std::shared_ptr<const ptx::Module> tree;
  std::map<const Context*, Module*> modules;
  std::weak_ptr<ManagedPages> pages;  // of its modules
  std::map<std::string, std::unique_ptr<Kernel>, std::less<>> kernels;
};

// The inputs of cuLinkAddData, and where the caller wants the messages.
struct LinkInput {
  std::string name, ptx;
};
struct Link {
  Context* context = nullptr;
  std::vector<LinkInput> inputs;
  std::string result;
  uint32_t max_registers = 0;  // 0: no limit
  char *info_log = nullptr, *error_log = nullptr;
  size_t info_bytes = 0, error_bytes = 0;
  void **info_size = nullptr, **error_size = nullptr;  // where the number of bytes written goes
};

struct Array {
  Context* context = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  TextureSpec spec;  // shape, type and extent; of a mipmap, all its levels
  std::shared_ptr<std::byte> texels;
  uint64_t bytes = 0;
  uint32_t level = 0;  // of a mipmapped array, whose level this is
  std::byte* begin = nullptr;
  std::vector<const Array*> level_handles;  // of a mipmapped array
};

struct TextureObject {
  bool surface = false;
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC texture{};
  CUDA_RESOURCE_VIEW_DESC view{};
};

struct Pool;
struct WrittenBytes;
struct TouchNotes;

// What is known of an allocation, in addition to its place in exec::Memory.
struct Block {
  enum class Kind : uint8_t { device, pinned, registered, managed, module, mapped } kind = Kind::device;
  const Context* context = nullptr;
  DeviceState* on = nullptr;
  uint64_t number = 0;  // of the allocation in this program
  uint64_t bytes = 0;
  uint64_t pitch = 0;  // bytes of a row of cuMemAllocPitch; 0: not from there
  unsigned flags = 0;
  void* host = nullptr;        // pinned, registered, managed
  bool of_graph = false;       // of an allocation node
  bool for_all = false;        // a managed variable: kernels of all devices use it
  uint32_t mapped_for = 0;     // of mapped memory: a bit for each device that may use it
  bool never_guarded = false;  // its pages: protected by the program itself, or no writable data
  const Pool* pool = nullptr;  // of cuMemAllocAsync; it may be gone
  exec::Allocation* allocation = nullptr;
  const recording::HostPlace* place = nullptr;  // the line that allocated it; null: not known
  std::shared_ptr<WrittenBytes> written = {};   // null: not followed (cuda/stand_in/driver/calls/written.h)
  std::shared_ptr<TouchNotes> touches = {};     // null: none are needed so far
  std::shared_ptr<WatchedPages> pages = {};     // of managed memory; null: not watched
  // For managed memory: the advice of cuMemAdvise and cuMemPrefetchAsync.
  struct Placing {
    CUdevice preferred = CU_DEVICE_INVALID, last_prefetch = CU_DEVICE_INVALID;
    bool read_mostly = false, accessed_by_host = false;
    uint32_t accessed_by_devices = 0;  // a bit for each
  } placing = {};
};

struct Pool {
  DeviceState* on = nullptr;
  uint32_t used_by = 0;  // a bit for each other device whose kernels may use its memory
  uint64_t release_threshold = 0, used = 0, used_high = 0;
  int reuse[3] = {1, 1, 1};  // as the program set it: after events, by chance, by a wait that is put in
};

}  // namespace warplens::driver
