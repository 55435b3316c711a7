#include "core/gpu/exec/jit/alloc/alloc.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "core/gpu/exec/jit/alloc/immediate.h"

namespace warplens::exec::jit {

namespace {

constexpr uint32_t never = 0xffffffff;

uint32_t first_registers(uint32_t count) { return count < 32 ? (1u << count) - 1 : ~0u; }

class Allocator {
 public:
  Allocator(std::span<const Instruction> code, const std::vector<const Instruction*>& makers,
            const RegisterFile& file)
      : m_code(code),
        m_makers(makers),
        m_file(file),
        m_values(makers.size()),
        m_free{first_registers(file.vectors), first_registers(file.masks)} {}
  RegisterPlan run();

 private:
  enum Class : uint8_t { vectors, masks };
  struct Value {
    std::vector<uint32_t> uses;  // instructions that use it, the last one first
    Registers registers{};
    bool in_registers = false, pinned = false;
    bool is_lost = false;  // was in the frame, and is overwritten there
    std::optional<uint32_t> place = {};
  };

  Type type_of(uint32_t value) const { return result_of(*m_makers[value]); }
  Class class_of(uint32_t value) const {
    return m_file.masks != 0 && type_of(value) == Type::pred ? masks : vectors;
  }
  // How many registers it has, and how many of them are different ones.
  uint32_t named(uint32_t value) const {
    return m_file.whole_warp ? warp_registers_of(type_of(value)) : registers_of(type_of(value));
  }
  uint32_t taken(uint32_t value) const {
    return m_file.whole_warp && is_uniform(*m_makers[value]) ? 1 : named(value);
  }
  bool is_outside(uint32_t value) const {
    const Instruction& maker = *m_makers[value];
    return !m_values[value].is_lost && (is_get(maker.opcode) || is_fixed(maker.opcode) || maker.step);
  }
  uint32_t next_use(uint32_t value) const {
    return m_values[value].uses.empty() ? never : m_values[value].uses.back();
  }
  void find_uses();
  void note_use(uint32_t value, uint32_t at);
  void leave(uint32_t value);
  void leave_unused();
  void make_room(Class of);
  void spill(uint32_t value);
  uint32_t take_place();
  void end_use(uint32_t value);
  Registers take(uint32_t value);
  std::optional<Registers> take_carried(uint32_t value);
  std::optional<Registers> take_source(const Instruction& i);
  void hold(uint32_t value, const Registers& registers);
  void bring(uint32_t value);
  void keep_overwritten(uint32_t slot, uint32_t bytes);
  void compute(const Instruction& i, uint32_t at);
  void warp(const Instruction& i, uint32_t at);
  void bring_sources(const Instruction& i);
  Location location(uint32_t value) const;
  std::vector<Location> held() const;
  void start_rounds(const Action& loop);
  void want(uint32_t value, const Registers& registers);
  void find_moves(Action& again) const;
  void run_handler();

  std::span<const Instruction> m_code;
  const std::vector<const Instruction*>& m_makers;
  RegisterFile m_file;
  std::vector<Value> m_values;
  std::vector<uint32_t> m_held, m_free_places;
  std::array<uint32_t, 2> m_free;          // by Class
  std::array<uint32_t, 2> m_reserved{};    // by Class: where a round starts with carried values
  std::vector<Location> m_round;           // what a round starts with
  std::map<uint32_t, Registers> m_wanted;  // of values that are carried: where a round starts with them
  std::set<uint32_t> m_places_of_round;    // that stay what they are
  std::set<uint32_t> m_used_in_loop;       // of what was there before
  std::vector<Put> m_carries;              // of the loop
  std::vector<uint32_t> m_gets;            // registers of the frame that were read up to here
  std::vector<uint32_t> m_placed;          // values that have a place, or had one
  RegisterPlan m_made;
};

bool computes_lanes(const Instruction& i) {
  return is_put(i.opcode) || is_gathering(i.opcode) || (!is_get(i.opcode) && !is_fixed(i.opcode) && !i.step);
}

void Allocator::note_use(uint32_t value, uint32_t at) {
  auto& uses = m_values[value].uses;
  if (uses.empty() || uses.back() != at) uses.push_back(at);
}

// What a round finds from before the loop is used by the next round, too.
void Allocator::find_uses() {
  const auto again = std::ranges::find(m_code, Opcode::again, &Instruction::opcode);
  const auto back = static_cast<uint32_t>(again - m_code.begin());
  if (again != m_code.end()) m_carries = again->carries;
  std::vector<bool> is_before(m_values.size());
  if (again != m_code.end())
    for (const Instruction& i : m_code) {
      if (i.opcode == Opcode::loop) break;
      if (i.result != no_value) is_before[i.result] = !is_carried(i.opcode);
    }
  std::set<uint32_t>& used_in_loop = m_used_in_loop;
  for (uint32_t at = 0; at < m_code.size() && at < back; ++at)
    for (const uint32_t source : m_code[at].sources)
      if (source != no_value && is_before[source] && again != m_code.end()) used_in_loop.insert(source);
  for (uint32_t at = static_cast<uint32_t>(m_code.size()); at-- > 0;) {
    const Instruction& i = m_code[at];
    if (at == back)
      for (const uint32_t value : used_in_loop) note_use(value, at);
    for (const Put& put : i.carries) note_use(put.value, at);
    for (const Put& put : i.state) note_use(put.value, at);
    if (!computes_lanes(i)) continue;
    for (size_t n = 0; n < i.sources.size(); ++n) {
      const uint32_t source = i.sources[n];
      if (source != no_value && !takes_number(i, n, m_makers)) note_use(source, at);
    }
  }
}

void Allocator::leave(uint32_t value) {
  Value& v = m_values[value];
  for (uint32_t i = 0; i < taken(value); ++i) m_free[class_of(value)] |= 1u << v.registers[i];
  v.in_registers = false;
  std::erase(m_held, value);
}

void Allocator::leave_unused() {
  std::vector<uint32_t> done;
  for (const uint32_t value : m_held)
    if (next_use(value) == never) done.push_back(value);
  for (const uint32_t value : done) leave(value);
}

uint32_t Allocator::take_place() {
  if (m_free_places.empty()) return m_made.places++;
  const uint32_t place = m_free_places.back();
  m_free_places.pop_back();
  return place;
}

void Allocator::end_use(uint32_t value) {
  Value& v = m_values[value];
  v.uses.pop_back();
  if (v.uses.empty() && v.place && !m_places_of_round.contains(*v.place)) m_free_places.push_back(*v.place);
}

void Allocator::spill(uint32_t value) {
  Value& v = m_values[value];
  if (next_use(value) == never || is_outside(value) || v.place) return;
  v.place = take_place();
  m_placed.push_back(value);
  Action spilled{.kind = Action::Kind::spill, .instruction = m_makers[value]};
  spilled.sources[0] = v.registers;
  spilled.place = v.place;
  m_made.actions.push_back(spilled);
}

// The value that is used latest leaves its registers. If an instruction needs all of them, there is no plan.
void Allocator::make_room(Class of) {
  uint32_t latest = never;
  for (const uint32_t value : m_held) {
    if (m_values[value].pinned || class_of(value) != of) continue;
    if (latest == never || next_use(value) > next_use(latest)) latest = value;
  }
  m_made.fits = m_made.fits && latest != never;
  if (latest == never) return;
  spill(latest);
  leave(latest);
}

Registers Allocator::take(uint32_t value) {
  const Class of = class_of(value);
  Registers registers{};
  for (uint32_t i = 0; i < taken(value); ++i) {
    if (m_free[of] == 0) make_room(of);
    if (m_free[of] == 0) break;
    const uint32_t others = m_free[of] & ~m_reserved[of];
    registers[i] = static_cast<uint8_t>(std::countr_zero(others != 0 ? others : m_free[of]));
    m_free[of] &= ~(1u << registers[i]);
  }
  for (uint32_t i = taken(value); i < named(value); ++i) registers[i] = registers[0];
  return registers;
}

// So that they need not be moved where the next round starts.
std::optional<Registers> Allocator::take_carried(uint32_t value) {
  const auto wanted = m_wanted.find(value);
  if (wanted == m_wanted.end()) return {};
  uint32_t registers = 0;
  for (uint32_t i = 0; i < named(value); ++i) registers |= 1u << wanted->second[i];
  uint32_t& free = m_free[class_of(value)];
  if (taken(value) != named(value) || (free & registers) != registers) return {};
  free &= ~registers;
  return wanted->second;
}

std::optional<Registers> Allocator::take_source(const Instruction& i) {
  if (m_file.reuses == nullptr) return {};
  for (size_t n = 0; n < i.sources.size(); ++n) {
    const uint32_t source = i.sources[n];
    if (source == no_value || !m_values[source].in_registers || next_use(source) != never) continue;
    if (class_of(source) != class_of(i.result) || taken(source) != taken(i.result) ||
        named(source) != taken(source))
      continue;
    bool reuses = true;
    for (size_t other = 0; other < i.sources.size(); ++other)
      reuses = reuses && (i.sources[other] != source || m_file.reuses(i, other));
    if (!reuses) continue;
    m_values[source].in_registers = false;
    std::erase(m_held, source);
    return m_values[source].registers;
  }
  return {};
}

void Allocator::hold(uint32_t value, const Registers& registers) {
  m_values[value].registers = registers;
  m_values[value].in_registers = true;
  m_held.push_back(value);
}

void Allocator::bring(uint32_t value) {
  Value& v = m_values[value];
  if (!v.in_registers) {
    Action load{.kind = Action::Kind::load, .instruction = m_makers[value]};
    load.result = take(value);
    load.place = v.place;
    m_made.actions.push_back(load);
    hold(value, load.result);
  }
  v.pinned = true;
}

// Keeps values that were read from this register of the frame and are used later.
void Allocator::keep_overwritten(uint32_t slot, uint32_t bytes) {
  std::erase_if(m_gets, [&](uint32_t value) { return next_use(value) == never; });
  std::vector<uint32_t> overwritten;
  for (const uint32_t value : m_gets) {
    const Instruction& get = *m_makers[value];
    if (get.slot < slot + bytes && slot < get.slot + row_bytes(info_of(get.opcode).result))
      overwritten.push_back(value);
  }
  for (const uint32_t value : overwritten) {
    Value& v = m_values[value];
    const bool was_pinned = v.pinned;
    bring(value);
    v.pinned = was_pinned;
    v.is_lost = true;
    std::erase(m_gets, value);
  }
}

void Allocator::bring_sources(const Instruction& i) {
  // A word of the stack is copied, not read lane by lane.
  const bool is_word = (i.opcode == Opcode::put_pred || is_branch(i.opcode) || is_vote(i.opcode)) &&
                       i.sources[0] != no_value && m_makers[i.sources[0]]->step.has_value();
  for (size_t n = 0; n < i.sources.size() && !is_word; ++n) {
    const uint32_t source = i.sources[n];
    if (source == no_value || takes_number(i, n, m_makers)) continue;
    // The first lane of an address says all of it.
    const bool is_row = n == 0 &&
                        (is_access(i.opcode) || is_ascends(i.opcode) || i.opcode == Opcode::whole_b32) &&
                        m_makers[source]->step.has_value();
    if (!is_row) bring(source);
  }
}

void Allocator::compute(const Instruction& i, uint32_t at) {
  Action action{.kind = is_put(i.opcode) ? Action::Kind::put : Action::Kind::compute, .instruction = &i};
  bring_sources(i);
  for (size_t n = 0; n < i.sources.size(); ++n)
    if (i.sources[n] != no_value) action.sources[n] = m_values[i.sources[n]].registers;
  for (const uint32_t source : i.sources)
    if (source != no_value && next_use(source) == at) end_use(source);
  // In strips, predicates are written after all lanes.
  if (is_put(i.opcode) && (m_file.whole_warp || i.opcode != Opcode::put_pred))
    keep_overwritten(i.slot, row_bytes(info_of(i.opcode).sources[0]));
  if (i.result != no_value) {
    auto registers = take_carried(i.result);
    if (!registers) registers = take_source(i);
    action.result = registers ? *registers : take(i.result);
  }
  if (is_function(i.opcode)) action.held = held();
  m_made.actions.push_back(action);
  if (i.result != no_value) hold(i.result, action.result);
  for (const uint32_t source : i.sources)
    if (source != no_value) m_values[source].pinned = false;
  leave_unused();
}

Location Allocator::location(uint32_t value) const {
  const Value& v = m_values[value];
  Location location{.value = value};
  if (v.in_registers) {
    location.registers = v.registers;
  } else {
    location.place = v.place;
  }
  return location;
}

std::vector<Location> Allocator::held() const {
  std::vector<Location> all;
  for (const uint32_t value : m_held)
    if (next_use(value) != never) all.push_back(location(value));
  for (const uint32_t value : m_placed)
    if (next_use(value) != never && !m_values[value].in_registers && m_values[value].place)
      all.push_back(location(value));
  return all;
}

// Others take these registers last.
void Allocator::want(uint32_t value, const Registers& registers) {
  m_wanted.emplace(value, registers);
  for (uint32_t i = 0; i < named(value); ++i) m_reserved[class_of(value)] |= 1u << registers[i];
}

void Allocator::start_rounds(const Action& loop) {
  m_round = loop.held;
  for (const Location& start : m_round) {
    if (start.place) m_places_of_round.insert(*start.place);
    // What is in a register is spilled again in each round.
    Value& v = m_values[start.value];
    for (const Put& put : m_carries)
      if (start.registers && is_carried(m_makers[start.value]->opcode) &&
          put.slot == m_makers[start.value]->slot)
        want(put.value, *start.registers);
    if (start.registers && v.place) m_free_places.push_back(*std::exchange(v.place, std::nullopt));
  }
}

void Allocator::find_moves(Action& again) const {
  for (const Location& start : m_round) {
    uint32_t from = start.value;
    for (const Put& put : again.instruction->carries)
      if (is_carried(m_makers[start.value]->opcode) && put.slot == m_makers[start.value]->slot)
        from = put.value;
    const Location now = location(from);
    // A place keeps what was put there.
    if (from == start.value && start.place) continue;
    if (now.registers && now.registers == start.registers) continue;
    again.moves.emplace_back(now, start);
  }
}

// The registers are overwritten.
void Allocator::run_handler() {
  const std::vector<uint32_t> all = m_held;
  for (const uint32_t value : all) {
    spill(value);
    leave(value);
  }
}

void Allocator::warp(const Instruction& i, uint32_t at) {
  for (const Put& put : i.state) keep_overwritten(put.slot, row_bytes(put.type));
  if (is_load(i.opcode)) keep_overwritten(i.slot, 32u * i.access.register_bytes);
  bring_sources(i);
  if (i.opcode == Opcode::call) run_handler();
  Action action{.kind = Action::Kind::warp, .instruction = &i};
  for (size_t n = 0; n < i.sources.size(); ++n)
    if (i.sources[n] != no_value) action.sources[n] = m_values[i.sources[n]].registers;
  action.held = held();
  if (i.opcode == Opcode::loop) start_rounds(action);
  if (i.opcode == Opcode::again) find_moves(action);
  for (const uint32_t source : i.sources)
    if (source != no_value) m_values[source].pinned = false;
  const auto end_here = [&](uint32_t value) {
    if (value != no_value && next_use(value) == at) end_use(value);
  };
  std::ranges::for_each(i.sources, end_here);
  for (const Put& put : i.state) end_here(put.value);
  for (const Put& put : i.carries) end_here(put.value);
  if (i.opcode == Opcode::again) std::ranges::for_each(m_used_in_loop, end_here);
  leave_unused();
  const bool is_in_lanes = i.result != no_value && !i.step;
  if (is_in_lanes) action.result = take(i.result);
  m_made.actions.push_back(action);
  if (is_in_lanes) hold(i.result, action.result);
  leave_unused();
}

RegisterPlan Allocator::run() {
  find_uses();
  bool is_in_front = std::ranges::find(m_code, Opcode::loop, &Instruction::opcode) != m_code.end();
  for (uint32_t at = 0; at < m_code.size(); ++at) {
    const Instruction& i = m_code[at];
    if (is_get(i.opcode)) m_gets.push_back(i.result);
    is_in_front = is_in_front && i.opcode != Opcode::loop;
    if (ends_region(i.opcode)) {
      warp(i, at);
    } else if (is_in_front) {
      // Each round finds it in registers, as far as there are some.
      bring(i.result);
      m_values[i.result].pinned = false;
      leave_unused();
    } else if (computes_lanes(i)) {
      compute(i, at);
    } else if (m_file.whole_warp && !is_get(i.opcode) && !is_fixed(i.opcode)) {
      m_made.actions.push_back({.kind = Action::Kind::row, .instruction = &i});
    }
  }
  return std::move(m_made);
}

}  // namespace

RegisterPlan allocate(std::span<const Instruction> code, const std::vector<const Instruction*>& makers,
                      const RegisterFile& file) {
  return Allocator(code, makers, file).run();
}

}  // namespace warplens::exec::jit
