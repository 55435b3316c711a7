// Makes one word from lanes that are in the frame or in rows, and shuffles by lane numbers in a register.
#include "core/gpu/exec/jit/ir/shuffle.h"
#include "core/gpu/exec/jit/target/avx2/code.h"

namespace warplens::exec::jit::avx2 {

void load_source(LaneCode& code, const Instruction& maker, const Registers& to, uint32_t strip) {
  if (!is_get(maker.opcode)) return load_row(code, maker, to, strip);
  const uint32_t halves = registers_of(info_of(maker.opcode).result);
  for (uint32_t half = 0; half < halves; ++half)
    code.assembler.vmovdqu(lanes(to[half]), of_frame(maker.slot, (halves * strip + half) * vector_bytes));
}

void LaneCode::load_vote(const Instruction& i) {
  assembler.mov(x86::eax, of_frame(maker(i.sources[0]).slot));
}

void LaneCode::compare_all(const Instruction& i) {
  const bool wide = i.opcode == Opcode::match_all_b64;
  const Instruction& source = maker(i.sources[0]);
  const Registers loaded{0, 1};
  for (uint32_t strip = 0; strip < strips; ++strip) {
    load_source(*this, source, loaded, strip);
    if (strip == 0) {
      assembler.vpcmpeqd(scratch0, scratch0, scratch0);
      assembler.emit(wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, scratch1, lanes(0).xmm());
    }
    for (uint32_t half = 0; half < (wide ? 2u : 1u); ++half) {
      assembler.emit(wide ? Inst::kIdVpcmpeqq : Inst::kIdVpcmpeqd, scratch2, scratch1, lanes(loaded[half]));
      assembler.vpand(scratch0, scratch0, scratch2);
    }
  }
  assembler.vpmovmskb(x86::eax, scratch0);
  assembler.add(x86::eax, 1);
  assembler.cmp(x86::eax, 1);  // carry: all are equal
  assembler.sbb(x86::eax, x86::eax);
}

x86::Mem LaneCode::vector_of_strip(const std::array<uint8_t, 32>& numbers, uint32_t strip) {
  std::array<uint32_t, strip_lanes> part{};
  std::copy_n(numbers.begin() + strip_lanes * strip, strip_lanes, part.begin());
  return vector(part);
}

void LaneCode::find_source_lanes(uint64_t shuffle, uint32_t strip, x86::Ymm to) {
  const auto known = KnownShuffle::of(shuffle);
  assembler.vpand(to, to, filled(known.used_bits()));
  assembler.vmovdqu(scratch0, vector_of_strip(lane_numbers, strip));
  switch (known.kind) {
    case program::Collective::shfl_up:
      assembler.vpsubd(to, scratch0, to);
      break;
    case program::Collective::shfl_down:
      assembler.vpaddd(to, scratch0, to);
      break;
    case program::Collective::shfl_bfly:
      assembler.vpxor(to, scratch0, to);
      break;
    default:
      assembler.vpor(to, to, vector_of_strip(known.starts(), strip));
  }
  assembler.vmovdqu(scratch1, vector_of_strip(known.bounds(), strip));
  if (known.is_up()) {
    assembler.vpcmpgtd(scratch1, scratch1, to);
  } else {
    assembler.vpcmpgtd(scratch1, to, scratch1);
  }
  // A lane whose source is out of its segment reads itself.
  assembler.vblendvps(to, to, scratch0, scratch1);
}

void LaneCode::find_inside(const Instruction& i) {
  for (uint32_t strip = strips; strip-- > 0;) {
    load_source(*this, maker(i.sources[0]), {0}, strip);
    find_source_lanes(i.number, strip, lanes(0));
    assembler.vmovmskps(x86::ecx, scratch1);
    if (strip + 1 == strips) {
      assembler.mov(x86::eax, x86::ecx);
    } else {
      assembler.shl(x86::eax, strip_lanes);
      assembler.or_(x86::eax, x86::ecx);
    }
  }
  assembler.not_(x86::eax);
}

// The register may be one of the sources. Lanes of rows are written to the stack first, to the place where
// values of a region are spilled.
void LaneCode::write_shuffle_by(const Instruction& i) {
  const Instruction &source = maker(i.sources[0]), &by = maker(i.sources[1]);
  const bool in_frame = is_get(source.opcode);
  for (uint32_t strip = 0; strip < strips && !in_frame; ++strip) {
    load_row(*this, source, {0}, strip);
    assembler.vmovdqu(x86::ptr(x86::rsp, places_at + static_cast<int32_t>(strip) * vector_bytes), lanes(0));
  }
  for (uint32_t strip = 0; strip < strips; ++strip) {
    const x86::Ymm numbers = lanes(strips);
    load_source(*this, by, {strips}, strip);
    find_source_lanes(i.number, strip, numbers);
    assembler.vpcmpeqd(scratch0, scratch0, scratch0);
    const x86::Mem from = in_frame
                              ? x86::ptr(x64::frame_register, numbers, 2, static_cast<int32_t>(source.slot))
                              : x86::ptr(x86::rsp, numbers, 2, places_at);
    assembler.vpgatherdd(lanes(strip), from, scratch0);
  }
  for (uint32_t strip = 0; strip < strips; ++strip)
    assembler.vmovdqu(of_frame(i.slot, strip * vector_bytes), lanes(strip));
  forget_shapes_of(i.slot, row_bytes(Type::b32));
}

// Compares each lane with all lanes. The lanes are on the stack, and the results after them, in the place
// where values of a region are spilled.
void LaneCode::write_match_any(const Instruction& i) {
  const auto on_stack = [](uint32_t strip) {
    return x86::ptr(x86::rsp, places_at + static_cast<int32_t>(strip) * vector_bytes);
  };
  for (uint32_t strip = 0; strip < strips; ++strip) {
    load_source(*this, maker(i.sources[0]), {static_cast<uint8_t>(strip)}, strip);
    assembler.vmovdqu(on_stack(strip), lanes(strip));
  }
  const x86::Ymm order = lanes(strips), lane = lanes(strips + 1), low = scratch0, high = scratch1;
  assembler.vmovdqu(order, groups_in_order());
  const asmjit::Label next = assembler.newLabel();
  assembler.xor_(x86::ecx, x86::ecx);
  assembler.bind(next);
  assembler.vpbroadcastd(lane, x86::ptr(x86::rsp, x86::rcx, 2, places_at, 4));
  for (uint32_t half = 0; half < 2; ++half) {
    const x86::Ymm to = half == 0 ? low : high;
    assembler.vpcmpeqd(to, lane, lanes(2 * half));
    assembler.vpcmpeqd(scratch2, lane, lanes(2 * half + 1));
    assembler.vpackssdw(to, to, scratch2);
  }
  assembler.vpacksswb(low, low, high);
  assembler.vpermd(low, order, low);
  assembler.vpmovmskb(x86::eax, low);
  assembler.mov(x86::ptr(x86::rsp, x86::rcx, 2, places_at + static_cast<int32_t>(strips) * vector_bytes, 4),
                x86::eax);
  assembler.inc(x86::ecx);
  assembler.cmp(x86::ecx, warp_lanes);
  assembler.jnz(next);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    assembler.vmovdqu(low, on_stack(strips + strip));
    assembler.vmovdqu(of_frame(i.slot, strip * vector_bytes), low);
  }
  forget_shapes_of(i.slot, row_bytes(Type::b32));
}

x64::Code::Folded LaneCode::fold(const Instruction& i, Id operation) {
  const Instruction& source = maker(i.sources[0]);
  load_source(*this, source, {0}, 0);
  for (uint32_t strip = 1; strip < strips; ++strip) {
    load_source(*this, source, {1}, strip);
    assembler.emit(operation, lanes(0), lanes(0), lanes(1));
  }
  return {lanes(0), lanes(1)};
}

}  // namespace warplens::exec::jit::avx2
