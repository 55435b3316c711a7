// The Memory view shows where the bytes go: the traffic between threads and the levels of memory, and the
// lines of the kernel that cause it, as counted by the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/table.h"
#include "core/launch/run_result.h"

namespace warplens {

enum class MemorySpace : uint8_t { global, local, texture, constant, shared };
constexpr size_t memory_spaces = 5;
const char* to_string(MemorySpace space);

// A background copy (cp.async) goes from global to shared memory, past the registers; it is a flow of both.
enum class FlowKind : uint8_t { load, store, atomic, copy };
const char* to_string(FlowKind kind);

// One arrow between threads and a memory. A number that was not counted is empty, never 0.
struct MemoryFlow {
  MemorySpace space = MemorySpace::global;
  FlowKind kind = FlowKind::load;
  std::optional<uint64_t> requests;               // warp requests
  std::optional<uint64_t> sectors;                // sectors of 32 bytes that they touch
  std::optional<uint64_t> wavefronts, conflicts;  // shared memory
  std::optional<uint64_t> bytes() const { return sectors ? std::optional(*sectors * 32) : std::nullopt; }
  bool used() const { return requests.value_or(0) + sectors.value_or(0) > 0; }
};

// Traffic between two levels of the caches. Empty if not known.
struct CacheFlow {
  std::string from, to;  // "L1", "L2"
  std::optional<uint64_t> sectors, read_bytes;
  std::optional<uint64_t> written_sectors, written_bytes;  // empty also if the run stores nothing
  std::string formula;
};

// The cost of one line of the kernel.
struct MemoryLine {
  std::string file;
  uint32_t line = 0;
  std::string source;  // its text; empty if not known
  uint64_t requests = 0, sectors = 0, sectors_ideal = 0;
  uint64_t conflicts = 0;
  uint64_t local_requests = 0, local_sectors = 0, constant_requests = 0, texture_requests = 0;
  double sectors_per_request() const { return requests == 0 ? 0 : double(sectors) / double(requests); }
  double ideal_per_request() const { return requests == 0 ? 0 : double(sectors_ideal) / double(requests); }
};

struct MemoryView {
  std::string message;  // why nothing is shown; empty if something is
  std::string answer;   // "Global memory: 57,344 sectors move, 32,768 would do."
  std::string detail;
  std::vector<MemoryFlow> flows;  // all spaces, with load, store, atomic and copy if they exist there
  CacheFlow l1_to_l2, l2_to_dram;
  std::optional<double> l1_hit_percent;
  std::string cache_words;        // why hit rates are missing; empty if they are not
  std::vector<MemoryLine> lines;  // lines that access memory, in the order of the kernel
  uint64_t sectors = 0, sectors_ideal = 0, conflicts = 0;  // of all lines
  std::string levels[3];  // sizes on the device: "L1: 128 KiB an SM" …; empty if not stated
};

MemoryView view_memory(const RunResult& result);

// Flows and lines as rows, for Save CSV.
Table memory_table(const MemoryView& view);

}  // namespace warplens
