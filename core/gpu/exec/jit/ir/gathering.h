// The IR's instructions that make one word from the lanes of a whole warp, and PTX's name of each.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/program/op/collective_op.h"

namespace warplens::exec::jit {

inline constexpr auto gatherings = std::to_array<std::pair<Opcode, program::Collective>>(
    {{Opcode::vote_all_pred, program::Collective::vote_all},
     {Opcode::vote_any_pred, program::Collective::vote_any},
     {Opcode::vote_uni_pred, program::Collective::vote_uni},
     {Opcode::ballot_b32, program::Collective::vote_ballot},
     {Opcode::match_all_b32, program::Collective::match_all32},
     {Opcode::match_all_b64, program::Collective::match_all64},
     {Opcode::redux_add_b32, program::Collective::redux_add},
     {Opcode::redux_min_u32, program::Collective::redux_min_unsigned},
     {Opcode::redux_min_s32, program::Collective::redux_min_signed},
     {Opcode::redux_max_u32, program::Collective::redux_max_unsigned},
     {Opcode::redux_max_s32, program::Collective::redux_max_signed},
     {Opcode::redux_and_b32, program::Collective::redux_and},
     {Opcode::redux_or_b32, program::Collective::redux_or},
     {Opcode::redux_xor_b32, program::Collective::redux_xor}});

inline std::optional<Opcode> gathering_of(program::Collective kind) {
  const auto found = std::ranges::find(gatherings, kind, &std::pair<Opcode, program::Collective>::second);
  return found == gatherings.end() ? std::nullopt : std::optional(found->first);
}

inline std::optional<program::Collective> collective_of(Opcode opcode) {
  const auto found = std::ranges::find(gatherings, opcode, &std::pair<Opcode, program::Collective>::first);
  return found == gatherings.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warplens::exec::jit
