#include <map>

#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

void relax_nans(Unit& unit) {
  std::map<uint32_t, uint32_t> raw;  // of a value that was made canonical: what it was before
  for (Instruction& i : unit.code) {
    if (ends_region(i.opcode)) raw.clear();
    const bool is_blind = info_of(i.opcode).is_lane && info_of(i.opcode).nan != Nan::exact;
    for (uint32_t& source : i.sources) {
      const auto found = raw.find(source);
      if (is_blind && source != no_value && found != raw.end()) source = found->second;
    }
    if (i.opcode == Opcode::canonical) raw.emplace(i.result, i.sources[0]);
  }
}

}  // namespace warplens::exec::jit
