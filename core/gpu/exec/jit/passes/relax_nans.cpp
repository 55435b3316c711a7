#include <map>

#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

namespace {

bool is_blind(const Instruction& i) {
  return info_of(i.opcode).is_lane && info_of(i.opcode).nan != Nan::exact;
}

// For each value, whether the hot path needs its exact bits, so that they are computed in any case.
std::vector<bool> exact_values(const Unit& unit) {
  std::vector<bool> exact(unit.values);
  for (const Instruction& i : unit.code) {
    for (const uint32_t source : i.sources)
      if (source != no_value && !is_blind(i)) exact[source] = true;
    for (const Put& put : i.carries) exact[put.value] = true;
  }
  return exact;
}

}  // namespace

void relax_nans(Unit& unit, LanesAt lanes) {
  const std::vector<bool> exact = exact_values(unit);
  std::map<uint32_t, uint32_t> raw;  // of a value that was made canonical: what it was before
  for (Instruction& i : unit.code) {
    // A region finds the results of other regions only in the frame, and keeping both forms of a value takes
    // more registers.
    if (ends_region(i.opcode))
      std::erase_if(raw, [&](const auto& made) { return lanes == LanesAt::frame || exact[made.first]; });
    for (uint32_t& source : i.sources) {
      const auto found = raw.find(source);
      if (is_blind(i) && source != no_value && found != raw.end()) source = found->second;
    }
    for (Put& put : i.state) {
      const auto found = raw.find(put.value);
      if (found == raw.end()) continue;
      put.value = found->second;
      put.canonical = true;
    }
    if (i.opcode == Opcode::canonical) raw.emplace(i.result, i.sources[0]);
  }
}

}  // namespace warplens::exec::jit
