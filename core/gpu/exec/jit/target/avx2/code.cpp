#include "core/gpu/exec/jit/target/avx2/code.h"

#include "core/gpu/exec/jit/ir/overlap.h"
#include "core/gpu/exec/jit/ir/shuffle.h"

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

x86::Mem LaneCode::filled_64(uint64_t number) {
  std::array<uint32_t, 8> numbers{};
  for (uint32_t at = 0; at < 8; ++at) numbers[at] = static_cast<uint32_t>(number >> (at % 2 * 32));
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

void LaneCode::write_active_lanes(bool) {
  assembler.vmovd(scratch0.xmm(), x86::eax);
  assembler.vpbroadcastd(scratch0, scratch0.xmm());
  for (uint32_t strip = 0; strip < strips; ++strip) {
    const x86::Mem bits = bits_of_strip(strip);
    assembler.vpand(scratch1, scratch0, bits);
    assembler.vpcmpeqd(scratch1, scratch1, bits);
    assembler.vmovdqu(of_warp(WARPLENS_OFFSET(Warp, lanes) + static_cast<int32_t>(strip) * vector_bytes),
                      scratch1);
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
  const bool in_frame = is_fixed_in_frame(maker.opcode);
  const int64_t step = maker.step.value_or(0);
  for (uint32_t half = 0; half < (wide ? 2u : 1u); ++half) {
    const x86::Ymm r = lanes(to[half]);
    if (in_frame) {
      out.vmovdqu(r, of_frame(maker.slot, ((wide ? 2 : 1) * strip + half) * vector_bytes));
      continue;
    }
    const uint32_t first = strip_lanes * strip, row_lanes = maker.rows.lanes;
    out.emit(wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, r,
             code.row(maker.result, first / row_lanes));
    if (step == 0) continue;
    const uint32_t part = first % row_lanes * (wide ? 2 : 1) / strip_lanes + half;
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

void LaneCode::check_whole(const Instruction& i, const asmjit::Label& others) {
  const uint32_t slot = maker(i.sources[0]).slot;
  assembler.vmovdqu(scratch0, of_frame(slot));
  for (uint32_t strip = 1; strip < strips; ++strip)
    assembler.vpand(scratch0, scratch0, of_frame(slot, strip * vector_bytes));
  assembler.vpcmpeqd(scratch1, scratch1, scratch1);
  assembler.vptest(scratch0, scratch1);  // no carry: some bit is not set
  assembler.jnc(others);
}

// A strip of the result has lanes of one strip of the source, or of several.
void LaneCode::write_shuffle(const Instruction& i) {
  const Instruction& source = maker(i.sources[0]);
  const auto from = KnownShuffle::of(i.number).lanes();
  for (uint32_t strip = 0; strip < strips; ++strip)
    load_source(*this, source, {static_cast<uint8_t>(strip)}, strip);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    std::array<uint32_t, strip_lanes> numbers{};
    std::array<uint32_t, strips> taken{};  // lanes, by the strip of the source
    for (uint32_t lane = 0; lane < strip_lanes; ++lane) {
      const uint32_t source_lane = from[strip_lanes * strip + lane];
      numbers[lane] = source_lane % strip_lanes;
      taken[source_lane / strip_lanes] |= 1u << lane;
    }
    assembler.vmovdqu(scratch2, vector(numbers));
    bool is_first = true;
    for (uint32_t other = 0; other < strips; ++other) {
      if (taken[other] == 0) continue;
      assembler.vpermd(is_first ? scratch0 : scratch1, scratch2, lanes(other));
      if (!is_first) assembler.vpblendd(scratch0, scratch0, scratch1, taken[other]);
      is_first = false;
    }
    assembler.vmovdqu(of_frame(i.slot, strip * vector_bytes), scratch0);
  }
  forget_shapes_of(i.slot, row_bytes(Type::b32));
}

std::function<void()> LaneCode::state_writer(const Instruction& i) {
  return [this, &i] {
    for (const Put& put : i.state) put_row(*this, put);
  };
}

}  // namespace warplens::exec::jit::avx2
