// What the API drives: the virtual devices, their memory and objects, and messages. There is one in a
// process, and it is never destroyed: threads of the program may still call while it exits.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gpu/exec/state/memory.h"
#include "core/gpu/sanitize/sanitizer.h"
#include "core/recording/journal.h"
#include "core/recording/recorder.h"
#include "cuda/stand_in/driver/state/context.h"
#include "cuda/stand_in/driver/state/deferred.h"
#include "cuda/stand_in/driver/state/graph.h"
#include "cuda/stand_in/driver/state/handles.h"
#include "cuda/stand_in/driver/state/mapped.h"
#include "cuda/stand_in/driver/state/page_watch.h"
#include "cuda/stand_in/driver/state/settings.h"
#include "cuda/stand_in/driver/state/stream_order.h"
#include "cuda/stand_in/driver/state/written.h"

namespace warplens::driver {

// Memory that was freed, so that a message can say so.
struct FreedBlock {
  uint64_t begin = 0, end = 0, number = 0;
};

// A failed call of the runtime library, until the program asks for the error.
struct UnreadError {
  std::string call, name;  // "cudaMalloc", "cudaErrorMemoryAllocation"
  const recording::HostPlace* place = nullptr;
  bool went_on = false;  // the program gave the device more to do
};

struct Gpu {
  Gpu(Settings chosen, std::vector<Device> specs);

  // PTX for at most this compute capability (86) is loaded: a device's, or what the compiler, which knows
  // no older one, compiled for.
  uint32_t newest_target(const DeviceState& of) const {
    return std::max(of.spec.compute_capability.number(), settings.target);
  }
  // What every device can load, and what some device can.
  uint32_t target_of_all() const;
  uint32_t target_of_any() const;

  std::mutex mutex;
  Settings settings;
  double host_us = 0;  // until when the program has waited for devices, on their clocks
  std::vector<std::unique_ptr<DeviceState>> devices;
  exec::Memory memory;
  recording::Journal journal;
  uint64_t compared_bytes = 0;  // of copies over the bus, whose contents are in the journal by name
  recording::Recorder recorder;
  std::optional<sanitize::Sanitizer> sanitizer;

  std::vector<std::unique_ptr<Context>> contexts;  // all that there ever were
  Handles<Stream> streams;
  std::map<const Context*, Stream> legacy_streams;  // of contexts of other devices than the first
  // The default streams that threads have of their own. A thread may take over that of one that has ended.
  std::map<std::pair<const Context*, std::thread::id>, Stream> own_streams;
  Handles<Event> events;
  Handles<Module> modules;
  Handles<Library> libraries;
  Handles<Link> links;
  Handles<Array> arrays;
  Handles<Pool> pools;
  Graphs graphs;
  Handles<PhysicalMemory> physical;
  std::map<uint64_t, Reservation> reservations;  // by their first address
  std::set<const void*> functions, kernels;      // which belong to modules and libraries
  std::unordered_map<uint64_t, TextureObject> textures;
  std::map<const void*, std::unique_ptr<TextureReference>> own_references;  // of cuTexRefCreate

  std::map<uint64_t, Block> blocks;  // by device address
  std::vector<FreedBlock> freed;     // the last ones, oldest first
  FollowedArrays followed;
  StreamOrder waits;
  DeferredWork deferred;
  PageWatch pages;
  uint64_t numbers = 0, launches = 0;
  std::string console;                     // output of kernels' printf, until the program waits for them
  std::map<uint64_t, uint64_t> constants;  // begin → end in the window of constants
  size_t findings_told = 0;
  std::optional<UnreadError> unread;  // the first one that the program has not read

  // The block that contains an address; null if there is none.
  Block* block_of(uint64_t address);
  bool has_several_devices() const { return devices.size() > 1; }
  // The device with this number; null if there is none.
  DeviceState* device_of(CUdevice ordinal) const {
    return ordinal >= 0 && static_cast<size_t>(ordinal) < devices.size() ? devices[ordinal].get() : nullptr;
  }
  DeviceState& device_of(const Stream* stream) const {
    return stream == nullptr ? *devices.front() : *stream->context->on;
  }
  double latest_us() const;  // of all devices
  // Prints the output of kernels, as CUDA does when a program waits for them.
  void flush_console();
  // One sentence for people, on stderr, and in the journal. Each is reported once.
  // `works`: the two that nothing orders (Journal::next_work).
  void tell(std::string_view kind, CUresult code, const std::string& sentence, std::string_view kernel = {},
            std::string_view file = {}, uint32_t line = 0, std::pair<uint64_t, uint64_t> works = {});
  CUresult refuse(CUresult code, const std::string& sentence);
  // Whether the reader of the launcher's own output sees what is said here.
  bool says_to_launcher() const;
  // Reports that the program did not check the error before it went on or ended.
  void tell_unread();
  // A part of the program begins, such as the next test of a session: notes from here on go to the folders
  // that the environment names now, a finding that was reported before is reported again, and a fault has
  // ended only the work of its own part. `failed`: the part before ended with an error that the program saw.
  void begin_part(bool failed);

 private:
  std::set<std::string, std::less<>> m_said;
};

// The device, from cuInit on; null before, and in a process that was forked after it.
Gpu* gpu();
CUresult start();
bool was_forked();

// The context of this thread; null if there is none.
Context* current_context();
std::vector<Context*>& context_stack();
// The context that a handle names; null if there never was one.
Context* find_context(Gpu& device, CUcontext handle);

}  // namespace warplens::driver
