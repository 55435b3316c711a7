// The lines of L1 that a warp's access touches: of global memory by address, of local memory by its layout.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/gpu/exec/state/observer.h"
#include "core/gpu/observe/line_part.h"
#include "core/launch/launch_request.h"
#include "core/program/program.h"

namespace warplens {

class AccessLines {
 public:
  enum class Way : uint8_t { through_l1, past_l1, elsewhere };

  AccessLines();
  ~AccessLines();
  void start_launch(const LaunchStep& step, const program::Program& program);
  void enter(uint64_t block) { m_block = block; }

  // Which way an access to global memory takes. Constants have caches of their own.
  Way way_of(const exec::Op& op, AccessKind kind);
  // Each line once, in order of address. Valid until the next call.
  std::span<const observe::LinePart> of_global(const exec::Op& op, uint32_t mask, const uint64_t* addresses);
  std::span<const observe::LinePart> of_local(const exec::Op& op, uint32_t warp, uint32_t mask,
                                              const uint64_t* offsets);
  std::span<const observe::LinePart> of_shape(const exec::Op& op, exec::AccessShape& shape, uint64_t first);
  std::span<const observe::LinePart> of_sectors(std::span<const uint64_t> sectors);

 private:
  std::span<const observe::LinePart> of_bytes(uint64_t first, uint64_t end);

  class Lines;
  std::unique_ptr<Lines> m_lines;
  const program::Program* m_program = nullptr;
  uint64_t m_block = 0, m_warps = 1;
  std::vector<std::optional<Way>> m_ways;  // of loads, per instruction
};

// The bytes of an SM's array that are left for L1 by the blocks that are on it.
uint64_t l1_bytes_beside_shared(const LaunchRequest& request, const LaunchStep* launch);

}  // namespace warplens
