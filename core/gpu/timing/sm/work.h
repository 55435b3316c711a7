// What some blocks of a launch executed, as one SM would: plain values that the model of an SM replays.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/observe/line_part.h"
#include "core/gpu/timing/sm/code.h"

namespace warplens::sm {

constexpr uint32_t no_access = 0xffffffff;
constexpr uint32_t switched_off = 0xfffffffe;  // issued, but a predicate is false in all lanes

// A memory access of a warp.
struct Access {
  uint32_t first_line = 0, lines = 0;  // in Work::lines: global and local memory
  uint16_t sectors = 0;
  uint16_t whole_sectors = 0;  // stores: sectors that are written completely
  uint16_t wavefronts = 1;     // shared memory
  uint8_t lanes = 32;
  bool past_l1 = false;
};

struct Executed {
  uint32_t instruction = 0;  // in Code::instructions
  uint32_t access = no_access;
};

struct WarpWork {
  uint64_t first = 0, count = 0;  // in Work::executed
};

struct SampledBlock {
  uint64_t block = 0;                  // its number in the grid
  uint32_t first_warp = 0, warps = 0;  // in Work::warps
};

// Where an instruction of the PTX comes from. Line 0: nowhere.
struct Place {
  std::string file;
  uint32_t line = 0;
};

struct Work {
  Code code;
  std::vector<Place> places;  // by PTX instruction
  std::vector<SampledBlock> blocks;
  std::vector<WarpWork> warps;
  std::vector<Executed> executed;
  std::vector<Access> accesses;
  std::vector<observe::LinePart> lines;
};

}  // namespace warplens::sm
