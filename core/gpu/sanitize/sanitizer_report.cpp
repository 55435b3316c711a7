// Reports an access that is a mistake, with its places, values and array.
#include <algorithm>
#include <bit>

#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

void Sanitizer::name_place(const Event& event, const Target& target, uint32_t lane, Finding& finding) const {
  const uint64_t address = event.addresses[lane];
  finding.space = event.space;
  finding.address = address;
  finding.bytes = event.bytes;
  finding.offset = address - target.begin;
  if (target.global != nullptr) {
    finding.allocation = target.global->name;
    finding.allocation_bytes = target.global->end - target.global->begin;
  } else if (event.space == Space::shared) {
    for (const program::SharedVariable& variable : m_places->program().shared_variables) {
      if (address < variable.begin || address >= variable.end) continue;
      finding.allocation = short_name(variable.name);
      finding.offset = address - variable.begin;
      if (variable.end != UINT64_MAX) finding.allocation_bytes = variable.end - variable.begin;
      break;
    }
  }
}

void Sanitizer::report_race(const Event& event, const Target& target, uint32_t lane, const Access& earlier,
                            AccessKind earlier_kind) {
  Finding finding = finding_at(IncidentKind::race, event.op, event.warp, lane);
  if (event.in_pieces) finding.address = event.addresses[lane];
  finding.side.access = event.kind;
  finding.side.is_pending = event.pending;
  finding.side.through_texture = event.through_texture;
  finding.has_other = true;
  finding.other = {.instruction = std::min(earlier.instruction(), m_places->program().instructions() - 1),
                   .block = earlier.block,
                   .thread = earlier.thread(),
                   .access = earlier_kind,
                   .value = {},
                   .is_pending = earlier.is_pending(),
                   .through_texture = false};
  finding.reach = earlier.block != finding.side.block  ? Reach::grid
                  : earlier.warp() != event.warp.index ? Reach::block
                                                       : Reach::warp;
  m_findings.add(finding, [&](Finding& made) {
    name_place(event, target, lane, made);
    const std::byte* memory = target.host + (event.addresses[lane] - target.begin);
    const ptx::Modifier type = event.place.type;
    const auto buffer = target.global == nullptr ? SIZE_MAX : static_cast<size_t>(target.global->buffer);
    const std::optional<DType> element =
        buffer < m_types.size() ? std::optional(m_types[buffer]) : std::nullopt;
    std::byte value[16] = {};
    if (event.kind == AccessKind::load) {
      made.side.value = value_text(type, element, memory, event.bytes);
    } else if (stored_value(event.op, event.warp, lane, value)) {
      made.side.value = value_text(type, element, value, event.bytes);
    }
    if (earlier_kind == AccessKind::store) made.other.value = value_text(type, element, memory, event.bytes);
  });
}

void Sanitizer::report_uninitialized(const Event& event, const Target& target, uint32_t lane,
                                     uint64_t missing) {
  Finding finding = finding_at(IncidentKind::uninitialized, event.op, event.warp, lane);
  if (event.in_pieces) finding.address = event.addresses[lane];
  m_findings.add(finding, [&](Finding& made) {
    name_place(event, target, lane, made);
    made.side.access = event.kind;
    if (target.written != nullptr)
      made.was_stored = target.written->undefined(event.addresses[lane] - target.begin, missing) == missing;
    // The first byte that was never written, and those directly after it.
    const auto first = static_cast<uint32_t>(std::countr_zero(missing));
    made.address += first;
    made.offset += first;
    made.bytes = static_cast<uint32_t>(std::countr_one(missing >> first));
  });
}

}  // namespace warplens::sanitize
