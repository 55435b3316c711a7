#include "core/gpu/exec/jit/target/avx2/code.h"

#include "core/gpu/exec/jit/ir/overlap.h"

namespace warplens::exec::jit::avx2 {

x86::Mem LaneCode::vector(const std::array<uint32_t, 8>& numbers) {
  const auto [place, is_new] = m_vectors.try_emplace(numbers);
  if (is_new) place->second = assembler.newLabel();
  return x86::ptr(place->second);
}

x86::Mem LaneCode::filled(uint32_t number) {
  std::array<uint32_t, 8> numbers{};
  numbers.fill(number);
  return vector(numbers);
}

x86::Mem LaneCode::bits_of_strip(uint32_t strip) {
  std::array<uint32_t, 8> numbers{};
  for (uint32_t lane = 0; lane < strip_lanes; ++lane) numbers[lane] = 1u << (strip_lanes * strip + lane);
  return vector(numbers);
}

void LaneCode::write_constants() {
  Code::write_constants();
  for (const auto& [numbers, label] : m_vectors) {
    assembler.align(asmjit::AlignMode::kData, vector_bytes);
    assembler.bind(label);
    for (const uint32_t number : numbers) assembler.embedUInt32(number);
  }
}

void LaneCode::forget_shapes_of(uint32_t slot, uint32_t bytes) {
  erase_overlapping(known_shapes, slot, bytes, [](uint32_t) { return widest_row_bytes; });
}

void LaneCode::compare_rows(const Instruction& i) {
  Assembler& out = assembler;
  const Registers a{0, 1}, b{2, 3};
  const x86::Ymm result = lanes(4);
  out.xor_(x86::eax, x86::eax);
  for (uint32_t strip = strips; strip-- > 0;) {
    load_row(*this, maker(i.sources[0]), a, strip);
    load_row(*this, maker(i.sources[1]), b, strip);
    avx2::compare_lanes(*this, i.opcode, i.condition, a, b, result);
    out.vmovmskps(x86::ecx, result);
    out.shl(x86::eax, 8);
    out.or_(x86::eax, x86::ecx);
  }
}

void load_row(LaneCode& code, const Instruction& maker, const Registers& to, uint32_t strip) {
  Assembler& out = code.assembler;
  const bool wide = info_of(maker.opcode).result == Type::b64;
  const bool in_frame = is_fixed(maker.opcode) && maker.opcode < Opcode::special_b32;
  const x86::Mem first = code.row(maker.result);
  const int64_t step = maker.step.value_or(0);
  for (uint32_t half = 0; half < (wide ? 2u : 1u); ++half) {
    const x86::Ymm r = lanes(to[half]);
    if (in_frame) {
      out.vmovdqu(r, of_frame(maker.slot, ((wide ? 2 : 1) * strip + half) * vector_bytes));
      continue;
    }
    out.emit(wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, r, first);
    if (step == 0) continue;
    const uint32_t part = wide ? 2 * strip + half : strip;
    out.emit(
        wide ? Inst::kIdVpaddq : Inst::kIdVpaddd, r, r,
        code.steps.steps(step, wide ? 8 : 4, 0).cloneAdjusted(static_cast<int32_t>(part) * vector_bytes));
  }
}

namespace {

// Writes the lanes of a row to the frame, or the word of a predicate.
void put_row(LaneCode& code, const Put& put) {
  Assembler& out = code.assembler;
  if (put.type == Type::pred) {
    out.mov(x86::eax, code.row(put.value));
    return code.write_predicate(put.slot, x86::eax);
  }
  const uint32_t parts = put.type == Type::b64 ? 2 : 1;
  for (uint32_t strip = 0; strip < strips; ++strip) {
    load_row(code, code.maker(put.value), {13, 14}, strip);
    for (uint32_t part = 0; part < parts; ++part)
      out.vmovdqu(of_frame(put.slot, (strip * parts + part) * vector_bytes), part == 0 ? scratch0 : scratch1);
  }
}

}  // namespace

std::function<void()> LaneCode::state_writer(const Instruction& i) {
  return [this, &i] {
    for (const Put& put : i.state) put_row(*this, put);
  };
}

}  // namespace warplens::exec::jit::avx2
