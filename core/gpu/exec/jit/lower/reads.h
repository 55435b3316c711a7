// Which ops of a basic block read a register of the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/program/op/selector.h"
#include "core/program/program.h"

namespace warplens::exec::jit {

// Whether the lanes of a warp work together in the op.
bool is_collective(const program::Program& program, const program::Op& op);
// A move of 64 bits to two registers of 32 bits.
bool is_unpacking(const program::Selector& s);
// A load or store of one element in global, constant or shared memory.
bool is_plain_access(const program::Selector& selector);

// Whether the op runs this handler.
bool runs(const program::Op& op, program::Handler handler);
// Whether a basic block begins at the op, or the program is over.
bool starts_block(const program::Program& program, uint32_t at);

class BlockReads {
 public:
  // The reads of the block that contains this op, from the op on.
  BlockReads(const program::Program& program, uint32_t first);

  // The last op of the block that may read these bytes; 0 if there is none. Empty if it is unknown what some
  // op reads.
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
