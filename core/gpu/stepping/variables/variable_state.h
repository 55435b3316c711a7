// Where the variables of each lane are: the current entry of each variable's location list, and which bytes
// of local memory are set. It is part of a block's checkpoints. Private to core/gpu/stepping.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/gpu/exec/block.h"
#include "core/gpu/stepping/program/memory_history.h"
#include "core/gpu/stepping/variables/variable_table.h"

namespace warplens::stepping {

class VariableState {
 public:
  // Registers its own memory with the history, so that checkpoints include it.
  VariableState(const VariableTable& table, const exec::Block& block, MemoryHistory& history);

  // Call it when the warp is at its first instruction.
  void begin(uint32_t warp) { moved(warp, ~0u, UINT32_MAX); }

  // --- after each instruction, in this order
  void stored(uint32_t warp, uint32_t lanes, const uint64_t* addresses, uint32_t bytes);  // to local memory
  // `set` says in which lanes each register was set before. The first write to a register does not end a
  // place.
  void wrote(uint32_t warp, uint32_t instruction, uint32_t lanes, std::span<const uint32_t> set);
  void called(uint32_t warp, uint32_t lanes, int32_t frame, uint32_t caller, uint32_t callee);
  void returned(uint32_t warp, uint32_t lanes, int32_t frame, uint32_t caller);
  // These lanes have moved on. `from` is the instruction that they ran.
  void moved(uint32_t warp, uint32_t lanes, uint32_t from);

  PlaceNumber place(uint32_t warp, uint32_t variable, uint32_t lane) const {
    return m_places[(size_t{warp} * m_table.variables().size() + variable) * warp_lanes + lane];
  }
  // Whether one of these bytes of a lane's local memory is set.
  bool is_set(uint32_t warp, uint32_t lane, uint64_t address, uint64_t bytes) const;

  // The state of callers that may be called again, saved at the call, by warp and frame.
  using Saved = std::vector<std::vector<std::shared_ptr<const std::vector<PlaceNumber>>>>;
  const Saved& saved() const { return m_saved; }
  void restore(const Saved& saved) { m_saved = saved; }
  size_t bytes_of_saved() const;
  // The places of a caller's variables, as they were when it called.
  const std::vector<PlaceNumber>* saved(uint32_t warp, size_t frame) const {
    return frame < m_saved[warp].size() ? m_saved[warp][frame].get() : nullptr;
  }

 private:
  void apply(std::span<const PlaceChange> changes, uint32_t warp, uint32_t lanes);
  void arrive(uint32_t warp, uint32_t lanes, uint32_t from, uint32_t at);
  void unset(uint32_t warp, uint32_t lanes, const VariablePlace& place, uint64_t bytes);
  std::span<PlaceNumber> places_of(uint32_t warp, uint32_t function);

  const VariableTable& m_table;
  const exec::Block& m_block;
  std::vector<PlaceNumber> m_places;  // of each warp, variable and lane
  uint32_t m_shadow_bytes = 0;        // of a lane's local memory
  std::vector<uint32_t> m_shadow;     // of each warp and byte: the lanes in which it is set
  Saved m_saved;
};

}  // namespace warplens::stepping
