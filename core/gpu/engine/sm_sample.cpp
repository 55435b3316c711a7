#include "core/gpu/engine/sm_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "core/base/figures.h"
#include "core/base/system/no_memory.h"
#include "core/gpu/engine/access_lines.h"
#include "core/gpu/engine/cache_recorder.h"
#include "core/gpu/engine/one_launch.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/observe/coalescing.h"
#include "core/gpu/stepping/trace/run_tracer.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

// The accesses of a block, each with the instruction of the trace that makes it.
class Accesses final : public exec::AccessRecorder {
 public:
  Accesses(sm::Work& work, const stepping::RunTracer& tracer) : m_work(work), m_tracer(tracer) {}
  void start(const LaunchStep& step, const program::Program& program) { m_lines.start_launch(step, program); }
  void enter(uint64_t block) { m_lines.enter(block); }
  // Of the instruction with this number in the trace.
  uint32_t of(uint64_t position) const {
    const auto at = std::ranges::lower_bound(m_at, position, {}, &std::pair<uint64_t, uint32_t>::first);
    return at != m_at.end() && at->first == position ? at->second : sm::no_access;
  }

  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override {
    sm::Access& access = add();
    access.lanes = static_cast<uint8_t>(std::popcount(mask));
    if (space == Space::shared) {
      const auto waves = kind == AccessKind::atomic
                             ? observe::atomic_wavefronts(addresses, mask, op.bytes)
                             : observe::wavefronts_of(addresses, mask, op.bytes, kind == AccessKind::load);
      access.wavefronts = static_cast<uint16_t>(std::max<uint32_t>(access.wavefronts, waves.count));
      return;
    }
    if (space == Space::local) return lines(access, m_lines.of_local(op, warp, mask, addresses), 0);
    if (space != Space::global) return;
    const AccessLines::Way way = m_lines.way_of(op, kind);
    if (way == AccessLines::Way::elsewhere) return;
    access.past_l1 = way == AccessLines::Way::past_l1;
    const observe::Sectors sectors = observe::sectors_of(addresses, mask, op.bytes);
    lines(access, m_lines.of_global(op, mask, addresses), sectors.ideal);
  }

  void record_texture(std::span<const uint64_t> sectors) override {
    lines(add(), m_lines.of_sectors(sectors), 0);
  }

 private:
  sm::Access& add() {
    const uint64_t position = m_tracer.position();
    if (m_at.empty() || m_at.back().first != position) {
      m_at.emplace_back(position, static_cast<uint32_t>(m_work.accesses.size()));
      m_work.accesses.push_back({});
    }
    return m_work.accesses.back();
  }

  void lines(sm::Access& access, std::span<const observe::LinePart> parts, uint32_t ideal) {
    if (access.lines == 0) access.first_line = static_cast<uint32_t>(m_work.lines.size());
    for (const observe::LinePart& part : parts) {
      m_work.lines.push_back(part);
      access.sectors = static_cast<uint16_t>(access.sectors + std::popcount(part.sectors));
    }
    access.lines += static_cast<uint32_t>(parts.size());
    access.whole_sectors = static_cast<uint16_t>(std::min<uint32_t>(access.sectors, ideal));
  }

  sm::Work& m_work;
  const stepping::RunTracer& m_tracer;
  AccessLines m_lines;
  std::vector<std::pair<uint64_t, uint32_t>> m_at;
};

// The machine instructions of a warp: those of the basic blocks that it went through, in their order there.
class Streams {
 public:
  Streams(const program::Program& program, sm::Work& work) : m_program(program), m_work(work) {}

  void add(uint64_t block, uint32_t warps, std::span<const TraceEntry> entries, uint64_t first,
           const Accesses& accesses) {
    m_by_warp.assign(warps, {});
    for (size_t n = 0; n < entries.size(); ++n)
      m_by_warp[entries[n].warp].push_back(static_cast<uint32_t>(n));
    sm::SampledBlock sampled{block, static_cast<uint32_t>(m_work.warps.size()), warps};
    for (const std::vector<uint32_t>& numbers : m_by_warp) {
      sm::WarpWork warp{m_work.executed.size(), 0};
      for (size_t begin = 0; begin < numbers.size();) {
        const uint32_t b = m_program.flow.block_of[entries[numbers[begin]].instruction];
        size_t end = begin + 1;
        while (end < numbers.size() &&
               entries[numbers[end]].instruction == entries[numbers[end - 1]].instruction + 1 &&
               m_program.flow.block_of[entries[numbers[end]].instruction] == b)
          ++end;
        const uint32_t from = entries[numbers[begin]].instruction,
                       to = from + static_cast<uint32_t>(end - begin);
        for (uint32_t k = m_work.code.block_starts[b]; k < m_work.code.block_starts[b + 1]; ++k) {
          const sm::Instruction& i = m_work.code.instructions[k];
          uint32_t access = sm::no_access;
          if (i.ptx >= from && i.ptx < to) {
            if (i.loads || i.stores || i.updates)
              access = accesses.of(first + numbers[begin + (i.ptx - from)]);
          } else if (const program::BasicBlock& all = m_program.flow.blocks[b];
                     i.ptx >= all.first && i.ptx < all.first + all.count) {
            continue;  // of a part of the basic block that was not run
          }
          m_work.executed.push_back({k, access});
        }
        // What a predicate switches off is issued all the same.
        const uint32_t off = m_work.code.predicated[b];
        const bool whole = to == m_program.flow.blocks[b].first + m_program.flow.blocks[b].count;
        if (off != program::no_block && whole &&
            (end == numbers.size() || m_program.flow.block_of[entries[numbers[end]].instruction] != off))
          for (uint32_t k = m_work.code.block_starts[off]; k < m_work.code.block_starts[off + 1]; ++k)
            m_work.executed.push_back({k, sm::switched_off});
        begin = end;
      }
      warp.count = m_work.executed.size() - warp.first;
      m_work.warps.push_back(warp);
    }
    m_work.blocks.push_back(sampled);
  }

 private:
  const program::Program& m_program;
  sm::Work& m_work;
  std::vector<std::vector<uint32_t>> m_by_warp;
};

// Those of one SM, or groups of as many as are on an SM together, spread over the grid.
std::vector<uint64_t> blocks_of(uint64_t grid, uint64_t sms, uint64_t wanted, uint64_t resident) {
  std::vector<uint64_t> blocks;
  const uint64_t of_sm = ceil_div(grid, sms);
  const uint64_t each = wanted >= of_sm ? of_sm : std::min(wanted, resident),
                 groups = std::max<uint64_t>(1, wanted / each);
  for (uint64_t g = 0; g < groups; ++g) {
    const uint64_t span = grid - std::min(grid - 1, (each - 1) * sms);
    const uint64_t start = each == of_sm ? 0 : std::min(span - 1, (2 * g + 1) * span / (2 * groups));
    for (uint64_t k = 0; k < each && start + k * sms < grid; ++k) blocks.push_back(start + k * sms);
  }
  return blocks;
}

Result<sm::Work> sample(const LaunchRequest& request, const sm::Figures& figures, uint32_t resident,
                        uint64_t instructions_a_block, uint64_t instructions, const std::stop_token& stop) {
  const LaunchStep* step = first_launch(request);
  if (step == nullptr || step->cooperative)
    return bad_input("its blocks wait for each other, so they cannot run again alone");
  const auto one = prepare_one(request, *step, program::DecodeMode::for_stepping);
  if (!one) return one.error();
  std::shared_ptr<const program::Program> program = (*one)->programs.by_entry.find(step->entry)->second;
  sm::Work work;
  work.code = sm::code_of(*program, figures);
  for (uint32_t n = 0; n < program->instructions(); ++n) {
    const SourcePlace place = source_place(*program, n);
    work.places.push_back({std::string(place.file), place.line});
  }
  const uint64_t grid = step->grid.count();
  const auto warps = static_cast<uint32_t>(ceil_div(step->block.count(), warp_lanes));
  const uint64_t sms = std::max<uint64_t>(request.device.sms, 1), of_sm = ceil_div(grid, sms);
  const uint64_t wanted =
      std::clamp<uint64_t>(instructions / std::max<uint64_t>(instructions_a_block, 1), 1, of_sm);
  const uint64_t limit = instructions * 4;
  stepping::RunTracer tracer(limit);
  Accesses accesses(work, tracer);
  exec::GridLaunch launch = (*one)->launch;
  launch.workers = 1;
  launch.record_blocks = false;
  launch.step_budget = instructions * 64;
  launch.turn_steps = CacheRecorder::turn_steps;
  launch.recorder = &accesses;
  tracer.start_launch(*step, program, launch);
  accesses.start(*step, *launch.program);
  for (const uint64_t block : blocks_of(grid, sms, wanted, resident)) {
    accesses.enter(block);
    launch.first_block = block;
    launch.end_block = block + 1;
    if (exec::run_grid(launch, stop, nullptr).end != exec::GridOutcome::End::finished) {
      if (stop.stop_requested()) return Error{ErrorKind::cancelled, "The sample of blocks was stopped."};
      return bad_input("a block that runs alone does not end: it waits for others");
    }
  }
  const std::shared_ptr<const Trace> trace = tracer.take();
  if (!trace->complete)
    return bad_input(
        fmt::format("the blocks of a sample execute more than {} instructions", thousands(limit)));
  Streams streams(*program, work);
  for (size_t turn = 0; turn < trace->turns.size();) {
    const TraceTurn& begin = trace->turns[turn];
    while (turn < trace->turns.size() && trace->turns[turn].block == begin.block) ++turn;
    const uint64_t end = turn < trace->turns.size() ? trace->turns[turn].first : trace->instructions;
    streams.add(begin.block, warps,
                std::span(trace->entries()).subspan(size_t(begin.first), size_t(end - begin.first)),
                begin.first, accesses);
  }
  return work;
}

}  // namespace

Result<sm::Work> sample_sm(const LaunchRequest& request, const sm::Figures& figures, uint32_t resident,
                           uint64_t instructions_a_block, uint64_t instructions, std::stop_token stop) {
  return or_no_memory(
      [&] {
        return sample(request, figures, std::max(1u, resident), instructions_a_block, instructions, stop);
      },
      "There is not enough memory on this machine to run a sample of the blocks again.");
}

}  // namespace warplens
