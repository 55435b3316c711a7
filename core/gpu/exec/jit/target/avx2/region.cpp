// A region: first its rows, then four strips of its lanes, one after the other, then the predicates that they
// make.
#include <map>

#include "core/gpu/exec/jit/target/avx2/code.h"

namespace warplens::exec::jit::avx2 {

namespace {

class Region {
 public:
  Region(LaneCode& code, std::span<const Instruction> instructions)
      : m_code(code), m_out(code.assembler), m_instructions(instructions) {}
  bool compute();

 private:
  void load(const Action& action, uint32_t strip);
  void load_frame(const Instruction& get, const Registers& to, uint32_t strip);
  void put(const Action& action, uint32_t strip);
  void put_lanes(const Action& action, uint32_t strip);
  void store(const x86::Mem& to, x86::Ymm lanes, uint32_t strip, uint32_t half, Type type);
  void add_predicate(const Action& action, uint32_t strip);
  void write_predicates();
  x86::Mem place(uint32_t number, uint32_t half) const {
    return x86::ptr(x86::rsp, places_at + static_cast<int32_t>(2 * number + half) * vector_bytes);
  }
  static x86::Mem predicate_word(uint32_t number) {
    return x86::ptr(x86::rsp, predicates_at + static_cast<int32_t>(8 * number), 4);
  }

  LaneCode& m_code;
  Assembler& m_out;
  std::span<const Instruction> m_instructions;
  std::vector<const Instruction*> m_predicates;  // puts, in their order
};

void Region::load_frame(const Instruction& get, const Registers& to, uint32_t strip) {
  switch (info_of(get.opcode).result) {
    case Type::b16:
      m_out.vmovdqu(lanes(to[0]).xmm(), of_frame(get.slot, strip * vector_bytes / 2));
      break;
    case Type::b32:
      m_out.vmovdqu(lanes(to[0]), of_frame(get.slot, strip * vector_bytes));
      break;
    case Type::b64:
      for (uint32_t half = 0; half < 2; ++half)
        m_out.vmovdqu(lanes(to[half]), of_frame(get.slot, (2 * strip + half) * vector_bytes));
      break;
    default: {
      const x86::Mem bits = m_code.bits_of_strip(strip);
      m_out.vpbroadcastd(lanes(to[0]), of_frame(get.slot));
      m_out.vpand(lanes(to[0]), lanes(to[0]), bits);
      m_out.vpcmpeqd(lanes(to[0]), lanes(to[0]), bits);
    }
  }
}

void Region::load(const Action& action, uint32_t strip) {
  const Instruction& maker = *action.instruction;
  const Type type = info_of(maker.opcode).result;
  if (action.place) {
    for (uint32_t half = 0; half < registers_of(type); ++half)
      m_out.vmovdqu(lanes(action.result[half]), place(*action.place, half));
  } else if (is_get(maker.opcode)) {
    load_frame(maker, action.result, strip);
  } else if (type == Type::pred) {
    const x86::Mem bits = m_code.bits_of_strip(strip);
    const x86::Ymm to = lanes(action.result[0]);
    m_out.vpbroadcastd(to, m_code.row(maker.result));
    m_out.vpand(to, to, bits);
    m_out.vpcmpeqd(to, to, bits);
  } else {
    load_row(m_code, maker, action.result, strip);
  }
}

// The lanes that are not active stay as they are.
void Region::store(const x86::Mem& to, x86::Ymm from, uint32_t strip, uint32_t half, Type type) {
  const bool narrow = type == Type::b16;
  if (!m_code.is_whole()) {
    const auto active = [&](uint32_t lane) {
      return of_warp(WARPLENS_OFFSET(Warp, lanes) + static_cast<int32_t>(4 * (strip_lanes * strip + lane)));
    };
    if (type == Type::b64) {
      m_out.vpmovsxdq(scratch0, active(4 * half));
    } else {
      m_out.vmovdqu(scratch0, active(0));
    }
    if (narrow) {
      m_out.vextracti128(scratch1.xmm(), scratch0, 1);
      m_out.vpackssdw(scratch0.xmm(), scratch0.xmm(), scratch1.xmm());
      m_out.vmovdqu(scratch1.xmm(), to);
      m_out.vpblendvb(scratch1.xmm(), scratch1.xmm(), from.xmm(), scratch0.xmm());
    } else {
      m_out.vmovdqu(scratch1, to);
      m_out.vblendvps(scratch1, scratch1, from, scratch0);
    }
    from = scratch1;
  }
  if (narrow) {
    m_out.vmovdqu(to, from.xmm());
  } else {
    m_out.vmovdqu(to, from);
  }
}

void Region::put_lanes(const Action& action, uint32_t strip) {
  const Instruction& put = *action.instruction;
  const Type type = info_of(put.opcode).sources[0];
  const uint32_t halves = registers_of(type);
  const uint32_t bytes = type == Type::b16 ? vector_bytes / 2 : vector_bytes;
  for (uint32_t half = 0; half < halves; ++half)
    store(of_frame(put.slot, (halves * strip + half) * bytes), lanes(action.sources[0][half]), strip, half,
          type);
}

void Region::add_predicate(const Action& action, uint32_t strip) {
  const Instruction& put = *action.instruction;
  const auto found = std::ranges::find(m_predicates, &put);
  const auto number = static_cast<uint32_t>(found - m_predicates.begin());
  if (found == m_predicates.end()) m_predicates.push_back(&put);
  if (m_code.is_row(put.sources[0])) return;
  m_out.vmovmskps(x86::eax, lanes(action.sources[0][0]));
  if (strip != 0) m_out.shl(x86::eax, static_cast<uint8_t>(strip_lanes * strip));
  if (number < std::size(predicate_registers)) {
    m_out.emit(strip == 0 ? Inst::kIdMov : Inst::kIdOr, predicate_registers[number], x86::eax);
  } else {
    m_out.emit(strip == 0 ? Inst::kIdMov : Inst::kIdOr, predicate_word(number), x86::eax);
  }
}

void Region::write_predicates() {
  for (uint32_t number = 0; number < m_predicates.size(); ++number) {
    const Instruction& put = *m_predicates[number];
    if (m_code.is_row(put.sources[0])) {
      m_out.mov(x86::eax, m_code.row(put.sources[0]));
      m_code.write_predicate(put.slot, x86::eax);
    } else if (number < std::size(predicate_registers)) {
      m_code.write_predicate(put.slot, predicate_registers[number]);
    } else {
      m_out.mov(x86::eax, predicate_word(number));
      m_code.write_predicate(put.slot, x86::eax);
    }
  }
}

bool Region::compute() {
  for (const Instruction& i : m_instructions)
    if (is_put(i.opcode)) m_code.forget_shapes_of(i.slot, row_bytes(info_of(i.opcode).sources[0]));
  m_code.row_in_rax = no_value;
  for (const Instruction& i : m_instructions)
    if (i.step && !is_fixed(i.opcode)) compute_row(m_code, i);
  const RegisterPlan allocation = allocate(m_instructions, m_code.makers, {.vectors = lane_registers});
  if (!allocation.fits || allocation.places > most_places) return false;
  for (uint32_t strip = 0; strip < strips; ++strip) {
    for (const Action& action : allocation.actions) {
      switch (action.kind) {
        case Action::Kind::load:
          load(action, strip);
          break;
        case Action::Kind::spill:
          for (uint32_t half = 0; half < registers_of(info_of(action.instruction->opcode).result); ++half)
            m_out.vmovdqu(place(*action.place, half), lanes(action.sources[0][half]));
          break;
        case Action::Kind::compute:
          compute_lanes(m_code, *action.instruction, action);
          break;
        case Action::Kind::row:
        case Action::Kind::warp:  // are of whole units
          break;
        case Action::Kind::put:
          if (action.instruction->opcode == Opcode::put_pred) {
            add_predicate(action, strip);
          } else {
            put_lanes(action, strip);
          }
      }
    }
  }
  write_predicates();
  return m_predicates.size() <= most_predicates;
}

}  // namespace

bool compute_region(LaneCode& code, std::span<const Instruction> region) {
  return Region(code, region).compute();
}

}  // namespace warplens::exec::jit::avx2
