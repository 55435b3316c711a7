// Additional ops of a program that is watched (core/gpu/exec/state/watch.h): before ops that may go wrong,
// and after ops that a watch must know about. Other programs have none of them. Private to core/program.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/decode/emitter.h"
#include "core/program/op/watch_op.h"

namespace warplens::program {

class WatchOps {
 public:
  explicit WatchOps(Emitter& emitter);

  void before(uint32_t index, const Instruction& instruction);
  void after(uint32_t index, const Instruction& instruction);

 private:
  void find_registers();
  bool is_watched(uint32_t r) const { return m_written[r] != no_slot; }
  std::vector<uint32_t> sources_of(const Instruction& instruction) const;
  void watch_divisor(uint32_t index, const Instruction& instruction);
  void watch_read(uint32_t index, uint32_t r);
  void watch_write(uint32_t index, const Instruction& instruction, uint32_t r);

  Emitter& m_emitter;
  std::vector<uint32_t>
      m_written;  // for each register: the slot of the lanes that have written it, or no_slot
};

// A copy of the collective's op, so that a watch can see its mask and where a shuffle reads.
void watch_collective(Emitter& emitter, uint32_t index, const Op& op, WatchJob job);

}  // namespace warplens::program
