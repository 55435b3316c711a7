// Replays one block and records its memory accesses.
#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/system/no_memory.h"
#include "core/gpu/engine/one_launch.h"
#include "core/gpu/engine/replay.h"
#include "core/gpu/exec/state/observer.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/no_memory.h"
#include "core/gpu/observe/coalescing.h"
#include "core/gpu/stepping/trace/thread_counter.h"
#include "core/launch/backend.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

class Recorder final : public exec::AccessRecorder {
 public:
  Recorder(const program::Program& program, const exec::Memory& memory, BlockFootprint& footprint,
           size_t limit)
      : m_program(program), m_memory(memory), m_footprint(footprint), m_limit(limit) {
    for (const ptx::SourceFile& file : program.module->files) footprint.files.push_back(file.name);
  }

  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override {
    if (m_footprint.accesses.size() >= m_limit) {
      m_footprint.truncated = true;
      return;
    }
    WarpAccess access;
    access.warp = warp;
    access.mask = mask;
    access.space = space;
    access.kind = kind;
    access.bytes_per_lane = op.bytes;
    access.ptx_line = m_program.instruction(op.instruction).line;
    const SourcePlace place = source_place(m_program, op.instruction);
    access.source_line = place.line;
    const auto file = std::find(m_footprint.files.begin(), m_footprint.files.end(), place.file);
    if (file != m_footprint.files.end()) access.source_file = *file;
    set_offsets(access, addresses);
    if (space == Space::global) {
      const observe::Sectors sectors = observe::sectors_of(addresses, mask, op.bytes);
      access.sectors = sectors.touched;
      access.sectors_ideal = sectors.ideal;
    } else if (space == Space::shared) {
      access.wavefronts = (kind == AccessKind::atomic
                               ? observe::atomic_wavefronts(addresses, mask, op.bytes)
                               : observe::wavefronts_of(addresses, mask, op.bytes, kind == AccessKind::load))
                              .count;
    }
    m_footprint.accesses.push_back(access);
  }

 private:
  // Offsets in one buffer where all lanes are in it; addresses otherwise.
  void set_offsets(WarpAccess& access, const uint64_t* addresses) const {
    uint64_t base = 0;
    if (access.space == Space::global) {
      const exec::Allocation* first = m_memory.find(addresses[std::countr_zero(access.mask)]);
      bool together = first != nullptr && first->buffer >= 0;
      for (uint32_t rest = access.mask; together && rest != 0; rest &= rest - 1) {
        const uint64_t at = addresses[std::countr_zero(rest)];
        together = at >= first->begin && at < first->end;
      }
      if (together) {
        access.buffer = first->buffer;
        base = first->begin;
      }
    }
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      access.offset[lane] = access.mask >> lane & 1u ? addresses[lane] - base : 0;
    }
  }

  const program::Program& m_program;
  const exec::Memory& m_memory;
  BlockFootprint& m_footprint;
  size_t m_limit;
};

Result<BlockFootprint> replay(const LaunchRequest& request, Dim3 block, std::stop_token stop,
                              size_t max_accesses) {
  const LaunchStep* step = first_launch(request);
  if (step == nullptr) return bad_input("The request launches no kernel.");
  if (block.x >= step->grid.x || block.y >= step->grid.y || block.z >= step->grid.z) {
    return bad_input("The grid has no such block.");
  }
  const auto one = prepare_one(request, *step, program::DecodeMode::for_stepping);
  if (!one) return one.error();
  const program::Program& program = *(*one)->program;
  const exec::Memory& memory = (*one)->machine.memory();
  exec::GridLaunch& launch = (*one)->launch;
  BlockFootprint footprint;
  footprint.block = block;
  Recorder recorder(program, memory, footprint, max_accesses);
  launch.recorder = &recorder;
  launch.record_blocks = false;
  launch.first_block = linear_index(block, step->grid);
  launch.end_block = launch.first_block + 1;
  stepping::ThreadCounter counter(program, launch);
  const exec::GridOutcome outcome = exec::run_grid(launch, stop, nullptr);
  footprint.threads = counter.take();
  if (outcome.end == exec::GridOutcome::End::cancelled)
    return Error{ErrorKind::cancelled, "The replay was cancelled."};
  if (outcome.end == exec::GridOutcome::End::out_of_memory) return no_memory_for(launch, step->entry);
  if (outcome.end == exec::GridOutcome::End::fault) {
    footprint.fault = describe(outcome.fault, program, memory, block, step->block).message;
  }
  return footprint;
}

}  // namespace

Result<BlockFootprint> replay_block(const LaunchRequest& request, Dim3 block, std::stop_token stop,
                                    size_t max_accesses) {
  return or_no_memory([&] { return replay(request, block, std::move(stop), max_accesses); },
                      "There is not enough memory on this machine to run the block again and record what it "
                      "accesses. Choose smaller buffers or blocks.");
}

}  // namespace warplens
