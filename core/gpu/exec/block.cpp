#include "core/gpu/exec/block.h"
#include "core/gpu/exec/state/counters.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include "core/base/system/between_frames.h"
#include "core/gpu/exec/control/barrier.h"
#include "core/gpu/exec/state/reserved_shared.h"

namespace warplens::exec {

namespace {

// Writes the same bits to all lanes of a register of this width.
void broadcast(std::byte* to, uint64_t bits, uint32_t register_bits) {
  if (register_bits <= 16) {
    std::fill_n(reinterpret_cast<uint16_t*>(to), warp_lanes, static_cast<uint16_t>(bits));
  } else if (register_bits == 32) {
    std::fill_n(reinterpret_cast<uint32_t*>(to), warp_lanes, static_cast<uint32_t>(bits));
  } else {
    std::fill_n(reinterpret_cast<uint64_t*>(to), warp_lanes, bits);
  }
}

// A parameter as ld.param reads it: zero- or sign-extended from its type.
uint64_t load_parameter(const std::vector<std::byte>& parameters, const program::ParameterSlot& slot) {
  const uint32_t bytes = ptx::bits_of(slot.type) / 8;
  uint64_t bits = 0;
  if (slot.offset + bytes <= parameters.size()) std::memcpy(&bits, parameters.data() + slot.offset, bytes);
  if (ptx::is_signed(slot.type) && bytes < 8) {
    const uint32_t shift = 64 - 8 * bytes;
    bits = static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift);
  }
  return bits;
}

uint32_t component(Dim3 value, uint8_t index) {
  return index == 0 ? value.x : index == 1 ? value.y : index == 2 ? value.z : 0;
}

// The next position in order, computed without division.
Dim3 position_behind(Dim3 at, Dim3 extent) {
  if (++at.x != extent.x) return at;
  at.x = 0;
  if (++at.y != extent.y) return at;
  return {0, 0, at.z + 1};
}

uint32_t lane_mask(ptx::SpecialRegister which, uint32_t lane) {
  const uint32_t eq = 1u << lane;
  switch (which) {
    case ptx::SpecialRegister::lanemask_eq:
      return eq;
    case ptx::SpecialRegister::lanemask_lt:
      return eq - 1;
    case ptx::SpecialRegister::lanemask_le:
      return eq | (eq - 1);
    case ptx::SpecialRegister::lanemask_gt:
      return ~(eq | (eq - 1));
    default:
      return ~(eq - 1);
  }
}

}  // namespace

Block::Block(const GridLaunch& launch, BlockCount* counts, MemoryOpState* memory_ops)
    : m_launch(launch), m_threads(static_cast<uint32_t>(launch.block.count())) {
  prepare(counts, memory_ops);
}

size_t Block::bytes() const { return m_frames.size() + m_shared.size() + m_local_bytes; }

void Block::prepare(BlockCount* counts, MemoryOpState* memory_ops) {
  const GridLaunch& launch = m_launch;
  const program::Program& program = *launch.program;
  const uint32_t warps = (m_threads + warp_lanes - 1) / warp_lanes;
  const uint32_t shared_bytes = with_reserved_shared(program, launch.shared_bytes);
  m_shared.resize(shared_bytes + 64);
  const uint32_t local_bytes = program.local_bytes + program.stack_bytes;  // of one thread
  const uint64_t local_of_all = uint64_t{warps} * warp_lanes * local_bytes + 64;
  if (local_of_all > std::numeric_limits<size_t>::max()) throw std::bad_alloc();  // addresses have 32 bits
  if (m_local == nullptr) {
    m_local = {static_cast<std::byte*>(std::calloc(static_cast<size_t>(local_of_all), 1)), std::free};
    if (m_local == nullptr) throw std::bad_alloc();
    m_local_bytes = static_cast<size_t>(local_of_all);
  }
  m_local_pages = (size_t{local_bytes} + local_page_bytes - 1) / local_page_bytes;
  m_local_writers.resize(warps * m_local_pages);
  m_context = {};
  m_index = 0;
  m_unchanged = 0;
  m_context.memory = launch.memory;
  m_context.shared = m_shared.data();
  m_context.shared_bytes = shared_bytes;
  m_context.parameters = launch.parameters.data();
  m_context.parameter_bytes = static_cast<uint32_t>(launch.parameters.size());
  m_context.local_bytes = local_bytes;
  m_context.program = &program;
  m_context.console = &m_console;
  m_works = {};
  m_context.works = &m_works;
  m_context.runtime = launch.runtime;
  m_context.block_extent = launch.block;
  m_context.grid_extent = launch.grid;
  m_context.counts = counts;
  m_context.memory_ops = memory_ops;
  m_context.recorder = launch.recorder;
  if (launch.recorder != nullptr) {
    if (launch.recorder->listens_to(Space::global)) m_context.global_recorder = launch.recorder;
    if (launch.recorder->listens_to(Space::shared)) m_context.shared_recorder = launch.recorder;
  }
  m_context.watch = launch.watch;
  m_context.notes = launch.notes;
  m_context.matrices = program.matrices.data();
  m_context.textures = program.textures.data();
  m_context.count_memory = launch.count_memory;
  if (launch.learn_shapes) m_context.shapes = &m_shapes;
  m_context.trace = launch.trace;
  m_context.parted = launch.parted;
  m_context.passed = launch.passed;
  m_context.code = compiled_program(program, observers_of(m_context), launch.tier, launch.trace);
  m_context.exclusive = launch.workers <= 1;
  // Frames start at cache lines; the vector's own start need not.
  m_frames.resize(size_t{warps} * program.frame_bytes + 64);
  const size_t misalignment = reinterpret_cast<uintptr_t>(m_frames.data()) % 64;
  std::byte* frames = m_frames.data() + (64 - misalignment) % 64;
  m_context.frames = frames;
  m_context.warps = warps;
  m_warps.resize(warps);
  m_states.resize(warps);
  m_order.resize(warps);
  std::iota(m_order.begin(), m_order.end(), 0u);
  for (uint32_t w = 0; w < warps; ++w) {
    Warp& warp = m_warps[w];
    warp.index = w;
    warp.block = &m_context;
    warp.may_spin = program.may_spin;
    warp.frame = frames + size_t{w} * program.frame_bytes;
    warp.local = m_local.get() + size_t{w} * warp_lanes * local_bytes;
    warp.local_writers = m_local_writers.data() + w * m_local_pages;
    prepare_frame(warp);
  }
}

void Block::prepare_frame(Warp& warp) {
  const program::Program& program = *m_launch.program;
  for (const program::ConstantSlot& slot : program.constants)
    broadcast(warp.frame + slot.slot, slot.bits, slot.register_bits);
  for (const program::ParameterSlot& slot : program.parameters) {
    broadcast(warp.frame + slot.slot, load_parameter(m_launch.parameters, slot), slot.register_bits);
  }
  for (const program::SpecialSlot& slot : program.launch_specials) fill_special(warp, slot);
  set_mask(warp, 0xffffffff);
  for (const Op* op = program.prologue.data(); op != program.prologue.data() + program.prologue.size();) {
    op = op->handlers.run[all_lanes](op, warp);
  }
}

// Nothing if lanes or warps have different values.
std::optional<uint64_t> Block::special_of_block(const program::SpecialSlot& slot) const {
  using ptx::SpecialRegister;
  switch (slot.special) {
    case SpecialRegister::tid:
    case SpecialRegister::laneid:
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_ge:
    case SpecialRegister::lanemask_gt:
    case SpecialRegister::warpid:
      return {};
    case SpecialRegister::ntid:
      return component(m_launch.block, slot.component);
    case SpecialRegister::ctaid:
      return component(m_context.block_position, slot.component);
    case SpecialRegister::nctaid:
      return component(m_launch.grid, slot.component);
    case SpecialRegister::nwarpid:
      return m_warps.size();
    case SpecialRegister::smid:
      return m_index % m_launch.sms;
    case SpecialRegister::nsmid:
      return m_launch.sms;
    case SpecialRegister::nclusterid:
    case SpecialRegister::clusterid: {  // a cluster is one block
      const Dim3 of = slot.special == SpecialRegister::clusterid ? m_context.block_position : m_launch.grid;
      return component(of, slot.component);
    }
    case SpecialRegister::cluster_nctaid:
      return slot.component < 3 ? 1 : 0;
    case SpecialRegister::cluster_nctarank:
      return 1;
    case SpecialRegister::gridid:
      return m_launch.index;
    case SpecialRegister::envreg1:
      return m_launch.grid_workspace >> 32;
    case SpecialRegister::envreg2:
      return m_launch.grid_workspace;
    case SpecialRegister::dynamic_smem_size:
      return m_launch.shared_dynamic_bytes;
    case SpecialRegister::total_smem_size:
    case SpecialRegister::aggr_smem_size:
      return m_launch.shared_bytes;
    default:
      return reserved_shared_value(slot.special, m_launch.shared_bytes).value_or(0);
  }
}

void Block::fill_special(Warp& warp, const program::SpecialSlot& slot) const {
  using ptx::SpecialRegister;
  if (const auto bits = special_of_block(slot))
    return broadcast(warp.frame + slot.slot, *bits, ptx::shape_of(slot.special).bits);
  uint32_t* lanes = warp.reg<uint32_t>(slot.slot);
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    switch (slot.special) {
      case SpecialRegister::tid:
        lanes[lane] = component(position_at(warp.index * warp_lanes + lane, m_launch.block), slot.component);
        break;
      case SpecialRegister::laneid:
        lanes[lane] = lane;
        break;
      case SpecialRegister::warpid:
        lanes[lane] = warp.index;
        break;
      default:
        lanes[lane] = lane_mask(slot.special, lane);
        break;
    }
  }
}

void fill_block_specials(BlockContext& block) {
  const program::Program& program = *block.program;
  for (size_t i = 0; i < program.block_specials.size(); ++i) {
    const program::SpecialSlot& slot = program.block_specials[i];
    for (uint32_t w = 0; w < block.warps; ++w) {
      std::byte* const frame = block.frames + size_t{w} * program.frame_bytes;
      broadcast(frame + slot.slot, block.special_values[i], ptx::shape_of(slot.special).bits);
    }
  }
  block.frames_lack_specials = false;
}

// Clears what the previous block wrote to local memory. The rest has been 0 since the warp was made.
void Block::clear_local(Warp& warp) {
  const size_t bytes = m_context.local_bytes;
  const std::span<uint32_t> writers(warp.local_writers, m_local_pages);
  for (auto at = writers.begin(); at != writers.end();) {
    const uint32_t lanes = *at;
    const auto end = std::find_if(at, writers.end(), [&](uint32_t others) { return others != lanes; });
    const auto first = static_cast<size_t>(at - writers.begin()) * local_page_bytes;
    const size_t last = std::min(static_cast<size_t>(end - writers.begin()) * local_page_bytes, bytes);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      std::memset(warp.local + static_cast<size_t>(std::countr_zero(rest)) * bytes + first, 0, last - first);
    if (lanes != 0) std::fill(at, end, 0);
    at = end;
  }
  warp.stack.fill(m_launch.program->local_bytes);
  warp.stack_peak = 0;
}

void Block::start(uint64_t block_index, uint64_t place) {
  const program::Program& program = *m_launch.program;
  m_context.block_position = block_index == m_index + 1
                                 ? position_behind(m_context.block_position, m_launch.grid)
                                 : position_at(block_index, m_launch.grid);
  m_index = block_index;
  m_place = place;
  m_has_run = false;
  m_context.block_sectors = 0;
  m_context.block_divergences = 0;
  m_fault.kind = FaultKind::none;
  m_barriers.reset();
  m_running = static_cast<uint32_t>(m_warps.size());
  if (m_context.shared_bytes != 0) std::fill(m_shared.begin(), m_shared.end(), std::byte{0});
  m_context.clock = 0;
  m_fresh = may_chain();
  m_context.first_writer = block_index * m_threads + 1;
  for (size_t i = 0; i < program.block_specials.size(); ++i) {
    const program::SpecialSlot& slot = program.block_specials[i];
    // The case of nearly every kernel.
    m_context.special_values[i] = slot.special == ptx::SpecialRegister::ctaid
                                      ? component(m_context.block_position, slot.component)
                                      : special_of_block(slot).value_or(0);
  }
  m_context.frames_lack_specials = m_fresh && m_context.trace == nullptr;
  if (!m_context.frames_lack_specials) fill_block_specials(m_context);
  for (size_t i = std::exchange(m_unchanged, 0); i < m_warps.size(); ++i) start_warp(m_warps[i]);
  std::ranges::fill(m_states, WarpState::ready);
  if (m_launch.seed != 0) m_dice = Dice(mixed(~m_launch.seed, block_index));
}

void Block::start_warp(Warp& warp) {
  const program::Program& program = *m_launch.program;
  if (m_local_pages != 0) clear_local(warp);
  for (const auto& [slot, bytes] : program.cleared) std::memset(warp.frame + slot, 0, bytes);
  const uint32_t lanes = std::min(warp_lanes, m_threads - warp.index * warp_lanes);
  exec::start(warp, lanes == 32 ? 0xffffffffu : (1u << lanes) - 1);
  if (!m_fresh) start_paths(warp, program.entry());
  warp.in_order = m_launch.seed == 0;
  warp.may_part = m_launch.may_part;
  if (!warp.in_order) warp.dice = Dice(mixed(m_launch.seed, m_index * m_threads + warp.index * warp_lanes));
}

void Block::begin_round() {
  if (m_launch.seed == 0) return;
  for (size_t i = m_order.size(); i > 1; --i) std::swap(m_order[i - 1], m_order[m_dice.below(i)]);
}

Warp* Block::next_turn(Turns& turns, int64_t steps, BlockState& state) {
  for (;;) {
    if (!turns.in_round) {
      state = BlockState::running;
      if (steps <= 0) return nullptr;
      begin_round();
      turns.in_round = true;
      turns.progress = false;
      turns.next = 0;
    }
    while (turns.next < m_order.size()) {
      const uint32_t index = m_order[turns.next++];
      if (m_states[index] != WarpState::ready) continue;
      turns.progress = true;
      begin_turn(m_warps[index], steps);
      return &m_warps[index];
    }
    if (m_running == 0) {
      state = BlockState::finished;
      return nullptr;
    }
    if (!turns.progress) {
      raise_deadlock();
      state = BlockState::fault;
      return nullptr;
    }
    turns.in_round = false;
    ++turns.rounds;
  }
}

// Schedules with a seed change warps often, at arbitrary points.
int64_t Block::turn_of(const Warp& warp) {
  constexpr uint64_t most = 256;
  const int64_t turn = std::min(warp.turn, m_launch.turn_steps);
  return m_launch.seed == 0 ? turn : std::min(turn, static_cast<int64_t>(1 + m_dice.below(most)));
}

void Block::begin_turn(Warp& warp, int64_t steps) {
  warp.steps = std::min(turn_of(warp), steps);
  warp.slice = warp.steps;
}

bool Block::end_turn(Warp& warp, WarpState state, int64_t& steps) {
  m_states[warp.index] = state;
  const int64_t used = warp.slice - warp.steps;
  steps -= used;
  m_context.clock += static_cast<uint64_t>(used);
  switch (state) {
    case WarpState::ready:
      return true;
    case WarpState::barrier:
      return arrive(warp);
    case WarpState::finished:
      // The others wait for one warp less.
      --m_running;
      for (uint32_t b = 0; b < barriers_per_block && !m_barriers.is_idle(); ++b) open(b);
      return true;
    case WarpState::fault:
      m_fault = warp.fault;
      return false;
  }
  return false;
}

bool Block::may_chain() const { return m_context.code != nullptr && m_launch.seed == 0; }

// A chain has ended. If that was before or after a barrier: the paths of its warps, but for that of the warp
// where it ended.
void Block::note_phase(const Chain& chain) {
  for (Warp* warp = chain.begin; chain.met != nullptr && warp != chain.at; ++warp) {
    start_paths(*warp, chain.met + 1);
    warp->paths.front().at_barrier = true;
    m_states[warp->index] = come_to_barrier(*warp);
    arrive(*warp);
  }
  for (Warp* warp = chain.at + 1; chain.from != nullptr && warp < m_warps.data() + m_warps.size(); ++warp)
    start_paths(*warp, chain.from);
}

// Runs whole warps from `first` on in machine code that starts at `code`. Returns the first warp that has not
// finished: `end`, or a warp that has started and continues at `op`, as in go_on().
uint32_t Block::run_chain(const void* code, uint32_t first, uint32_t end, int64_t& steps, const Op*& op,
                          bool& has_paths) {
  Warp& warp = m_warps[first];
  begin_turn(warp, steps);
  Chain& chain = m_context.chain;
  const bool is_block = first == 0 && end == m_warps.size();
  chain = {.at = &warp,
           .end = m_warps.data() + end,
           .entry = code,
           .steps = steps,
           .turn = std::min(longest_turn, m_launch.turn_steps),
           .begin = is_block ? &warp : nullptr};
  op = m_context.code->run(code, warp);
  steps = chain.steps;
  has_paths = chain.end == nullptr;  // its lanes have diverged, and it went on in code
  chain.end = nullptr;
  const auto at = static_cast<uint32_t>(chain.at - m_warps.data());
  note_phase(chain);
  if (chain.met != nullptr) return at;
  std::fill(m_states.begin() + first, m_states.begin() + at, WarpState::finished);
  const bool changes = m_context.watch != nullptr;  // the observer reads which lanes have exited
  for (uint32_t i = first; changes && i < at; ++i) m_warps[i].live = 0;
  if (!changes && first == m_unchanged && m_launch.program->local_bytes == 0 &&
      m_launch.program->cleared.empty())
    m_unchanged = at;
  m_running -= at - first;
  for (uint32_t b = 0; at != first && b < barriers_per_block && !m_barriers.is_idle(); ++b) open(b);
  return at;
}

// The first round of a block whose warps run in order. False if there is a fault.
bool Block::run_fresh(int64_t& steps) {
  const Op* const entry = m_launch.program->entry();
  const auto warps = static_cast<uint32_t>(m_warps.size()), whole = m_threads / warp_lanes;
  for (uint32_t at = 0; at < warps;) {
    const Op* op = entry;
    bool has_paths = false;
    const uint32_t end = at < whole ? whole : warps;
    const CodeFor lanes = m_context.code->code_for(m_warps[at]);
    const void* const code = lanes != CodeFor::some ? m_context.code->find(entry, lanes) : nullptr;
    if (code == nullptr) {
      if (m_context.frames_lack_specials) fill_block_specials(m_context);
      begin_turn(m_warps[at], steps);
    } else if ((at = run_chain(code, at, end, steps, op, has_paths)) == end) {
      continue;
    }
    Warp& warp = m_warps[at++];
    if (!has_paths) start_paths(warp, entry);
    if (!end_turn(warp, go_on(warp, op), steps)) return false;
    for (; code != nullptr && m_context.chain.from != nullptr && at < warps; ++at) {
      begin_turn(m_warps[at], steps);
      if (!end_turn(m_warps[at], exec::run(m_warps[at]), steps)) return false;
    }
  }
  return true;
}

BlockState Block::run(int64_t& steps) {
  m_has_run = true;
  if (std::exchange(m_fresh, false)) {
    if (!run_fresh(steps)) return BlockState::fault;
    if (m_running == 0) return BlockState::finished;
  }
  WorkDone work(steps_before_a_frame);
  Turns turns;
  BlockState state = BlockState::running;
  while (Warp* const warp = next_turn(turns, steps, state)) {
    const int64_t before = steps;
    if (!end_turn(*warp, exec::run(*warp), steps)) return BlockState::fault;
    work.add(before - steps);
  }
  return state;
}

Block::Image Block::image() const {
  return {m_warps,
          m_states,
          m_barriers,
          m_running,
          m_fault,
          m_console,
          m_works,
          m_context.clock,
          m_context.block_sectors,
          m_context.block_divergences,
          m_order,
          m_dice};
}

void Block::restore(const Image& image) {
  m_warps = image.warps;
  m_states = image.states;
  m_unchanged = 0;
  m_barriers = image.barriers;
  m_running = image.running;
  m_fault = image.fault;
  m_console = image.console;
  m_works = image.works;
  m_context.clock = image.clock;
  m_context.block_sectors = image.sectors;
  m_context.block_divergences = image.divergences;
  m_order = image.order;
  m_dice = image.dice;
}

std::span<std::byte> Block::frames() {
  return {m_warps.front().frame, m_warps.size() * m_launch.program->frame_bytes};
}

std::span<std::byte> Block::local(const Warp& warp, uint32_t lane) {
  const size_t used = std::max(m_launch.program->local_bytes, warp.stack_peak);
  return {warp.local + size_t{lane} * m_context.local_bytes, used};
}

Fault Block::fault_here(FaultKind kind) const {
  Fault fault{.kind = kind, .detail = {}};
  for (const Warp& warp : m_warps) {
    if (m_states[warp.index] == WarpState::finished || warp.paths.empty()) continue;
    const Path& path = warp.paths.back();
    fault.op = path.next;
    fault.warp = warp.index;
    fault.lane = static_cast<uint32_t>(std::countr_zero(path.mask));
    break;
  }
  return fault;
}

// The warp's state is barrier: it waits, or has only arrived without waiting. False if there is a fault.
bool Block::arrive(Warp& warp) {
  if (!m_barriers.arrive(warp.barrier)) {
    m_fault = {
        .kind = FaultKind::invalid_barrier,
        .op = warp.barrier.op,
        .lane = static_cast<uint32_t>(std::countr_zero(warp.live)),
        .warp = warp.index,
        .detail =
            "comes to a barrier at which others wait with bar.red, or the other way round; only bar.red "
            "meets bar.red."};
    return false;
  }
  if (m_context.watch != nullptr) m_context.watch->arrive(warp);
  if (warp.barrier.arrive_only) {
    m_barriers.release(warp);
    m_states[warp.index] = WarpState::ready;
  }
  open(warp.barrier.number);
  return true;
}

// Lets the warps that wait at this barrier continue, if enough have arrived.
void Block::open(uint32_t number) {
  if (!m_barriers.is_open(number, m_running * warp_lanes)) return;
  for (Warp& warp : m_warps) {
    if (m_states[warp.index] != WarpState::barrier || warp.barrier.number != number) continue;
    m_barriers.release(warp);
    m_states[warp.index] = WarpState::ready;
    if (m_context.watch != nullptr) m_context.watch->depart(warp);
  }
  m_barriers.close(number);
  if (m_context.watch != nullptr) m_context.watch->close(number);
}

void Block::raise_deadlock() {
  uint32_t waiting = 0;
  const Warp* first = nullptr;
  for (const Warp& warp : m_warps) {
    if (m_states[warp.index] != WarpState::barrier) continue;
    ++waiting;
    if (first == nullptr) first = &warp;
  }
  m_fault = {.kind = FaultKind::deadlock,
             .op = first->barrier.op,
             .lane = static_cast<uint32_t>(std::countr_zero(first->live)),
             .warp = first->index,
             .address = first->barrier.number,
             .bytes = waiting,
             .detail = {}};
  for (const Warp& warp : m_warps) {
    if (m_states[warp.index] != WarpState::barrier) continue;
    m_fault.others.push_back(
        {.lanes = warp.live, .mask = warp.barrier.number, .op = warp.barrier.op, .warp = warp.index});
  }
}

}  // namespace warplens::exec
