// The notes about a program that runs on NVIDIA's driver: its journal, its recording, and what these need to
// know of its memory and code. One in a process; it is never destroyed.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/recording/journal.h"
#include "core/recording/recorder.h"
#include "cuda/stand_in/driver/state/settings.h"
#include "cuda/stand_in/relay/state/code.h"
#include "cuda/stand_in/relay/state/timers.h"

namespace warplens::relay {

struct Block {
  enum class Kind : uint8_t { device, pinned, managed } kind = Kind::device;
  uint64_t bytes = 0, number = 0;  // the number: of the allocation in this program
  const void* host = nullptr;      // pinned: where the host reads it
  CUcontext context = nullptr;
};

class Program {
 public:
  explicit Program(driver::Settings chosen, const std::string& device_name);

  // Writes to the journal in the order of the calls, also where a time is known later. Guarded by the mutex.
  using Write = std::function<void(recording::Journal&, const std::optional<Times>&)>;
  void note(std::optional<Timer> timer, Write write);
  // Writes the notes of work that the device has finished.
  void drain();
  // Also writes the notes of unfinished work, without times.
  void drain_all();

  void allocated(uint64_t address, uint64_t bytes, Block::Kind kind, const void* host = nullptr);
  void freed(uint64_t address);
  // Reports an error that ended the context, once for each code, with the launch that caused it.
  void failed(CUresult error);
  // Reports a launch that CUDA does not accept.
  void refused(CUresult error, const std::string& kernel, Dim3 grid, Dim3 block);
  // Notes that a call started work whose kernels are not seen.
  void not_seen(const char* call);
  // Call it before the context is destroyed.
  void ends(CUcontext context);
  // As Gpu::begin_part (cuda/stand_in/driver/state/gpu.h). The context stays as a fault has left it: it is
  // NVIDIA's.
  void begin_part();

  std::mutex mutex;
  driver::Settings settings;
  recording::Journal journal;
  recording::Recorder recorder;
  Timers timers;
  LoadedCode code;
  std::map<uint64_t, Block> blocks;    // by address
  std::set<uint64_t> textures;         // handles of texture and surface objects
  uint64_t launches = 0, numbers = 0;  // that were noted; of allocations
  std::string last_kernel, last_file;  // of the newest launch
  uint32_t last_line = 0;
  const recording::HostPlace* last_place = nullptr;  // of the host program

 private:
  struct Note {
    std::optional<Timer> timer;
    Write write;
  };
  std::deque<Note> m_notes;
  double m_latest_us = 0;  // when the device was done with what was noted last
  std::set<CUresult> m_told;
  std::set<std::string> m_refused, m_not_seen;
};

// From the first successful cuInit on; null before, and if no journal was requested.
Program* program();
void start_program();

// The number of a stream in the journal: 0 is the legacy default stream. Asks NVIDIA's driver for the one of
// this thread.
uint64_t number_of(CUstream stream);

// Must end every noted call: it reports a failed context.
CUresult ended(CUresult code);

// Calls f(Program&), with the mutex held, if the call succeeded. Returns the call's result.
template <class F>
CUresult after(CUresult code, F f) {
  if (Program* notes = program(); notes != nullptr && code == CUDA_SUCCESS) {
    const std::scoped_lock lock(notes->mutex);
    f(*notes);
  }
  return ended(code);
}

}  // namespace warplens::relay
