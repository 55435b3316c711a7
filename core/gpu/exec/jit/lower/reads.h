// Which ops of a basic block read a register of the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/program/program.h"

namespace warplens::exec::jit {

// Whether the op is one in which each lane reads another one.
bool is_shuffle(const program::Program& program, const program::Op& op);

class BlockReads {
 public:
  // Of the block with this op, from there on.
  BlockReads(const program::Program& program, uint32_t first);

  // The last op of the block that may read these bytes; 0: none does. Nothing: some op reads nobody knows
  // what.
  std::optional<uint32_t> last(uint32_t slot, uint32_t bytes) const;

 private:
  struct Read {
    uint32_t slot, bytes, op;
  };
  bool add(const program::Program& program, uint32_t at);
  void add(uint32_t slot, uint32_t bytes, uint32_t at);

  std::vector<Read> m_reads;  // in order of the slots
  bool m_is_known = true;
};

}  // namespace warplens::exec::jit
