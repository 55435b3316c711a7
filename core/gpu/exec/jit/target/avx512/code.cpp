#include "core/gpu/exec/jit/target/avx512/code.h"

#include <algorithm>

#include "core/gpu/exec/state/routines.h"

namespace warplens::exec::jit::avx512 {

x86::Mem WarpCode::word(uint32_t number) {
  const auto [place, is_new] = m_words.try_emplace(number);
  if (is_new) place->second = assembler.newLabel();
  return x86::ptr(place->second, 0, 4);
}

x86::Mem WarpCode::number_64(uint64_t number) {
  const auto [place, is_new] = m_numbers_64.try_emplace(number);
  if (is_new) place->second = assembler.newLabel();
  return x86::ptr(place->second, 0, 8);
}

x86::Mem WarpCode::op_of_cells() {
  if (!m_op_of_cells) m_op_of_cells = assembler.newLabel();
  return x86::ptr(*m_op_of_cells);
}

x86::Mem WarpCode::words_of(const LaneNumbers& numbers) {
  const auto [place, is_new] = m_lane_numbers.try_emplace(numbers);
  if (is_new) place->second = assembler.newLabel();
  return x86::ptr(place->second);
}

void WarpCode::write_constants() {
  Code::write_constants();
  for (const auto& [numbers, label] : m_lane_numbers) {
    assembler.align(asmjit::AlignMode::kData, vector_bytes);
    assembler.bind(label);
    for (const uint8_t number : numbers) assembler.embedUInt32(number);
  }
  if (m_op_of_cells) {
    constexpr auto cell = [](int32_t number) { return static_cast<uint32_t>(number * cell_bytes); };
    const Op op{.d = cell(0), .a = cell(1), .b = cell(2), .c = cell(3), .e = no_slot};
    static_assert(std::is_trivially_copyable_v<Op>);
    assembler.align(asmjit::AlignMode::kData, vector_bytes);
    assembler.bind(*m_op_of_cells);
    assembler.embed(&op, sizeof op);
  }
  for (const auto& [number, label] : m_numbers_64) {
    assembler.bind(label);
    assembler.embedUInt64(number);
  }
  for (const auto& [number, label] : m_words) {
    assembler.bind(label);
    assembler.embedUInt32(number);
  }
}

// The same number is added to all lanes, or taken away: their relative offsets are unchanged.
void WarpCode::find_roots(const Unit& unit) {
  m_roots.resize(unit.values);
  for (uint32_t value = 0; value < unit.values; ++value) m_roots[value] = value;
  const auto is_same = [&](uint32_t value) { return is_same_in_all_lanes(maker(value)); };
  for (const Instruction& i : unit.code) {
    const bool is_sum = i.opcode == Opcode::add_b32 || i.opcode == Opcode::add_b64;
    const bool is_difference = i.opcode == Opcode::sub_b32 || i.opcode == Opcode::sub_b64;
    if (!is_sum && !is_difference) continue;
    if (is_same(i.sources[1])) {
      m_roots[i.result] = m_roots[i.sources[0]];
    } else if (is_sum && is_same(i.sources[0])) {
      m_roots[i.result] = m_roots[i.sources[1]];
    }
  }
}

void WarpCode::add_steps(Id add, x86::Zmm to, int64_t step, RowShape rows, uint32_t element_bytes,
                         uint32_t part) {
  const uint32_t vector_lanes = static_cast<uint32_t>(vector_bytes) / element_bytes;
  if (rows.lanes >= vector_lanes) {
    assembler.emit(add, to, to, steps.steps(step, element_bytes, part % (rows.lanes / vector_lanes)));
    return;
  }
  assembler.vbroadcasti64x4(scratch2, steps.steps(step, element_bytes, 0));
  assembler.emit(add, to, to, scratch2);
}

void WarpCode::load_again(const Instruction& maker, uint32_t part, x86::Zmm to) {
  const Type type = result_of(maker);
  const bool wide = type == Type::b64;
  const auto at = static_cast<int32_t>(part) * vector_bytes;
  if (type == Type::b16) return static_cast<void>(assembler.vmovdqu32(to, of_frame(maker.slot)));
  const bool has_lanes = !maker.step || !maker.rows.is_whole();
  if (is_get(maker.opcode) || is_carried(maker.opcode) || (is_fixed_in_frame(maker.opcode) && has_lanes)) {
    if (is_constant(maker.opcode)) {
      assembler.emit(wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, to,
                     of_frame(maker.slot, 0, wide ? 8 : 4));
    } else {
      assembler.vmovdqu32(to, of_frame(maker.slot, static_cast<uint32_t>(at)));
    }
    return;
  }
  spread_firsts(to, maker.rows, wide ? 8 : 4, part,
                [&](uint32_t number) { return row(maker.result, number); });
  if (maker.step.value_or(0) == 0) return;
  add_steps(wide ? Inst::kIdVpaddq : Inst::kIdVpaddd, to, *maker.step, maker.rows, wide ? 8 : 4, part);
}

void WarpCode::load_mask_again(const Instruction& maker, const x86::KReg& to) {
  const bool in_frame = is_get(maker.opcode) || is_carried(maker.opcode);
  assembler.kmovd(to, in_frame ? of_frame(maker.slot, 0, 4) : row(maker.result));
}

void WarpCode::load_place(const Instruction& maker, const Registers& to, uint32_t place) {
  if (result_of(maker) == Type::pred)
    return static_cast<void>(assembler.kmovd(mask(to[0]), word_at_place(place)));
  for (uint32_t part = 0; part < different_parts(maker); ++part)
    assembler.vmovdqu32(lanes(to[part]), at_place(place, part));
}

void WarpCode::spill(const Instruction& maker, const Registers& from, uint32_t place) {
  if (result_of(maker) == Type::pred)
    return static_cast<void>(assembler.kmovd(word_at_place(place), mask(from[0])));
  for (uint32_t part = 0; part < different_parts(maker); ++part)
    assembler.vmovdqu32(at_place(place, part), lanes(from[part]));
}

void WarpCode::load(const Instruction& maker, const Registers& to, std::optional<uint32_t> place) {
  if (place) return load_place(maker, to, *place);
  if (result_of(maker) == Type::pred) return load_mask_again(maker, mask(to[0]));
  for (uint32_t part = 0; part < different_parts(maker); ++part) load_again(maker, part, lanes(to[part]));
}

// Handlers that run under a mask write them (run_and_learn_part_of_row).
void WarpCode::write_active_lanes(bool outermost) {
  if (!outermost) return;
  assembler.kmovd(mask_scratch0, x86::eax);
  for (int32_t at = 0; at < 2 * vector_bytes; at += vector_bytes) {
    assembler.vpmovm2d(scratch0, mask_scratch0);
    assembler.vmovdqa32(of_warp(WARPLENS_OFFSET(Warp, lanes) + at), scratch0);
    if (at == 0) assembler.kshiftrd(mask_scratch0, mask_scratch0, 16);
  }
}

// Vectors are written whole, because a load waits for a store of its parts.
void WarpCode::store(uint32_t slot, Type type, uint32_t part, x86::Zmm from) {
  const x86::Mem to = of_frame(slot, part * vector_bytes);
  if (is_whole()) return static_cast<void>(assembler.vmovdqu32(to, from));
  const auto active = [&](uint32_t byte, uint32_t size) {
    return x86::ptr(x64::warp_register, WARPLENS_OFFSET(Warp, mask) + static_cast<int32_t>(byte), size);
  };
  assembler.vmovdqu32(scratch3, to);
  if (type == Type::b16) {
    assembler.kmovd(mask_scratch0, active(0, 4));
    assembler.k(mask_scratch0).vmovdqu16(scratch3, from);
  } else if (type == Type::b32) {
    assembler.kmovw(mask_scratch0, active(2 * part, 2));
    assembler.k(mask_scratch0).vmovdqa32(scratch3, from);
  } else {
    assembler.kmovb(mask_scratch0, active(part, 1));
    assembler.k(mask_scratch0).vmovdqa64(scratch3, from);
  }
  assembler.vmovdqu32(to, scratch3);
}

// In a scratch register.
x86::Zmm WarpCode::canonical(x86::Zmm from) {
  constexpr uint32_t not_a_number = 0x7fffffff;
  assembler.vcmpps(mask_scratch0, from, from, 0x03);
  if (from != scratch0) assembler.vmovdqa32(scratch0, from);
  assembler.k(mask_scratch0).vpbroadcastd(scratch0, word(not_a_number));
  return scratch0;
}

// From registers, from a place, or made again.
void WarpCode::put(const Put& put, const Location* from) {
  const Instruction& made = maker(put.value);
  if (put.type == Type::pred) {
    if (from != nullptr && from->registers) {
      assembler.kmovd(x86::eax, mask((*from->registers)[0]));
    } else if (from != nullptr && from->place) {
      assembler.mov(x86::eax, word_at_place(*from->place));
    } else if (is_get(made.opcode) || is_carried(made.opcode)) {
      assembler.mov(x86::eax, of_frame(made.slot, 0, 4));
    } else {
      assembler.mov(x86::eax, row(put.value));
    }
    return write_predicate(put.slot, x86::eax);
  }
  for (uint32_t part = 0; part < parts_of(put.type); ++part) {
    x86::Zmm lane = scratch0;
    if (from != nullptr && from->registers) {
      lane = lanes((*from->registers)[part]);
    } else if (from != nullptr && from->place) {
      assembler.vmovdqu32(scratch0, at_place(*from->place, is_uniform(made) ? 0 : part));
    } else {
      load_again(made, part, scratch0);
    }
    if (put.canonical) lane = canonical(lane);
    store(put.slot, put.type, part, lane);
  }
}

namespace {

const Location* find(const std::vector<Location>& held, uint32_t value) {
  const auto found = std::ranges::find(held, value, &Location::value);
  return found == held.end() ? nullptr : &*found;
}

}  // namespace

std::function<void()> WarpCode::state_writer(const Instruction& i) {
  return [this, &i, &held = m_now->held] {
    for (const Put& each : i.state) put(each, find(held, each.value));
  };
}

WarpCode::Keeper WarpCode::keeper(const Instruction&) {
  const auto each = [this, held = m_now->held](const auto& vector, const auto& word) {
    for (const Location& location : held) {
      if (!location.registers) continue;
      const Instruction& made = maker(location.value);
      if (result_of(made) == Type::pred) {
        const uint32_t number = (*location.registers)[0];
        word(mask(number), x86::ptr(x86::rsp,
                                    kept_at + vector_bytes * static_cast<int32_t>(lane_registers) +
                                        8 * static_cast<int32_t>(number),
                                    4));
        continue;
      }
      for (uint32_t part = 0; part < different_parts(made); ++part) {
        const uint32_t number = (*location.registers)[part];
        vector(lanes(number), x86::ptr(x86::rsp, kept_at + vector_bytes * static_cast<int32_t>(number)));
      }
    }
  };
  return {[this, each] {
            each([this](x86::Zmm r, const x86::Mem& m) { assembler.vmovdqu32(m, r); },
                 [this](const x86::KReg& r, const x86::Mem& m) { assembler.kmovd(m, r); });
          },
          [this, each] {
            each([this](x86::Zmm r, const x86::Mem& m) { assembler.vmovdqu32(r, m); },
                 [this](const x86::KReg& r, const x86::Mem& m) { assembler.kmovd(r, m); });
          }};
}

void WarpCode::load_predicate(const Instruction& branch) {
  const uint32_t value = branch.sources[0];
  if (maker(value).step) return static_cast<void>(assembler.mov(x86::eax, row(value)));
  assembler.kmovd(x86::eax, mask(m_now->sources[0][0]));
}

void WarpCode::check_whole(const Instruction&, const asmjit::Label& others) {
  const Registers& mask_lanes = now().sources[0];
  assembler.vpandd(scratch0, lanes(mask_lanes[0]), lanes(mask_lanes[1]));
  assembler.vpternlogd(scratch1, scratch1, scratch1, 0xff);
  assembler.vpcmpd(mask_scratch0, scratch0, scratch1, 0);
  assembler.kortestw(mask_scratch0, mask_scratch0);  // no carry: some lane is not the same
  assembler.jnc(others);
}

void WarpCode::compare_rows(const Instruction& i) {
  const bool wide = i.opcode == Opcode::setp_u64 || i.opcode == Opcode::setp_s64;
  assembler.xor_(x86::eax, x86::eax);
  const uint32_t parts = wide ? 4 : 2, bits = 32 / parts;
  for (uint32_t part = parts; part-- > 0;) {
    load_again(maker(i.sources[0]), part, scratch0);
    load_again(maker(i.sources[1]), part, scratch1);
    compare_part(*this, i.opcode, i.condition, scratch0, scratch1, mask_scratch0);
    assembler.kmovd(x86::ecx, mask_scratch0);
    assembler.shl(x86::eax, static_cast<uint8_t>(bits));
    assembler.or_(x86::eax, x86::ecx);
  }
}

void WarpCode::write_put(const Action& action) {
  const Instruction& i = *action.instruction;
  Location from{.value = i.sources[0]};
  const bool is_word = i.opcode == Opcode::put_pred && maker(i.sources[0]).step.has_value();
  if (!is_word) from.registers = action.sources[0];
  put({info_of(i.opcode).sources[0], i.slot, i.sources[0]}, &from);
}

// The lanes that go on are in eax, if they are active.
void WarpCode::repeat(const Action& action) {
  const Instruction& i = *action.instruction;
  if (i.sources[0] == no_value) {
    move_all(action.moves);
    return static_cast<void>(assembler.jmp(m_round));
  }
  const asmjit::Label others = assembler.newLabel(), parts = assembler.newLabel();
  load_predicate(i);
  if (i.negated) assembler.not_(x86::eax);
  if (has_all_lanes()) {
    assembler.cmp(x86::eax, -1);
  } else {
    assembler.and_(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
    assembler.cmp(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
  }
  assembler.jnz(others);
  move_all(action.moves);
  assembler.jmp(m_round);
  assembler.bind(others);
  assembler.test(x86::eax, x86::eax);
  assembler.jnz(parts);
  cold_paths.emplace_back([this, &i, parts, put_state = state_writer(i)] {
    assembler.bind(parts);
    put_state();
    part_lanes(i.at);
  });
}

void WarpCode::write_action(const Action& action, const Unit& unit) {
  const Instruction& i = *action.instruction;
  m_now = &action;
  if (action.kind != Action::Kind::row) row_in_rax = no_value;
  switch (action.kind) {
    case Action::Kind::load:
      return load(i, action.result, action.place);
    case Action::Kind::spill:
      return spill(i, action.sources[0], *action.place);
    case Action::Kind::compute:
      return compute_lanes(*this, i, action);
    case Action::Kind::put:
      return write_put(action);
    case Action::Kind::row:
      return x64::compute_row(*this, i);
    case Action::Kind::warp:
      break;
  }
  if (i.opcode == Opcode::again) return repeat(action);
  if (i.opcode != Opcode::loop) return x64::write_warp(*this, unit, i);
  assembler.align(asmjit::AlignMode::kCode, 32);
  m_round = assembler.newLabel();
  assembler.bind(m_round);
}

bool WarpCode::write_unit(const Unit& unit, x64::Entered& entered) {
  m_plans.push_back(allocate(
      unit.code, makers,
      {.vectors = lane_registers, .masks = mask_registers, .whole_warp = true, .reuses = &reuses_source}));
  const RegisterPlan& plan = m_plans.back();
  if (!plan.fits || plan.places > most_places) return false;
  find_roots(unit);
  const std::vector<UnitEntry> entries = entries_of(unit);
  const asmjit::Label start = label_of(unit);
  assembler.bind(start);
  if (!entries.empty()) entered.emplace_back(unit.start, start);
  const std::vector<Location>* round = nullptr;
  for (const Action& action : plan.actions) {
    write_action(action, unit);
    if (action.instruction->opcode == Opcode::loop) round = &action.held;
    // A warp whose turn ended at the start of the block goes on here, with what a round starts with.
    if (entries.size() < 2 || action.instruction != &unit.code[entries[1].first - 1]) continue;
    const asmjit::Label behind = assembler.newLabel();
    assembler.bind(behind);
    if (round == nullptr) {
      entered.emplace_back(entries[1].op, behind);
      continue;
    }
    const asmjit::Label resumes = assembler.newLabel();
    entered.emplace_back(entries[1].op, resumes);
    cold_paths.emplace_back([this, round, behind, resumes] {
      assembler.bind(resumes);
      std::vector<std::pair<Location, Location>> moves;
      for (const Location& location : *round) moves.emplace_back(Location{.value = location.value}, location);
      move_all(moves);
      assembler.jmp(behind);
    });
  }
  return true;
}

}  // namespace warplens::exec::jit::avx512
