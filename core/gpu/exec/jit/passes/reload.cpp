#include <map>
#include <utility>

#include "core/gpu/exec/jit/ir/overlap.h"
#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

namespace {

class Reload {
 public:
  explicit Reload(Unit& unit) : m_unit(unit) {}
  bool run();

 private:
  struct Home {
    uint32_t value;
    Type type;
  };
  // A value of lanes, and the region that has it.
  struct Lanes {
    uint32_t region;
    Type type;
  };
  void forget(uint32_t slot, uint32_t bytes) {
    erase_overlapping(m_homes, slot, bytes, [](const Home& home) { return row_bytes(home.type); });
  }
  bool use(uint32_t& value, uint32_t at);
  void note(const Instruction& i);

  Unit& m_unit;
  std::vector<Instruction> m_code;
  uint32_t m_region = 0;
  std::map<uint32_t, Lanes> m_lanes;                             // by value; rows are known everywhere
  std::map<uint32_t, Home> m_homes;                              // by slot
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> m_reloaded;  // value → region, value there
};

bool Reload::use(uint32_t& value, uint32_t at) {
  const auto lanes = m_lanes.find(value);
  if (lanes == m_lanes.end() || lanes->second.region == m_region) return true;
  const auto again = m_reloaded.find(value);
  if (again != m_reloaded.end() && again->second.first == m_region) {
    value = again->second.second;
    return true;
  }
  for (const auto& [slot, home] : m_homes) {
    if (home.value != value || home.type != lanes->second.type) continue;
    Instruction get{.opcode = get_of(home.type), .result = m_unit.values++, .at = at, .slot = slot};
    m_reloaded[value] = {m_region, get.result};
    value = get.result;
    m_code.push_back(std::move(get));
    return true;
  }
  return false;
}

void Reload::note(const Instruction& i) {
  if (i.result != no_value && !i.step && !is_fixed(i.opcode))
    m_lanes[i.result] = {m_region, info_of(i.opcode).result};
  if (is_get(i.opcode)) m_homes[i.slot] = {i.result, info_of(i.opcode).result};
  if (is_put(i.opcode)) {
    const Type type = info_of(i.opcode).sources[0];
    forget(i.slot, row_bytes(type));
    m_homes[i.slot] = {i.sources[0], type};
  }
  if (is_load(i.opcode)) forget(i.slot, 32u * i.access.register_bytes);
  if (is_exchange_in_frame(i.opcode)) forget(i.slot, row_bytes(Type::b32));
  // On the cold path a handler may write these before the code goes on.
  for (const Put& put : i.state) forget(put.slot, row_bytes(put.type));
  if (i.opcode == Opcode::call) m_homes.clear();
}

bool Reload::run() {
  for (Instruction& i : m_unit.code) {
    // What concerns the warp finds its lanes in the frame.
    const bool alone = ends_region(i.opcode);
    if (alone) ++m_region;
    const Instruction before = i;
    for (uint32_t& source : i.sources)
      if (source != no_value && !use(source, i.at)) return false;
    note(before);
    m_code.push_back(std::move(i));
    if (alone) ++m_region;
  }
  m_unit.code = std::move(m_code);
  return true;
}

}  // namespace

bool reload(Unit& unit) { return Reload(unit).run(); }

}  // namespace warplens::exec::jit
