// Makes one word from the lanes of a warp that are in registers.
#include "core/gpu/exec/jit/ir/shuffle.h"
#include "core/gpu/exec/jit/target/avx512/code.h"

namespace warplens::exec::jit::avx512 {

void WarpCode::load_vote(const Instruction&) { assembler.kmovd(x86::eax, mask(now().sources[0][0])); }

void WarpCode::compare_all(const Instruction& i) {
  const bool wide = i.opcode == Opcode::match_all_b64;
  const Registers& source = now().sources[0];
  assembler.emit(wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, scratch0, lanes(source[0]).xmm());
  for (uint32_t part = 0; part < parts_of(wide ? Type::b64 : Type::b32); ++part) {
    // After the first part, only lanes that were equal so far.
    if (part != 0) assembler.k(mask_scratch0);
    assembler.emit(wide ? Inst::kIdVpcmpeqq : Inst::kIdVpcmpeqd, mask_scratch0, scratch0,
                   lanes(source[part]));
  }
  // The carry flag says that all are equal.
  assembler.emit(wide ? Inst::kIdKortestb : Inst::kIdKortestw, mask_scratch0, mask_scratch0);
  assembler.sbb(x86::eax, x86::eax);
}

void WarpCode::find_inside(const Instruction& i) {
  const Registers& by = now().sources[0];
  find_source_lanes(*this, i.number, 0, scratch1, lanes(by[0]), mask_scratch0);
  find_source_lanes(*this, i.number, 1, scratch1, lanes(by[1]), mask_scratch1);
  assembler.kunpckwd(mask_scratch0, mask_scratch1, mask_scratch0);
  assembler.kmovd(x86::eax, mask_scratch0);
}

void find_source_lanes(WarpCode& code, uint64_t shuffle, uint32_t part, x86::Zmm to, x86::Zmm by,
                       const x86::KReg& inside) {
  constexpr int not_less = 5, at_most = 2;  // of VPCMPD
  Assembler& out = code.assembler;
  const auto known = KnownShuffle::of(shuffle);
  const auto of_part = [&](const LaneNumbers& numbers) {
    return code.words_of(numbers).cloneAdjusted(static_cast<int32_t>(part) * vector_bytes);
  };
  out.vpbroadcastd(scratch0, code.word(known.used_bits()));
  out.vpandd(to, by, scratch0);
  out.vmovdqu32(scratch0, of_part(lane_numbers));
  switch (known.kind) {
    case program::Collective::shfl_up:
      out.vpsubd(to, scratch0, to);
      break;
    case program::Collective::shfl_down:
      out.vpaddd(to, scratch0, to);
      break;
    case program::Collective::shfl_bfly:
      out.vpxord(to, scratch0, to);
      break;
    default:
      out.vpord(to, to, of_part(known.starts()));
  }
  out.vpcmpd(inside, to, of_part(known.bounds()), known.is_up() ? not_less : at_most);
  // A lane whose source is out of its segment reads itself.
  out.k(inside).vpblendmd(to, scratch0, to);
}

x64::Code::Folded WarpCode::fold(const Instruction&, Id operation) {
  const Registers& source = now().sources[0];
  assembler.emit(operation, scratch0, lanes(source[0]), lanes(source[1]));
  assembler.vextracti64x4(scratch1.ymm(), scratch0, 1);
  assembler.emit(operation, scratch0.ymm(), scratch0.ymm(), scratch1.ymm());
  return {scratch0.ymm(), scratch1.ymm()};
}

}  // namespace warplens::exec::jit::avx512
