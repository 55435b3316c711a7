#include <algorithm>
#include <map>
#include <utility>

#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

namespace {

class Sink {
 public:
  Sink(Unit& unit, LanesAt lanes) : m_unit(unit), m_lanes(lanes) { find_uses(); }
  void run();

 private:
  struct Pending {
    Instruction put;
    bool stays;  // in registers, or the first lane and a step say all of it
  };
  struct SlotUse {
    size_t at;
    bool is_store;
  };

  void find_uses();
  bool is_needed(const Pending& pending, size_t at) const;
  bool overlaps(const Pending& pending, uint32_t slot, uint32_t bytes) const {
    return pending.put.slot < slot + bytes &&
           slot < pending.put.slot + row_bytes(info_of(pending.put.opcode).sources[0]);
  }
  void write(Pending& pending) { m_code.push_back(std::move(pending.put)); }
  void write_overlapping(uint32_t slot, uint32_t bytes);
  void add_put(Instruction& put);
  void start_rounds();
  void pass(Instruction& i, size_t at);

  Unit& m_unit;
  LanesAt m_lanes;
  std::vector<Instruction> m_code;
  std::vector<Pending> m_pending;
  std::map<uint32_t, bool> m_is_row;                     // of each value
  std::map<uint32_t, size_t> m_last_use;                 // of each value: the last instruction that has it
  std::map<uint32_t, std::vector<SlotUse>> m_slot_uses;  // stores of a register, and writes of it
  bool m_is_part = false;                                // only some lanes are active
  std::vector<bool> m_needs_whole_frame;                 // from an instruction to the end of its basic block
};

void Sink::find_uses() {
  const auto& code = m_unit.code;
  m_needs_whole_frame.resize(code.size() + 1, false);
  for (size_t at = code.size(); at-- > 0;) {
    const Opcode o = code[at].opcode;
    m_needs_whole_frame[at] = needs_whole_frame(o) || (o != Opcode::enter && m_needs_whole_frame[at + 1]);
  }
  for (size_t at = 0; at < code.size(); ++at) {
    const Instruction& i = code[at];
    if (i.result != no_value)
      m_is_row[i.result] = i.step.has_value() && info_of(i.opcode).result != Type::pred;
    if (is_put(i.opcode)) m_slot_uses[i.slot].push_back({at, false});
    for (const uint32_t source : i.sources)
      if (source != no_value) m_last_use[source] = at;
    if (is_store(i.opcode)) m_slot_uses[i.slot].push_back({at, true});
  }
}

// Whether the value is read at this instruction or after it.
bool Sink::is_needed(const Pending& pending, size_t at) const {
  if (!pending.put.forgotten || pending.put.opcode == Opcode::put_pred) return true;
  if (pending.put.number != 0) return m_unit.code[at].at <= pending.put.number;
  if (m_needs_whole_frame[at]) return true;
  const auto used = m_last_use.find(pending.put.sources[0]);
  if (used != m_last_use.end() && used->second >= at) return true;
  const auto uses = m_slot_uses.find(pending.put.slot);
  if (uses == m_slot_uses.end()) return false;
  const auto next = std::ranges::find_if(uses->second, [&](const SlotUse& use) { return use.at >= at; });
  return next != uses->second.end() && next->is_store;
}

void Sink::write_overlapping(uint32_t slot, uint32_t bytes) {
  for (Pending& pending : m_pending)
    if (overlaps(pending, slot, bytes)) write(pending);
  std::erase_if(m_pending, [&](const Pending& pending) { return overlaps(pending, slot, bytes); });
}

// A write of the same register takes the place of the one before.
void Sink::add_put(Instruction& put) {
  const uint32_t bytes = row_bytes(info_of(put.opcode).sources[0]);
  std::erase_if(m_pending,
                [&](const Pending& p) { return p.put.slot == put.slot && p.put.opcode == put.opcode; });
  write_overlapping(put.slot, bytes);
  const bool stays = m_lanes == LanesAt::registers || m_is_row[put.sources[0]];
  m_pending.push_back({std::move(put), stays});
  // Each keeps its value alive, so there are not many at a time.
  constexpr size_t most_pending = 64;
  if (m_pending.size() <= most_pending) return;
  const uint32_t now = m_pending.back().put.at;
  std::erase_if(m_pending, [&](const Pending& p) {
    return p.put.forgotten && p.put.opcode != Opcode::put_pred && p.put.number != 0 && p.put.number < now;
  });
  if (m_pending.size() <= most_pending) return;
  write(m_pending.front());
  m_pending.erase(m_pending.begin());
}

// From here on the frame has what these registers had in some round before.
void Sink::start_rounds() {
  for (const Instruction& i : m_code) {
    if (!is_carried(i.opcode)) continue;
    Instruction put{.opcode = put_of(info_of(i.opcode).result), .at = i.at, .slot = i.slot};
    put.sources[0] = i.result;
    m_pending.push_back({std::move(put), true});
  }
}

void Sink::pass(Instruction& i, size_t at) {
  const Opcode o = i.opcode;
  if (o == Opcode::exit) {
    m_pending.clear();
  } else if (o == Opcode::enter || o == Opcode::jump) {  // a basic block ends
    std::erase_if(m_pending,
                  [](const Pending& p) { return p.put.forgotten && p.put.opcode != Opcode::put_pred; });
  } else {
    std::erase_if(m_pending, [&](const Pending& p) { return !is_needed(p, at); });
  }
  m_is_part = leaves_part(i, m_is_part);
  // A store reads its register where the frame has it. A load of some lanes leaves the others as they are
  // there.
  if (is_store(o) ? stored_value(i) == no_value : is_load(o) && m_is_part)
    write_overlapping(i.slot, 32u * i.access.register_bytes);
  const bool is_shuffle = is_exchange_in_frame(o);
  const bool all = needs_whole_frame(o) || o == Opcode::jump;
  for (Pending& pending : m_pending)
    if (all || !pending.stays) write(pending);
  std::erase_if(m_pending, [&](const Pending& p) { return all || !p.stays; });
  // A branch may also pass over a few ops of its own basic block.
  const Opcode next = at + 1 < m_unit.code.size() ? m_unit.code[at + 1].opcode : Opcode::exit;
  const bool leaves_block = is_branch(o) && (next == Opcode::enter || next == Opcode::jump);
  for (const Pending& pending : m_pending)
    if (o != Opcode::cut && o != Opcode::loop && !is_exchange(o) && !changes_lanes(o) &&
        !(leaves_block && pending.put.forgotten && pending.put.opcode != Opcode::put_pred))
      i.state.push_back({info_of(pending.put.opcode).sources[0], pending.put.slot, pending.put.sources[0]});
  const uint32_t slot = i.slot, bytes = is_shuffle ? row_bytes(Type::b32) : 32u * i.access.register_bytes;
  m_code.push_back(std::move(i));
  if (o == Opcode::loop) start_rounds();
  if (is_load(o) || is_shuffle)
    std::erase_if(m_pending, [&](const Pending& p) { return overlaps(p, slot, bytes); });
}

void Sink::run() {
  for (size_t at = 0; at < m_unit.code.size(); ++at) {
    Instruction& i = m_unit.code[at];
    if (is_put(i.opcode)) {
      add_put(i);
    } else if (ends_region(i.opcode)) {
      pass(i, at);
    } else {
      if (is_get(i.opcode)) write_overlapping(i.slot, row_bytes(info_of(i.opcode).result));
      m_code.push_back(std::move(i));
    }
  }
  m_unit.code = std::move(m_code);
}

}  // namespace

void sink_puts(Unit& unit, LanesAt lanes) { Sink(unit, lanes).run(); }

}  // namespace warplens::exec::jit
