// The recorded memory access of one warp instruction: the sector (or bank) that each lane touched.
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

// Consecutive sectors in memory.
struct SectorRun {
  uint64_t first = 0;  // sector number in its buffer: byte / 32
  uint64_t count = 0;
  uint64_t first_byte = 0, last_byte = 0;  // requested by the lanes
  std::string place;                       // "row 118"; empty if the buffer has no rows
};

// An arrow of the drawing.
struct LaneTarget {
  uint32_t lane = 0;
  uint64_t offset = 0;  // byte in its buffer or in shared memory
  uint32_t bytes = 0;
  size_t run = 0;  // index in AccessView::runs; for shared memory, the bank
};

struct AccessView {
  size_t index = 0;  // in BlockFootprint::accesses
  uint32_t warp = 0;
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  std::string buffer;                                       // its name or "shared memory"; empty if not known
  uint32_t line = 0;                                        // of the kernel source
  std::vector<LaneTarget> lanes;                            // the active lanes
  std::vector<SectorRun> runs;                              // for other than shared memory, by address
  std::array<uint32_t, shared_banks> bank_words{};          // shared memory: distinct words per bank
  uint32_t sectors = 0, sectors_ideal = 0, wavefronts = 0;  // counts of the run
  std::string title;                                        // "load of rgb · line 11"
  std::string sentence;  // "32 lanes ask for 32 bytes: 6 sectors of 32 B touched, 2 ideal"
};

AccessView view_access(const LaunchRequest& request, const BlockFootprint& footprint, size_t index);

// The accesses of one warp to global and shared memory, in program order and without parameters. At most
// `limit`.
std::vector<size_t> accesses_of_warp(const BlockFootprint& footprint, uint32_t warp, size_t limit = 4096);

// One element that a thread read or wrote.
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

// With `values`, known values are included: a load's, if this launch does not write the buffer, and a
// store's, if this thread wrote the element last. At most `limit` rows.
std::vector<ThreadAccess> accesses_of_thread(const RunResult& result, const BlockFootprint& footprint,
                                             Dim3 thread, size_t limit = 65536);

// For each thread of the block, whether it wrote global memory, and whether it touched memory at all. For
// hollow cells.
struct ThreadWork {
  std::vector<bool> wrote, touched;  // by linear thread
};
ThreadWork thread_work(const BlockFootprint& footprint, Dim3 block);

// The totals of the accesses of a warp that have the same kind, space and buffer as `index`, for "load of
// rgb and 2 more like it".
struct LoadTotals {
  uint32_t accesses = 0;
  uint64_t sectors = 0, distinct_sectors = 0, distinct_bytes = 0;
};
LoadTotals totals_like(const BlockFootprint& footprint, size_t index);

// An element's value as text: "201", "0.299", "inf". Empty past the end of the bytes.
std::optional<std::string> value_text(const BufferSpec& spec, const Bytes& bytes, uint64_t element);
std::optional<double> value_of(const BufferSpec& spec, const Bytes& bytes, uint64_t element);

}  // namespace warplens
