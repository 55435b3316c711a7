#include "core/gpu/engine/heat.h"
#include "core/gpu/exec/state/observer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/system/no_memory.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/machine.h"
#include "core/gpu/machine/no_memory.h"
#include "core/gpu/observe/coalescing.h"
#include "core/launch/footprint.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

BufferHeat empty_heat(uint32_t buffer, uint64_t bytes, size_t max_bins) {
  BufferHeat heat;
  heat.buffer = buffer;
  heat.bytes = bytes;
  const uint64_t sectors = ceil_div(bytes, observe::sector_bytes);
  while (ceil_div(sectors, heat.sectors_per_bin) > std::max<size_t>(1, max_bins)) heat.sectors_per_bin *= 2;
  const auto bins = static_cast<size_t>(ceil_div(sectors, heat.sectors_per_bin));
  heat.loads.resize(bins);
  heat.stores.resize(bins);
  heat.atomics.resize(bins);
  return heat;
}

class HeatRecorder final : public exec::AccessRecorder {
 public:
  HeatRecorder(const exec::Memory& memory, AddressHeat& heat) : m_memory(memory), m_heat(heat) {}

  // Buffers are allocated and freed between launches.
  void forget_allocations() { m_last = nullptr; }

  bool listens_to(Space space) const override { return space == Space::global; }
  void record(const exec::Op& op, uint32_t, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override {
    if (space != Space::global) return;
    // An access is aligned to its size, so it is in one sector, unless it is wider than one.
    const uint32_t per_lane = std::max<uint32_t>(1, op.bytes / observe::sector_bytes);
    std::array<uint64_t, size_t{4} * warp_lanes> sectors;
    size_t count = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const uint64_t first = addresses[std::countr_zero(rest)] / observe::sector_bytes;
      for (uint32_t i = 0; i < per_lane && count < sectors.size(); ++i)
        if (count == 0 || sectors[count - 1] != first + i) sectors[count++] = first + i;
    }
    if (!std::is_sorted(sectors.begin(), sectors.begin() + count))
      std::sort(sectors.begin(), sectors.begin() + count);
    const auto end = std::unique(sectors.begin(), sectors.begin() + count);
    for (auto sector = sectors.begin(); sector != end; ++sector) add(*sector * observe::sector_bytes, kind);
  }

 private:
  void add(uint64_t address, AccessKind kind) {
    if (m_last == nullptr || address < m_last->begin || address >= m_last->end)
      m_last = m_memory.find(address);
    if (m_last == nullptr || m_last->buffer < 0) {
      ++m_heat.elsewhere;
      return;
    }
    BufferHeat& heat = m_heat.buffers[static_cast<size_t>(m_last->buffer)];
    const size_t bin = (address - m_last->begin) / observe::sector_bytes / heat.sectors_per_bin;
    std::vector<uint64_t>& bins = kind == AccessKind::load    ? heat.loads
                                  : kind == AccessKind::store ? heat.stores
                                                              : heat.atomics;
    if (bin < bins.size()) ++bins[bin];
  }

  const exec::Memory& m_memory;
  AddressHeat& m_heat;
  const exec::Allocation* m_last = nullptr;
};

class HeatPass {
 public:
  HeatPass(const Programs& programs, Machine& machine, AddressHeat& heat, uint64_t step_budget)
      : m_programs(programs),
        m_machine(machine),
        m_heat(heat),
        m_step_budget(step_budget),
        m_recorder(machine.memory(), heat) {}

  // Returns true if the request continues.
  Result<bool> take(const Step& step, const std::stop_token& stop) {
    m_recorder.forget_allocations();
    if (const auto* s = std::get_if<AllocateStep>(&step)) return after(m_machine.allocate(s->buffer));
    if (const auto* s = std::get_if<CopyInStep>(&step)) return after(m_machine.copy_in(s->buffer));
    if (const auto* f = std::get_if<FreeStep>(&step)) {
      m_machine.free(f->buffer);
    } else if (const auto* l = std::get_if<LaunchStep>(&step)) {
      return launch(*l, stop);
    }
    return true;
  }

 private:
  static Result<bool> after(const Result<void>& done) { return done ? Result<bool>(true) : done.error(); }

  Result<bool> launch(const LaunchStep& step, const std::stop_token& stop) {
    const program::Program& program = *m_programs.by_entry.find(step.entry)->second;
    Result<exec::GridLaunch> launch = m_machine.prepare(step, program, 1);
    if (!launch) return launch.error();
    launch->recorder = &m_recorder;
    launch->record_blocks = false;
    launch->count_memory = false;
    launch->step_budget = std::min(launch->step_budget, m_step_budget);
    const exec::GridOutcome outcome = exec::run_grid(*launch, stop, nullptr);
    if (outcome.end == exec::GridOutcome::End::cancelled)
      return Error{ErrorKind::cancelled, "Recording the addresses was cancelled."};
    if (outcome.end == exec::GridOutcome::End::out_of_memory) return no_memory_for(*launch, step.entry);
    if (outcome.end == exec::GridOutcome::End::finished) return true;
    const Incident incident =
        describe(outcome.fault, program, m_machine.memory(), outcome.fault_block, step.block);
    m_heat.message = incident.kind == IncidentKind::step_limit
                         ? "The launch is long: these are the addresses of its first part."
                         : "These are the addresses up to the fault: " + incident.message;
    return false;
  }

  const Programs& m_programs;
  Machine& m_machine;
  AddressHeat& m_heat;
  uint64_t m_step_budget;
  HeatRecorder m_recorder;
};

Result<AddressHeat> heat_of(const LaunchRequest& request, const std::stop_token& stop, size_t max_bins,
                            uint64_t step_budget) {
  const Result<Programs> programs = load_programs(request);
  if (!programs) return programs.error();
  Result<Machine> machine = Machine::create(request, *programs);
  if (!machine) return machine.error();
  AddressHeat heat;
  for (uint32_t b = 0; b < request.buffers.size(); ++b)
    heat.buffers.push_back(empty_heat(b, request.buffers[b].bytes, max_bins));
  HeatPass pass(*programs, *machine, heat, step_budget);
  for (const Step& step : all_steps(request)) {
    const Result<bool> goes_on = pass.take(step, stop);
    if (!goes_on) return goes_on.error();
    if (!*goes_on) break;
  }
  return heat;
}

}  // namespace

Result<AddressHeat> record_heat(const LaunchRequest& request, std::stop_token stop, size_t max_bins,
                                uint64_t step_budget) {
  return or_no_memory([&] { return heat_of(request, stop, max_bins, step_budget); },
                      "There is not enough memory on this machine to run the launches again and record their "
                      "addresses. Choose smaller buffers or blocks.");
}

}  // namespace warplens
