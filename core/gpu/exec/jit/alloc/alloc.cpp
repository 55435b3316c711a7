#include "core/gpu/exec/jit/alloc/alloc.h"

#include <algorithm>
#include <bit>

#include "core/gpu/exec/jit/alloc/immediate.h"

namespace warplens::exec::jit {

namespace {

constexpr uint32_t never = 0xffffffff;

class Allocator {
 public:
  Allocator(std::span<const Instruction> region, const std::vector<const Instruction*>& makers,
            uint32_t registers)
      : m_region(region),
        m_makers(makers),
        m_values(makers.size()),
        m_free(registers < 32 ? (1u << registers) - 1 : ~0u) {}
  RegisterPlan run();

 private:
  struct Value {
    std::vector<uint32_t> uses;  // instructions of the region, from behind
    Registers registers{};
    bool in_registers = false, pinned = false;
    bool is_lost = false;  // was outside of the region, and is overwritten there
    std::optional<uint32_t> place = {};
  };

  Type type_of(uint32_t value) const { return info_of(m_makers[value]->opcode).result; }
  bool is_outside(uint32_t value) const {
    const Instruction& maker = *m_makers[value];
    return !m_values[value].is_lost && (is_get(maker.opcode) || is_fixed(maker.opcode) || maker.step);
  }
  uint32_t next_use(uint32_t value) const {
    return m_values[value].uses.empty() ? never : m_values[value].uses.back();
  }
  void find_uses();
  void leave(uint32_t value);
  void make_room();
  uint32_t take_place();
  void end_use(uint32_t value);
  Registers take(uint32_t count);
  void hold(uint32_t value, const Registers& registers);
  void bring(uint32_t value);
  void keep_overwritten(const Instruction& put, uint32_t at);
  void compute(const Instruction& i, uint32_t at);

  std::span<const Instruction> m_region;
  const std::vector<const Instruction*>& m_makers;
  std::vector<Value> m_values;
  std::vector<uint32_t> m_held, m_free_places;
  uint32_t m_free;
  RegisterPlan m_made;
};

bool computes_lanes(const Instruction& i) {
  return is_put(i.opcode) || (!is_get(i.opcode) && !is_fixed(i.opcode) && !i.step);
}

void Allocator::find_uses() {
  for (uint32_t at = static_cast<uint32_t>(m_region.size()); at-- > 0;) {
    const Instruction& i = m_region[at];
    if (!computes_lanes(i)) continue;
    for (size_t n = 0; n < i.sources.size(); ++n) {
      const uint32_t source = i.sources[n];
      if (source == no_value || takes_number(i, n, m_makers)) continue;
      auto& uses = m_values[source].uses;
      if (uses.empty() || uses.back() != at) uses.push_back(at);
    }
  }
}

void Allocator::leave(uint32_t value) {
  Value& v = m_values[value];
  for (uint32_t i = 0; i < registers_of(type_of(value)); ++i) m_free |= 1u << v.registers[i];
  v.in_registers = false;
  std::erase(m_held, value);
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
  if (v.uses.empty() && v.place) m_free_places.push_back(*v.place);
}

// The value that is used latest leaves its registers. There are more than an instruction has sources and
// results.
void Allocator::make_room() {
  uint32_t latest = never;
  for (const uint32_t value : m_held) {
    if (m_values[value].pinned) continue;
    if (latest == never || next_use(value) > next_use(latest)) latest = value;
  }
  Value& v = m_values[latest];
  if (next_use(latest) != never && !is_outside(latest) && !v.place) {
    v.place = take_place();
    Action spill{.kind = Action::Kind::spill, .instruction = m_makers[latest]};
    spill.sources[0] = v.registers;
    spill.place = v.place;
    m_made.actions.push_back(spill);
  }
  leave(latest);
}

Registers Allocator::take(uint32_t count) {
  Registers taken{};
  for (uint32_t i = 0; i < count; ++i) {
    if (m_free == 0) make_room();
    taken[i] = static_cast<uint8_t>(std::countr_zero(m_free));
    m_free &= m_free - 1;
  }
  return taken;
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
    load.result = take(registers_of(type_of(value)));
    load.place = v.place;
    m_made.actions.push_back(load);
    hold(value, load.result);
  }
  v.pinned = true;
}

// What was in the register of the frame, and is used behind.
void Allocator::keep_overwritten(const Instruction& put, uint32_t at) {
  if (put.opcode == Opcode::put_pred) return;  // is written behind all lanes
  const uint32_t end = put.slot + row_bytes(info_of(put.opcode).sources[0]);
  for (const Instruction& get : m_region.first(at)) {
    if (!is_get(get.opcode) || get.slot >= end ||
        put.slot >= get.slot + row_bytes(info_of(get.opcode).result))
      continue;
    Value& v = m_values[get.result];
    if (v.is_lost || next_use(get.result) == never) continue;
    const bool was_pinned = v.pinned;
    bring(get.result);
    v.pinned = was_pinned;
    v.is_lost = true;
  }
}

void Allocator::compute(const Instruction& i, uint32_t at) {
  Action action{.kind = is_put(i.opcode) ? Action::Kind::put : Action::Kind::compute, .instruction = &i};
  // A word of the stack is copied, and not looked at lane by lane.
  const bool is_word = i.opcode == Opcode::put_pred && m_makers[i.sources[0]]->step.has_value();
  for (size_t n = 0; n < i.sources.size() && !is_word; ++n)
    if (i.sources[n] != no_value && !takes_number(i, n, m_makers)) bring(i.sources[n]);
  for (size_t n = 0; n < i.sources.size(); ++n)
    if (i.sources[n] != no_value) action.sources[n] = m_values[i.sources[n]].registers;
  for (const uint32_t source : i.sources)
    if (source != no_value && next_use(source) == at) end_use(source);
  if (is_put(i.opcode)) keep_overwritten(i, at);
  if (i.result != no_value) action.result = take(registers_of(info_of(i.opcode).result));
  m_made.actions.push_back(action);
  if (i.result != no_value) hold(i.result, action.result);
  for (const uint32_t source : i.sources)
    if (source != no_value) m_values[source].pinned = false;
  std::vector<uint32_t> done;
  for (const uint32_t value : m_held)
    if (next_use(value) == never) done.push_back(value);
  for (const uint32_t value : done) leave(value);
}

RegisterPlan Allocator::run() {
  find_uses();
  for (uint32_t at = 0; at < m_region.size(); ++at)
    if (computes_lanes(m_region[at])) compute(m_region[at], at);
  return std::move(m_made);
}

}  // namespace

RegisterPlan allocate(std::span<const Instruction> region, const std::vector<const Instruction*>& makers,
                      uint32_t registers) {
  return Allocator(region, makers, registers).run();
}

}  // namespace warplens::exec::jit
