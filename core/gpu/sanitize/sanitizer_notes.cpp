// The findings that do not need shadow memory of accesses: divisors, registers, masks, shuffles, leaks.
#include <fmt/format.h>

#include <bit>

#include "core/gpu/exec/control/collective.h"
#include "core/gpu/sanitize/sanitizer.h"
#include "core/program/flow/liveness.h"

namespace warplens::sanitize {

using exec::Op;
using exec::Warp;
using exec::WatchJob;

namespace {

// What other lanes did after the exchange does not matter: in another schedule they may have continued and
// exited before this path has its turn.
uint32_t live_when_met(const Warp& warp) { return warp.paths[warp.current].met_live; }

}  // namespace

Finding Sanitizer::finding_at(IncidentKind kind, const Op& op, const Warp& warp, uint32_t lane) {
  Finding finding;
  finding.kind = kind;
  finding.places = &places();
  finding.grid = m_grid;
  finding.block_extent = m_block_extent;
  finding.side.instruction = op.instruction;
  finding.side.block = linear_index(warp.block->block_position, m_grid);
  finding.side.thread = warp.index * warp_lanes + lane;
  finding.launch = m_launch;
  return finding;
}

void Sanitizer::note(const Op& op, const Warp& warp) {
  switch (exec::watch_job(op)) {
    case WatchJob::divisor:
      return note_divisor(op, warp);
    case WatchJob::register_read:
      return note_register(op, warp);
    case WatchJob::sync_before:
      if (m_everything) end_interval();
      return m_shadow->clocks.come(warp.index, warp.mask, tick());
    case WatchJob::sync_after: {
      for (uint32_t rest = warp.mask; rest != 0;) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        uint32_t lanes = 0;
        for (uint32_t others = rest; others != 0; others &= others - 1) {
          const auto l = static_cast<uint32_t>(std::countr_zero(others));
          lanes |= static_cast<uint32_t>(exec::mask_of(op, warp, l) == exec::mask_of(op, warp, lane)) << l;
        }
        m_shadow->clocks.meet(warp.index, lanes, exec::mask_of(op, warp, lane), live_when_met(warp));
        rest &= ~lanes;
      }
      return note_collective(op, warp);
    }
    case WatchJob::fence:
      if (m_everything) end_interval();
      return m_shadow->clocks.fence(warp.index, exec::WatchedFence::of(op).for_device, tick());
    default:
      return;
  }
}

void Sanitizer::note_divisor(const Op& op, const Warp& warp) {
  const auto watched = exec::WatchedDivisor::of(op);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t divisor = watched.bytes == 8   ? warp.reg<uint64_t>(watched.slot)[lane]
                             : watched.bytes == 4 ? warp.reg<uint32_t>(watched.slot)[lane]
                                                  : warp.reg<uint16_t>(watched.slot)[lane];
    if (divisor != 0) continue;
    m_findings.add(finding_at(IncidentKind::division_by_zero, op, warp, lane),
                   [](Finding& made) { made.side.value = "0"; });
  }
}

void Sanitizer::note_register(const Op& op, const Warp& warp) {
  const auto read = exec::WatchedRead::of(op);
  const uint32_t undefined = warp.mask & ~warp.predicate(read.written);
  const auto lane = static_cast<uint32_t>(std::countr_zero(undefined));
  switch (m_places->use_of_undefined(op.instruction, read.reg)) {
    case program::UndefinedUse::discarded:
      return;
    case program::UndefinedUse::passed_on: {
      const UndefinedOrigin origin = origin_of(op, warp, read.reg, lane);
      const ptx::Function& function = *m_places->program().code_of(op.instruction).function;
      for (const uint32_t r :
           program::uses_of(function, m_places->program().instruction(op.instruction)).writes)
        if (r != read.reg) m_shadow->origins[key_of(op, warp, r)] = origin;
      m_shadow->origins.try_emplace(key_of(op, warp, read.reg), origin);
      return;
    }
    case program::UndefinedUse::effect:
      if (!hold_register(op, warp, read.reg, undefined)) report_register(op, warp, lane, read.reg);
      return;
  }
}

// Where a register without a value was first computed with: this is what the author must look at.
UndefinedOrigin Sanitizer::origin_of(const Op& op, const Warp& warp, uint32_t r, uint32_t lane) const {
  const auto found = m_shadow->origins.find(key_of(op, warp, r));
  return found == m_shadow->origins.end() ? UndefinedOrigin{&op, r, lane} : found->second;
}

void Sanitizer::report_register(const Op& op, const Warp& warp, uint32_t lane, uint32_t r) {
  const UndefinedOrigin origin = origin_of(op, warp, r, lane);
  const Op& first = *origin.op;
  m_findings.add(finding_at(IncidentKind::uninitialized, first, warp, origin.lane), [&](Finding& made) {
    made.detail =
        std::string(m_places->program().code_of(first.instruction).function->registers[origin.reg].name);
  });
}

void Sanitizer::note_collective(const Op& op, const Warp& warp) {
  // The instruction has overwritten a source register, so its value is no longer known.
  const auto collective = exec::CollectiveOp::of(op);
  const uint32_t result = collective.result;
  if (result != exec::no_slot &&
      (result == collective.b || result == collective.c || result == collective.mask_slot))
    return;
  const uint64_t threads = m_block_extent.count() - uint64_t{warp.index} * warp_lanes;
  const uint32_t existing = threads >= warp_lanes ? ~0u : (1u << threads) - 1;
  // All threads in the mask that have not exited must execute it (CUDA C++ Programming Guide, Warp Vote
  // Functions). So those that return need not, but those that go on past it must.
  uint32_t masks[warp_lanes] = {};
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t mask = exec::mask_of(op, warp, lane);
    masks[lane] = mask;
    const uint32_t exited = mask & existing & ~live_when_met(warp) & warp.missed;
    if ((mask >> lane & 1) == 0) {
      if (!collective.mask_is_constant) continue;  // a fault
      m_findings.add(finding_at(IncidentKind::mask, op, warp, lane), [&](Finding& made) {
        made.detail = fmt::format(
            "names the lanes of mask 0x{:08x}, but not its own lane {}: what it gets is undefined. Every "
            "thread that "
            "executes a .sync instruction must be named in its own mask.",
            mask, lane);
        made.side.value = fmt::format("0x{:08x}", mask);
      });
    } else if (exited != 0) {
      m_findings.add(finding_at(IncidentKind::mask, op, warp, lane), [&](Finding& made) {
        made.detail = fmt::format(
            "names lane {} in its mask 0x{:08x}, whose thread went past it and has exited. Let all threads "
            "that the "
            "mask names reach it, with a guard around the work, or name only the lanes that do.",
            std::countr_zero(exited), mask);
        made.side.value = fmt::format("0x{:08x}", mask);
      });
    }
  }
  if (exec::is_shuffle(collective.kind)) note_shuffle(op, warp, masks);
}

void Sanitizer::note_shuffle(const Op& op, const Warp& warp, const uint32_t (&masks)[warp_lanes]) {
  const auto shuffle = exec::CollectiveOp::of(op);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const auto [source, inside] = exec::shuffle_source(
        shuffle.kind, lane, warp.reg<uint32_t>(shuffle.b)[lane], warp.reg<uint32_t>(shuffle.c)[lane]);
    const uint32_t from = source;
    if (!inside || (masks[lane] & live_when_met(warp)) >> from & 1) continue;
    if (!m_places->uses_result(op.instruction)) return;
    m_findings.add(finding_at(IncidentKind::shuffle, op, warp, lane), [&](Finding& made) {
      const char* why = (live_when_met(warp) >> from & 1) == 0 ? "which has no thread that runs"
                                                               : "which its mask leaves out";
      made.detail = fmt::format(
          "reads the register of lane {}, {}: the value is undefined. Let the source take part, or use the "
          "result only "
          "where the source does.",
          from, why);
      made.side.value = fmt::format("0x{:08x}", masks[lane]);
    });
  }
}

void Sanitizer::allocate(const Op& op, const Warp& warp, uint32_t lane, uint64_t address, uint64_t bytes) {
  if (m_everything) {
    const exec::Allocation* allocation = warp.block->memory->find(address);
    if (allocation != nullptr) shadow_of(*allocation).tracks_written = true;
  }
  Finding finding = finding_at(IncidentKind::leak, op, warp, lane);
  finding.address = address;
  finding.bytes = static_cast<uint32_t>(bytes);
  finding.allocation = "malloc";
  m_heap.emplace(address, std::move(finding));
}

void Sanitizer::release(uint64_t address) { m_heap.erase(address); }

}  // namespace warplens::sanitize
