// One SM, cycle by cycle: its schedulers, the warps of its resident blocks, its units, and its share of what
// all SMs use together. Driven by what the blocks executed; docs/sm-model.md has the rules and how far they
// hold.
//
// Event-driven: nothing is done in a cycle in which nothing issues, and the time of each wait is known when
// its instruction issues.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/gpu/timing/sm/figures.h"
#include "core/gpu/timing/sm/work.h"
#include "core/launch/warp_states.h"

namespace warplens::sm {

struct Settings {
  Figures figures;
  uint32_t resident_blocks = 1;  // for which an SM has room
  uint64_t blocks = 1;           // that this SM runs, one after the other as there is room
  uint64_t l1_bytes = 128 << 10;
  double memory_load_share = 0;   // of the sectors that miss L1: those that L2 does not have
  double memory_store_share = 0;  // of stored sectors: those that go on to DRAM
  double atomic_cycles = 0;       // that an update takes of this SM's share of the atomic units
  bool keep_spans = false;
};

// What a warp does from one cycle up to another.
struct Span {
  uint32_t warp = 0;  // in Run::warps
  WarpState state = WarpState::wait;
  uint32_t ptx = 0;  // the instruction that it waits to issue, or issues
  uint64_t begin = 0, end = 0;
};

struct WarpLife {
  uint64_t block = 0;                 // in the grid
  uint32_t warp = 0;                  // in its block
  uint32_t scheduler = 0, place = 0;  // place: among the warps that the SM has room for
  uint64_t begin = 0, end = 0;
};

struct Run {
  uint64_t cycles = 0;         // from the first block's start to the last one's end
  uint64_t active_cycles = 0;  // in which a scheduler has a warp, summed over the schedulers
  uint64_t blocks = 0;         // that ended
  uint64_t instructions = 0;   // issued
  ByState<uint64_t> warp_cycles;
  double cycles_a_block = 0;  // while the SM is full: from the end of one block to that of the next
  std::vector<ByState<uint32_t>> of_instruction;  // warp cycles, by PTX instruction
  std::vector<WarpLife> warps;                    // if spans are kept
  std::vector<Span> spans;

  // Of a scheduler, on average over the cycles in which it has a warp.
  double issue_slots() const;  // share of the cycles
  double active_warps() const;
  double eligible_warps() const;
};

Run simulate(const Work& work, const Settings& settings, std::stop_token stop = {});

}  // namespace warplens::sm
