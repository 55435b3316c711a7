// A warning about a whole program: what it does on the device, where, and what to change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/provenance.h"
#include "core/recording/event.h"

namespace warplens::recording {

// Lines of the program, each once, in the order in which they occurred; only the first few are kept.
class Places {
 public:
  static constexpr size_t most = 8;
  void add(const std::shared_ptr<const HostPlace>& place);  // null is ignored
  void add(const Places& others);
  const std::vector<std::shared_ptr<const HostPlace>>& all() const { return m_all; }

 private:
  std::vector<std::shared_ptr<const HostPlace>> m_all;
};
// "main.cu:12, main.cu:13"; empty if there is none.
std::string places_text(const Places& places);

struct ProgramWarning {
  enum class Kind : uint8_t {
    same_bytes,       // copied again although they were already copied
    copies_dominate,  // longer than the kernels
    allocations,      // of equal size, again and again between launches
    small_launches,   // fewer blocks than SMs
    short_launches,   // shorter than the cost of a launch
    waiting_copies,   // the program waits at copies between launches
    never_back,       // nothing that the kernels computed was copied to the host
    unwritten,        // bytes were copied to the host that nothing has written
    few_bytes,        // less was copied than a kernel reads, or a quarter, an eighth or the size of a pointer
    not_freed,        // arrays that were still allocated at the end
    pageable_copy,    // an asynchronous copy of memory that is not pinned
    free_waits,       // freeing memory waits for all work of the device
    shared_stream,    // several threads of the host give work to one stream
    managed_misses    // kernels wait for pages of managed memory
  } kind = Kind::same_bytes;
  std::string what;    // a sentence
  std::string where;   // "launches 1 to 4", "events 3, 5 and 7"; counted from 1
  std::string advice;  // a sentence
  uint64_t count = 0;  // how often
  // Device times, copies and kernels one after the other: now, and with the advice. Only if they follow
  // exactly from the recorded ones.
  std::optional<double> now_us, then_us;
  std::vector<size_t> events;      // the first of them, as indices of Recording::events; at most 100
  std::vector<uint64_t> launches;  // numbers of the first of them; at most 100
  Places places;                   // the program's lines that caused it
  double weighs_us = 0;            // the device time that it is about, for sorting
};
const char* name_of(ProgramWarning::Kind kind);  // "same_bytes"
// "4.1 ms → 1.2 ms"; empty if there is no estimate.
std::string estimate_text(const ProgramWarning& warning);
// What, where, advice and estimate as one line, and how the times were obtained.
std::string line_of(const ProgramWarning& warning, Provenance times);

}  // namespace warplens::recording
