// Which accesses of a unit add different offsets to the same register of addresses (AccessGroup).
#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <vector>

#include "core/gpu/exec/jit/ir/overlap.h"
#include "core/gpu/exec/jit/target/x64/access.h"

namespace warplens::exec::jit::x64 {

namespace {

constexpr size_t most_members = 32;

class GroupFinder {
 public:
  GroupFinder(Code& code, const Unit& unit) : m_code(code), m_unit(unit) {}
  void run();

 private:
  // The addresses before the offset is added: lanes of a register of the frame, or else a value.
  struct Register {
    bool is_in_frame;
    uint32_t number;
    bool is_shared;
    uint8_t bytes;
    auto operator<=>(const Register&) const = default;
  };
  using Members = std::vector<size_t>;  // in the unit's code

  void add(size_t at);
  void overwrite(uint32_t slot, uint32_t bytes);
  void close(const Register& of);
  void close_all();
  GroupedAccesses::Lanes lanes_of(const GroupedAccesses& accesses, uint32_t value) const;
  std::optional<uint32_t> place_for(size_t first, size_t last);

  Code& m_code;
  const Unit& m_unit;
  std::map<Register, Members> m_open;
  std::array<size_t, most_groups> m_used_until{};
};

void GroupFinder::add(size_t at) {
  const Instruction& i = m_unit.code[at];
  if (!may_be_grouped(m_code, i)) return;
  const uint32_t value = i.sources[0];
  const auto in_frame = m_code.maker(value).step ? std::nullopt : m_code.register_of(value);
  const Register of{in_frame.has_value(), in_frame.value_or(value), i.access.is_shared, i.access.bytes};
  if (const auto found = m_open.find(of); found != m_open.end() && found->second.size() == most_members)
    close(of);
  m_open[of].push_back(at);
}

// The unit's accesses read lanes of this register from the frame each time.
void GroupFinder::overwrite(uint32_t slot, uint32_t bytes) {
  std::vector<Register> gone;
  for (const auto& [of, members] : m_open)
    if (of.is_in_frame && of.number < slot + bytes && slot < of.number + widest_row_bytes) gone.push_back(of);
  std::ranges::for_each(gone, [&](const Register& of) { close(of); });
}

std::optional<uint32_t> GroupFinder::place_for(size_t first, size_t last) {
  const auto free = std::ranges::find_if(m_used_until, [&](size_t until) { return until <= first; });
  if (free == m_used_until.end()) return {};
  *free = last;
  return static_cast<uint32_t>(free - m_used_until.begin());
}

GroupedAccesses::Lanes GroupFinder::lanes_of(const GroupedAccesses& accesses, uint32_t value) const {
  using Lanes = GroupedAccesses::Lanes;
  if (m_code.maker(value).step) return Lanes::known;
  const bool may_be_halves =
      accesses.bytes >= 4 && std::ranges::none_of(accesses.members, &GroupedAccesses::Member::is_store);
  return may_be_halves ? Lanes::rows_or_halves : Lanes::rows;
}

void GroupFinder::close(const Register& of) {
  const auto entry = m_open.extract(of);
  const Members& members = entry.mapped();
  if (members.size() < 2) return;
  GroupedAccesses accesses{
      .is_shared = of.is_shared, .counts = m_code.asked.observers->counts, .bytes = of.bytes, .members = {}};
  for (const size_t at : members) {
    const Instruction& i = m_unit.code[at];
    accesses.members.push_back({i.access.counter, offset_in_group(i), is_store(i.opcode)});
  }
  accesses.lanes = lanes_of(accesses, m_unit.code[members.front()].sources[0]);
  // What a worker learns of a group is kept by its first instruction.
  const auto [known, is_new] = m_code.asked.groups->try_emplace(accesses.members.front().counter, accesses);
  if (known->second != accesses) return;
  const auto number = place_for(members.front(), members.back());
  for (uint32_t member = 0; number && member < members.size(); ++member)
    m_code.groups.emplace(&m_unit.code[members[member]], GroupUse{&known->second, member, *number});
}

void GroupFinder::close_all() {
  while (!m_open.empty()) close(m_open.begin()->first);
}

void GroupFinder::run() {
  bool is_part = false;
  for (size_t at = 0; at < m_unit.code.size(); ++at) {
    const Instruction& i = m_unit.code[at];
    is_part = leaves_part(i, is_part);
    if (is_access(i.opcode) && !is_part) add(at);
    if (is_put(i.opcode)) overwrite(i.slot, row_bytes(info_of(i.opcode).sources[0]));
    if (is_load(i.opcode)) overwrite(i.slot, warp_lanes * i.access.register_bytes);
    const bool goes_on = !ends_region(i.opcode) || is_access(i.opcode) || is_ascends(i.opcode);
    if (!goes_on) close_all();
  }
  close_all();
}

}  // namespace

void find_groups(Code& code, const Unit& unit) {
  const bool is_seen = is_watched(*code.asked.observers, *code.asked.program);
  if (code.has_all_lanes() && !is_seen) GroupFinder(code, unit).run();
}

}  // namespace warplens::exec::jit::x64
