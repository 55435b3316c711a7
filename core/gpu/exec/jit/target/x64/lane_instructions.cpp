#include "core/gpu/exec/jit/target/x64/lane_instructions.h"

#include <algorithm>

namespace warplens::exec::jit::x64 {

namespace {

constexpr Id none = Inst::kIdNone;

constexpr auto k_instructions = std::to_array<LaneInstruction>({
    {Opcode::add_b32, 2, Inst::kIdVpaddd, Inst::kIdVpaddd},
    {Opcode::add_b64, 2, Inst::kIdVpaddq, Inst::kIdVpaddq},
    {Opcode::sub_b32, 2, Inst::kIdVpsubd, Inst::kIdVpsubd},
    {Opcode::sub_b64, 2, Inst::kIdVpsubq, Inst::kIdVpsubq},
    {Opcode::mul_b32, 2, Inst::kIdVpmulld, Inst::kIdVpmulld},
    {Opcode::mul_b64, 2, none, Inst::kIdVpmullq},
    {Opcode::min_u32, 2, Inst::kIdVpminud, Inst::kIdVpminud},
    {Opcode::min_s32, 2, Inst::kIdVpminsd, Inst::kIdVpminsd},
    {Opcode::min_u64, 2, none, Inst::kIdVpminuq},
    {Opcode::min_s64, 2, none, Inst::kIdVpminsq},
    {Opcode::max_u32, 2, Inst::kIdVpmaxud, Inst::kIdVpmaxud},
    {Opcode::max_s32, 2, Inst::kIdVpmaxsd, Inst::kIdVpmaxsd},
    {Opcode::max_u64, 2, none, Inst::kIdVpmaxuq},
    {Opcode::max_s64, 2, none, Inst::kIdVpmaxsq},
    {Opcode::abs_s32, 1, Inst::kIdVpabsd, Inst::kIdVpabsd},
    {Opcode::abs_s64, 1, none, Inst::kIdVpabsq},
    {Opcode::and_b32, 2, Inst::kIdVpand, Inst::kIdVpandd},
    {Opcode::and_b64, 2, Inst::kIdVpand, Inst::kIdVpandd},
    {Opcode::and_pred, 2, Inst::kIdVpand, none},
    {Opcode::or_b32, 2, Inst::kIdVpor, Inst::kIdVpord},
    {Opcode::or_b64, 2, Inst::kIdVpor, Inst::kIdVpord},
    {Opcode::or_pred, 2, Inst::kIdVpor, none},
    {Opcode::xor_b32, 2, Inst::kIdVpxor, Inst::kIdVpxord},
    {Opcode::xor_b64, 2, Inst::kIdVpxor, Inst::kIdVpxord},
    {Opcode::xor_pred, 2, Inst::kIdVpxor, none},
    {Opcode::add_f32, 2, Inst::kIdVaddps, Inst::kIdVaddps},
    {Opcode::sub_f32, 2, Inst::kIdVsubps, Inst::kIdVsubps},
    {Opcode::mul_f32, 2, Inst::kIdVmulps, Inst::kIdVmulps},
    {Opcode::div_f32, 2, Inst::kIdVdivps, Inst::kIdVdivps},
    {Opcode::sqrt_f32, 1, Inst::kIdVsqrtps, Inst::kIdVsqrtps},
    {Opcode::add_f64, 2, Inst::kIdVaddpd, Inst::kIdVaddpd},
    {Opcode::sub_f64, 2, Inst::kIdVsubpd, Inst::kIdVsubpd},
    {Opcode::mul_f64, 2, Inst::kIdVmulpd, Inst::kIdVmulpd},
    {Opcode::div_f64, 2, Inst::kIdVdivpd, Inst::kIdVdivpd},
    {Opcode::sqrt_f64, 1, Inst::kIdVsqrtpd, Inst::kIdVsqrtpd},
    {Opcode::float_s32, 1, Inst::kIdVcvtdq2ps, Inst::kIdVcvtdq2ps},
    {Opcode::float_u32, 1, none, Inst::kIdVcvtudq2ps},
    {Opcode::double_s64, 1, none, Inst::kIdVcvtqq2pd},
    {Opcode::double_u64, 1, none, Inst::kIdVcvtuqq2pd},
});

constexpr auto k_shifts = std::to_array<ShiftInstruction>({
    {Opcode::shl_b32, Inst::kIdVpslld, Inst::kIdVpsllvd},
    {Opcode::shl_b64, Inst::kIdVpsllq, Inst::kIdVpsllvq},
    {Opcode::shr_u32, Inst::kIdVpsrld, Inst::kIdVpsrlvd},
    {Opcode::shr_u64, Inst::kIdVpsrlq, Inst::kIdVpsrlvq},
    {Opcode::shr_s32, Inst::kIdVpsrad, Inst::kIdVpsravd},
    {Opcode::shr_s64, Inst::kIdVpsraq, Inst::kIdVpsravq},
});

constexpr int even = 8, minus = 9, plus = 10, zero = 11;
constexpr auto k_roundings = std::to_array<Rounding>({
    {Opcode::round_even_f32, Rounds::to_f32, even},
    {Opcode::round_minus_f32, Rounds::to_f32, minus},
    {Opcode::round_plus_f32, Rounds::to_f32, plus},
    {Opcode::round_zero_f32, Rounds::to_f32, zero},
    {Opcode::round_even_f64, Rounds::to_f64, even},
    {Opcode::round_minus_f64, Rounds::to_f64, minus},
    {Opcode::round_plus_f64, Rounds::to_f64, plus},
    {Opcode::round_zero_f64, Rounds::to_f64, zero},
    {Opcode::int_even_s32, Rounds::to_s32, even},
    {Opcode::int_minus_s32, Rounds::to_s32, minus},
    {Opcode::int_plus_s32, Rounds::to_s32, plus},
    {Opcode::int_zero_s32, Rounds::to_s32, zero},
    {Opcode::int_even_u32, Rounds::to_u32, even},
    {Opcode::int_minus_u32, Rounds::to_u32, minus},
    {Opcode::int_plus_u32, Rounds::to_u32, plus},
    {Opcode::int_zero_u32, Rounds::to_u32, zero},
});

// The place of each opcode in a table, or its size.
template <const auto& Table>
consteval std::array<uint8_t, opcode_count> places() {
  std::array<uint8_t, opcode_count> made{};
  made.fill(Table.size());
  for (size_t i = 0; i < Table.size(); ++i)
    made[static_cast<size_t>(Table[i].opcode)] = static_cast<uint8_t>(i);
  return made;
}

template <const auto& Table>
const auto* find(Opcode opcode) {
  static constexpr auto k_places = places<Table>();
  const size_t place = k_places[static_cast<size_t>(opcode)];
  return place < Table.size() ? &Table[place] : nullptr;
}

}  // namespace

const LaneInstruction* lane_instruction(Opcode opcode) { return find<k_instructions>(opcode); }
const ShiftInstruction& shift_instruction(Opcode opcode) { return *find<k_shifts>(opcode); }
const Rounding* rounding_of(Opcode opcode) { return find<k_roundings>(opcode); }

}  // namespace warplens::exec::jit::x64
