// What is known of the order of the program's operations, to find waits that it lacks. Guarded by Gpu::mutex.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "core/gpu/exec/state/memory.h"
#include "core/streams/accesses.h"
#include "core/streams/order.h"

namespace warplens::driver {

// For each byte of an array, whether the launch that runs has read, written or atomically changed it.
struct TouchNotes {
  explicit TouchNotes(uint64_t bytes) : notes(static_cast<uint8_t*>(std::calloc(bytes, 3)), std::free) {
    touched.loads = notes.get();
    touched.stores = touched.loads + bytes;
    touched.atomics = touched.stores + bytes;
  }

  std::unique_ptr<uint8_t, void (*)(void*)> notes;  // null: there was no room
  exec::Touched touched;
};

struct StreamOrder {
  // Of all notes of arrays; larger arrays are left out.
  static constexpr uint64_t most_note_bytes = uint64_t{256} << 20;
  // A kernel that touches more pieces of an array than these is left out for it.
  static constexpr uint32_t most_pieces = 4096;

  bool on = false;
  bool told_of_handler = false;
  std::set<std::pair<std::string, const recording::HostPlace*>> hinted;
  // Pairs of lines whose conflict was told.
  std::set<std::pair<const recording::HostPlace*, const recording::HostPlace*>> told;
  // The newest wait of a line for an event that was not recorded then.
  std::map<streams::Line, const recording::HostPlace*> empty_waits;
  std::map<uint64_t, std::thread::id> threads;  // that gave work to a stream first, by its number
  streams::Order order;
  streams::Accesses accesses;
  uint64_t note_bytes_left = most_note_bytes;
  uint64_t threads_left = uint64_t{1} << 26;  // of launches whose accesses are noted: they are slower
  std::set<uint64_t> guarded;                 // blocks whose pages are guarded, by their addresses
  std::map<uint64_t, uint64_t> last_work;     // of a stream, by its number (Journal::next_work)
  streams::OperationPointer printed;          // the newest launch whose printf no wait has shown
};

}  // namespace warplens::driver
