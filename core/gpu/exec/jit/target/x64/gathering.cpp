// Makes one word from the lanes of a warp: votes, matches of all lanes, reductions, and the mask of lanes
// whose source in a shuffle lies in their segment.
#include "core/gpu/exec/jit/target/x64/code.h"

namespace warplens::exec::jit::x64 {

namespace {

// eax holds the word of the predicate, and then the verdict of the vote or its word.
void vote(Assembler& out, Opcode opcode) {
  switch (opcode) {
    case Opcode::vote_all_pred:
      out.add(x86::eax, 1);
      out.cmp(x86::eax, 1);  // carry: the word was all ones
      break;
    case Opcode::vote_any_pred:
      out.neg(x86::eax);  // carry: it was not 0
      break;
    case Opcode::vote_uni_pred:
      out.add(x86::eax, 1);
      out.cmp(x86::eax, 2);  // carry: it was all ones, or 0
      break;
    default:  // a ballot
      return;
  }
  out.sbb(x86::eax, x86::eax);
}

// The instruction that reduces vectors of any width.
Id operation_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::redux_add_b32:
      return Inst::kIdVpaddd;
    case Opcode::redux_min_u32:
      return Inst::kIdVpminud;
    case Opcode::redux_min_s32:
      return Inst::kIdVpminsd;
    case Opcode::redux_max_u32:
      return Inst::kIdVpmaxud;
    case Opcode::redux_max_s32:
      return Inst::kIdVpmaxsd;
    case Opcode::redux_and_b32:
      return Inst::kIdVandps;
    case Opcode::redux_or_b32:
      return Inst::kIdVorps;
    default:
      return Inst::kIdVxorps;
  }
}

void reduce(Code& code, const Instruction& i) {
  constexpr int upper_half = 0x4e, odd_lanes = 0xb1;  // of VPSHUFD
  Assembler& out = code.assembler;
  Id operation = operation_of(i.opcode);
  const auto [lanes, free] = code.fold(i, operation);
  out.vextracti128(free.xmm(), lanes, 1);
  out.emit(operation, lanes.xmm(), lanes.xmm(), free.xmm());
  for (const int moved : {upper_half, odd_lanes}) {
    out.vpshufd(free.xmm(), lanes.xmm(), moved);
    out.emit(operation, lanes.xmm(), lanes.xmm(), free.xmm());
  }
  out.vmovd(x86::eax, lanes.xmm());
}

}  // namespace

void write_gathering(Code& code, const Instruction& i) {
  if (is_vote(i.opcode)) {
    if (code.maker(i.sources[0]).step) {
      code.assembler.mov(x86::eax, code.row(i.sources[0]));
    } else {
      code.load_vote(i);
    }
    if (i.negated) code.assembler.not_(x86::eax);
    vote(code.assembler, i.opcode);
  } else if (is_match_all(i.opcode)) {
    code.compare_all(i);
  } else if (i.opcode == Opcode::shuffle_inside_b32) {
    code.find_inside(i);
  } else {
    reduce(code, i);
  }
  code.assembler.mov(code.row(i.result), x86::eax);
}

}  // namespace warplens::exec::jit::x64
