// Finds the array for which an access is meant: the one from whose argument its address was computed. An
// access to another array is a mistake, although nothing stops it. Arrays for which no store of the kernel
// is meant cannot have races.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/base/figures.h"
#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

namespace {

using ptx::Modifier;
using ptx::Opcode;

// Whether the instruction may write to global memory.
bool is_global_write(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto has = [&](Modifier wanted) {
    const auto modifiers = function.modifiers_of(instruction);
    return std::ranges::find(modifiers, wanted) != modifiers.end();
  };
  switch (instruction.opcode) {
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
      return !has(Modifier::shared) && !has(Modifier::shared_cta) && !has(Modifier::local) &&
             !has(Modifier::param);
    case Opcode::wmma:
      return has(Modifier::store) && !has(Modifier::shared) && !has(Modifier::shared_cta);
    case Opcode::cp:
      return has(Modifier::bulk);
    case Opcode::sust:
    case Opcode::sured:
      return true;
    default:
      return false;
  }
}

}  // namespace

// The allocations to which the arguments of these bits point. Empty if not all are known.
std::vector<GlobalShadow*> Sanitizer::allocations_of(uint64_t parameters, const LaunchStep& step,
                                                     const std::vector<std::byte>& values) {
  std::vector<GlobalShadow*> found;
  for (uint32_t p = 0; p < 64 && p < step.arguments.size(); ++p) {
    if ((parameters >> p & 1) == 0) continue;
    const Argument& argument = step.arguments[p];
    if (std::holds_alternative<ScalarArgument>(argument)) continue;  // an offset
    if (!std::holds_alternative<BufferArgument>(argument)) return {};
    uint64_t address = 0;
    const uint32_t at = m_program->parameter_offsets[p];
    if (at + sizeof address > values.size()) return {};
    std::memcpy(&address, values.data() + at, sizeof address);
    const exec::Allocation* allocation = m_memory->find(address);
    if (allocation == nullptr) return {};
    found.push_back(&shadow_of(*allocation));
  }
  return found;
}

void Sanitizer::note_arguments(const LaunchStep& step, const std::vector<std::byte>& values) {
  const Places& all = places();
  const program::Program& program = all.program();
  std::map<uint64_t, std::vector<GlobalShadow*>> known;
  for (auto& [begin, shadow] : m_global) shadow.is_written = false;
  m_belongs_to.assign(program.instructions(), {});
  m_writes_anywhere = false;
  for (uint32_t i = 0; i < program.instructions(); ++i) {
    const uint64_t parameters = all[i].parameters;
    if (parameters != 0) {
      const auto [at, is_new] = known.try_emplace(parameters);
      if (is_new) at->second = allocations_of(parameters, step, values);
      m_belongs_to[i] = at->second;
    }
    if (!is_global_write(*program.code_of(i).function, program.instruction(i))) continue;
    if (m_belongs_to[i].empty()) m_writes_anywhere = true;
    for (GlobalShadow* shadow : m_belongs_to[i]) shadow->is_written = true;
  }
}

bool Sanitizer::check_allocation(const Event& event, GlobalShadow& shadow, uint32_t lane) {
  const std::vector<GlobalShadow*>& right = m_belongs_to[event.op.instruction];
  if (right.empty() || std::ranges::find(right, &shadow) != right.end()) return true;
  if (event.kind != AccessKind::load) shadow.is_written = true;
  m_findings.add(finding_at(IncidentKind::wrong_allocation, event.op, event.warp, lane), [&](Finding& made) {
    Target target;
    target.begin = shadow.begin;
    target.global = &shadow;
    name_place(event, target, lane, made);
    made.side.access = event.kind;
    const GlobalShadow& meant = *right.front();
    const uint64_t address = event.addresses[lane];
    made.detail = fmt::format(
        "with an address that was computed from the argument {} ({} bytes): {} bytes {}. Check the index "
        "against the "
        "size of {}.",
        meant.name, thousands(meant.end - meant.begin),
        thousands(address < meant.begin ? meant.begin - address : address - meant.end),
        address < meant.begin ? "before its start" : "past its end", meant.name);
  });
  return false;
}

}  // namespace warplens::sanitize
