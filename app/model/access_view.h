// One warp instruction's memory access, as recorded: which lane touched which sector (or bank).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/footprint.h"
#include "core/launch/run_result.h"

namespace warplens {

constexpr uint64_t sector_bytes = 32;
constexpr uint32_t shared_banks = 32;
constexpr uint32_t bank_bytes = 4;

// Sectors that follow each other in memory.
struct SectorRun {
  uint64_t first = 0;  // sector number in its buffer: byte / 32
  uint64_t count = 0;
  uint64_t first_byte = 0, last_byte = 0;  // that the lanes asked for
  std::string place;                       // "row 118"; empty where the buffer has no rows
};

// An arrow of the drawing.
struct LaneTarget {
  uint32_t lane = 0;
  uint64_t offset = 0;  // byte in its buffer, or of shared memory
  uint32_t bytes = 0;
  size_t run = 0;  // in AccessView::runs; shared: the bank
};

struct AccessView {
  size_t index = 0;  // in BlockFootprint::accesses
  uint32_t warp = 0;
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  std::string buffer;                               // name; "shared memory"; empty where not known
  uint32_t line = 0;                                // of the kernel source
  std::vector<LaneTarget> lanes;                    // active ones
  std::vector<SectorRun> runs;                      // not shared: in order of their addresses
  std::array<uint32_t, shared_banks> bank_words{};  // shared: distinct words that lanes want of each bank
  uint32_t sectors = 0, sectors_ideal = 0, wavefronts = 0;  // as the run counted them
  std::string title;                                        // "load of rgb · line 11"
  std::string sentence;  // "32 lanes ask for 32 bytes: 6 sectors of 32 B touched, 2 ideal"
};

AccessView view_access(const LaunchRequest& request, const BlockFootprint& footprint, size_t index);

// The accesses of one warp to global and shared memory, in program order; parameters are left out. At most
// `limit`.
std::vector<size_t> accesses_of_warp(const BlockFootprint& footprint, uint32_t warp, size_t limit = 4096);

// What one thread read or wrote.
struct ThreadAccess {
  size_t index = 0;  // in BlockFootprint::accesses
  AccessKind kind = AccessKind::load;
  Space space = Space::global;
  std::string place;  // "rgb[182784]", "shared[64 B]"
  std::optional<std::string> value;
  uint32_t line = 0;
  int32_t buffer = -1;
  uint64_t element = 0;
};

// `values`: where a value is known it is given: a load's from a buffer that this launch does not write, a
// store's where this thread wrote the element last. At most `limit` rows.
std::vector<ThreadAccess> accesses_of_thread(const RunResult& result, const BlockFootprint& footprint,
                                             Dim3 thread, size_t limit = 65536);

// Of each thread of the block: did it write global memory, read anything? For hollow cells.
struct ThreadWork {
  std::vector<bool> wrote, touched;  // by linear thread
};
ThreadWork thread_work(const BlockFootprint& footprint, Dim3 block);

// "load of rgb and 2 more like it": totals over accesses of the same kind, space, buffer as `index` in its
// warp.
struct LoadTotals {
  uint32_t accesses = 0;
  uint64_t sectors = 0, distinct_sectors = 0, distinct_bytes = 0;
};
LoadTotals totals_like(const BlockFootprint& footprint, size_t index);

// An element's value as text: "201", "0.299", "inf". Empty past the end of the bytes.
std::optional<std::string> value_text(const BufferSpec& spec, const Bytes& bytes, uint64_t element);
std::optional<double> value_of(const BufferSpec& spec, const Bytes& bytes, uint64_t element);

}  // namespace warplens
