// Code that notes the instructions of a traced run (core/gpu/exec/state/trace_log.h): those that compute in
// lanes wait for the next one that may end the code or has a guard, and are noted with it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/state/trace_log.h"
#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

class TraceCode {
 public:
  // Does nothing where the piece is not of a traced program.
  explicit TraceCode(Piece& piece);

  // The instruction of this op, if it begins one, has computed in lanes, or is to be noted next.
  void add(uint32_t at);
  // Writes code that notes what was added. `inlined`: its access, which the code makes itself.
  void note(const Op* inlined = nullptr);

 private:
  void find_executed();
  uint32_t packed(const Op* inlined) const;

  Piece& m_piece;
  std::vector<bool> m_starts;
  uint32_t m_first = 0, m_count = 0;
};

}  // namespace warplens::exec::tier
