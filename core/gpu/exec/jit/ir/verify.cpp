#include <fmt/format.h>

#include <map>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/ir/shuffle.h"

namespace warplens::exec::jit {

namespace {

class Verifier {
 public:
  explicit Verifier(const Unit& unit) : m_unit(unit) {}
  std::string run();

 private:
  std::string check(const Instruction& i);
  std::string check_sources(const Instruction& i);
  std::string check_words(const Instruction& i) const;
  std::string check_access(const Instruction& i) const;
  std::string check_state(const Instruction& i) const;
  std::string check_loop(const Instruction& i);
  Type type_of(uint32_t value) const {
    const auto found = m_types.find(value);
    return found == m_types.end() ? Type::none : found->second;
  }

  const Unit& m_unit;
  std::map<uint32_t, Type> m_types;
  std::map<uint32_t, Type> m_carried;  // by slot
  bool m_has_loop = false, m_has_again = false;
  bool m_has_others = false;  // other instructions than those allowed before a loop
};

// Those that its opcode always has; then what is in the frame or a source.
std::string Verifier::check_sources(const Instruction& i) {
  std::array<Type, 3> types = info_of(i.opcode).sources;
  const uint32_t bytes = i.access.register_bytes;
  if (stored_value(i) != no_value) types[2] = bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : Type::b64;
  if (is_branch(i.opcode) && i.sources[0] != no_value) types[0] = Type::pred;
  for (size_t n = 0; n < i.sources.size(); ++n) {
    if ((i.sources[n] == no_value) != (types[n] == Type::none))
      return "has not as many sources as its opcode";
    if (i.sources[n] == no_value) continue;
    if (type_of(i.sources[n]) == Type::none) return fmt::format("uses %{} before it is made", i.sources[n]);
    if (type_of(i.sources[n]) != types[n]) return fmt::format("uses %{}, of another type", i.sources[n]);
  }
  return {};
}

std::string Verifier::check_access(const Instruction& i) const {
  const Access& a = i.access;
  const bool is_power = a.bytes != 0 && (a.bytes & (a.bytes - 1)) == 0 && a.bytes <= 8;
  if (!is_power || a.register_bytes < 2 || (a.register_bytes & (a.register_bytes - 1)) != 0 ||
      a.register_bytes > 8)
    return "has a width that no register or element has";
  if (a.bytes > a.register_bytes || (a.bytes >= 4 && a.bytes != a.register_bytes) ||
      (a.bytes < 4 && a.register_bytes == 8))
    return "has an element that does not go with its register";
  return {};
}

std::string Verifier::check_words(const Instruction& i) const {
  const Opcode o = i.opcode;
  const bool has_slot = is_get(o) || is_carried(o) || is_put(o) || is_access(o) || is_fixed(o) ||
                        is_exchange_in_frame(o) ||
                        ((o == Opcode::branch || o == Opcode::part_pred) && i.sources[0] == no_value);
  if (o == Opcode::note && i.sources[0] == no_value) return {};
  if (has_slot != (i.slot != no_slot)) return has_slot ? "names no register" : "names a register";
  if (is_setp(o) != (i.condition != Condition::none))
    return is_setp(o) ? "has no condition" : "has a condition";
  if (kind_of(o) == Kind::setp && i.condition > Condition::ge) return "has a condition of floats";
  const Number number = info_of(o).number;
  if (number == Number::none && i.number != 0) return "has a number where its opcode has none";
  if ((number == Number::target || number == Number::depth) && i.number > UINT32_MAX)
    return "goes on where no op is";
  if (i.negated && !is_branch(o) && !is_vote(o)) return "is negated, and neither a branch nor a vote";
  if (i.forgotten && !is_put(o)) return "is forgotten, and no put";
  const bool is_match_any = o == Opcode::match_any_b32 || o == Opcode::match_any_frame_b32;
  if ((is_ascends(o) || is_gathering(o) || is_match_any || o == Opcode::divergent || changes_lanes(o)) &&
      m_unit.mode != program::all_lanes)
    return "asks for all lanes of a warp that has parted";
  if (makes_word(o) && i.step != 0) return "is the same in all lanes, and has no step of 0";
  if (o == Opcode::whole_b32 && m_unit.mode != program::all_lanes)
    return "asks for all lanes of a warp that has parted";
  const bool is_by_lane =
      o == Opcode::shuffle_by_b32 || o == Opcode::shuffle_by_frame_b32 || o == Opcode::shuffle_inside_b32;
  const bool is_shuffle = is_by_lane || o == Opcode::shuffle_b32 || o == Opcode::shuffle_frame_b32;
  if (is_shuffle && (m_unit.mode != program::all_lanes || KnownShuffle::of(i.number).number() != i.number ||
                     !program::is_shuffle(KnownShuffle::of(i.number).kind)))
    return "is no shuffle of a whole warp";
  if (is_by_lane && KnownShuffle::of(i.number).b != 0) return "has a lane in its number, and in a source";
  if (o == Opcode::constant_pred && (!i.step || i.number > UINT32_MAX))
    return "is no word that all lanes know";
  if (is_access(o)) return check_access(i);
  return {};
}

std::string Verifier::check_state(const Instruction& i) const {
  if (!i.state.empty() && (!ends_region(i.opcode) || needs_whole_frame(i.opcode) || is_exchange(i.opcode) ||
                           changes_lanes(i.opcode) || i.opcode == Opcode::cut))
    return "has a state, and nobody but the code goes on there";
  for (const Put& put : i.state)
    if (put.canonical && put.type != Type::b32) return "makes a NaN of what is no float of 32 bits";
  for (const Put& put : i.state)
    if (type_of(put.value) != put.type)
      return fmt::format("has %{} in its state, of another type", put.value);
  return {};
}

// A unit has one loop at most. In front of it are only reads of the frame.
std::string Verifier::check_loop(const Instruction& i) {
  if (i.opcode == Opcode::loop && (m_has_loop || m_has_others))
    return "starts a loop behind other instructions";
  if (is_carried(i.opcode) && (m_has_loop || !m_carried.emplace(i.slot, info_of(i.opcode).result).second))
    return "is carried by no loop that follows, or twice";
  if (i.opcode == Opcode::loop) m_has_loop = true;
  if (!is_get(i.opcode) && !is_carried(i.opcode) && !is_fixed(i.opcode)) m_has_others = true;
  if (i.opcode != Opcode::again) return i.carries.empty() ? "" : "carries registers, and starts no round";
  if (!m_has_loop || m_has_again) return "starts a round of no loop";
  m_has_again = true;
  if (i.carries.size() != m_carried.size()) return "does not carry each register of its loop";
  for (const Put& put : i.carries) {
    const auto found = m_carried.find(put.slot);
    if (found == m_carried.end() || found->second != put.type || type_of(put.value) != put.type)
      return fmt::format("carries %{} to where nothing of its type is carried", put.value);
  }
  return {};
}

std::string Verifier::check(const Instruction& i) {
  const OpcodeInfo& info = info_of(i.opcode);
  if ((i.result == no_value) != (info.result == Type::none) && !is_load(i.opcode))
    return "has a result where its opcode has none, or none";
  if (std::string wrong = check_sources(i); !wrong.empty()) return wrong;
  if (std::string wrong = check_words(i); !wrong.empty()) return wrong;
  if (std::string wrong = check_state(i); !wrong.empty()) return wrong;
  if (std::string wrong = check_loop(i); !wrong.empty()) return wrong;
  if (i.step && (i.result == no_value || m_unit.mode != program::all_lanes || info.result == Type::b16 ||
                 info.result == Type::none))
    return "has a step, and no lanes that could form a row";
  const bool is_special = i.opcode == Opcode::special_b32 || i.opcode == Opcode::special_b64;
  if (!i.rows.is_whole() && (!i.step || info.result == Type::pred || is_special || is_constant(i.opcode)))
    return "has rows of a part of the warp, and its lanes form none or one";
  if (i.result == no_value) return {};
  if (i.result >= m_unit.values) return "makes a value beyond the unit's number of values";
  if (!m_types.emplace(i.result, result_of(i)).second) return fmt::format("makes %{} again", i.result);
  return {};
}

std::string Verifier::run() {
  for (size_t n = 0; n < m_unit.code.size(); ++n) {
    const Instruction& i = m_unit.code[n];
    std::string wrong = check(i);
    if (wrong.empty() && ends_unit(i) != (n + 1 == m_unit.code.size()))
      wrong = ends_unit(i) ? "is followed by others" : "is the last one, and the unit goes on";
    if (!wrong.empty()) return fmt::format("Instruction {} ({}) {}.", n, print(i), wrong);
  }
  if (m_has_loop != m_has_again) return "The unit's loop has no other round.";
  return m_unit.code.empty() ? "The unit is empty." : "";
}

}  // namespace

std::string verify(const Unit& unit) { return Verifier(unit).run(); }

}  // namespace warplens::exec::jit
