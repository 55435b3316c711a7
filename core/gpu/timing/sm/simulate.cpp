#include "core/gpu/timing/sm/simulate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/gpu/timing/sm/shared_units.h"

namespace warplens::sm {
namespace {

constexpr uint64_t never = std::numeric_limits<uint64_t>::max();
constexpr uint64_t lines_apart = uint64_t{1} << 44;  // between the lines of two runs of one recorded block

struct Register {
  uint64_t ready = 0;
  uint64_t not_before = 0;  // in any case: until the unit has taken the instruction
  WarpState state = WarpState::wait;
};

struct Warp {
  bool alive = false, at_barrier = false, ready_noted = false;
  uint32_t block = 0;              // in Blocks
  uint32_t index = 0;              // in its block
  uint32_t life = 0;               // in Run::warps
  uint64_t at = 0, end = 0;        // in Work::executed
  uint32_t left_of_sequence = 0;   // machine instructions of the one at `at` that are still to issue
  uint64_t begin = 0, issued = 0;  // when it started, and issued last
  uint64_t gap_end = 0;            // until when the instruction before keeps it
  uint64_t resolves = 0;           // of that, the last cycles: a branch's target is found
  WarpState gap_state = WarpState::wait;
  uint64_t operands = 0;  // when they are there
  WarpState operand_state = WarpState::wait;
  uint64_t ready = never;
  uint64_t order = 0;  // the older one has the smaller number
  uint64_t stores_left = 0;
  uint64_t chosen_instead = 0;  // of its pipe, when it became ready
  uint64_t not_before = 0;      // of the operand that comes last
  Pipe pipe = Pipe::none, pipe_before = Pipe::none;
  Kind kind = Kind::arithmetic;
};

struct Block {
  uint32_t warps = 0, alive = 0, waiting = 0;
  uint64_t ends = 0;
  uint64_t line_offset = 0;
  uint64_t arrived = 0;
  double noted = 0;  // its last warp at a barrier
};

struct Scheduler {
  std::vector<uint32_t> warps;  // places that have one
  uint64_t free = 0;
  std::array<double, pipes> pipe_free{};
  std::array<uint64_t, pipes> chosen{};  // issues while this pipe was free
  Queue memory_queue, queue;
  std::vector<std::pair<uint64_t, uint64_t>> lives;  // of its warps
  uint32_t last = UINT32_MAX;
  uint64_t next_time = never;
  uint32_t next_warp = UINT32_MAX;
};

class Sm {
 public:
  Sm(const Work& work, const Settings& settings)
      : m_work(work),
        m_s(settings),
        m_f(settings.figures),
        m_schedulers(m_f.schedulers),
        m_units(work, settings) {
    for (Scheduler& scheduler : m_schedulers) {
      scheduler.memory_queue = Queue(m_f.memory_queue);
      scheduler.queue = Queue(m_f.queue);
    }
    uint32_t most = 1;
    for (const SampledBlock& block : work.blocks) most = std::max(most, block.warps);
    const size_t places = size_t{std::max(1u, settings.resident_blocks)} * most;
    m_warps.resize(places);
    m_scheduler_of.resize(places);
    m_registers.resize(places * work.code.register_count);
    m_blocks.resize(std::max(1u, settings.resident_blocks));
    m_free_places.reserve(places);
    for (size_t place = places; place-- > 0;) m_free_places.push_back(static_cast<uint32_t>(place));
    for (size_t b = m_blocks.size(); b-- > 0;) m_free_blocks.emplace_back(0, static_cast<uint32_t>(b));
    m_run.of_instruction.resize(instructions_of(work.code));
  }

  Run run(const std::stop_token& stop) {
    if (m_work.blocks.empty()) return {};
    for (uint64_t turn = 0;; ++turn) {
      if (turn % 4096 == 0 && stop.stop_requested()) return {};
      Scheduler* first = nullptr;
      for (Scheduler& scheduler : m_schedulers)
        if (scheduler.next_time != never && (first == nullptr || scheduler.next_time < first->next_time))
          first = &scheduler;
      const uint64_t start = next_start();
      if (first == nullptr && start == never) {
        if (!release_all()) break;
        continue;
      }
      if (first == nullptr || start <= first->next_time) {
        start_block(start);
      } else {
        issue(*first);
      }
    }
    finish();
    return std::move(m_run);
  }

 private:
  static size_t instructions_of(const Code& code) {
    uint32_t most = 0;
    for (const Instruction& i : code.instructions) most = std::max(most, i.ptx + 1);
    return most;
  }

  // --- Blocks ---------------------------------------------------------------------------------------------

  // The place that is free first.
  size_t first_free() const {
    return size_t(std::ranges::min_element(m_free_blocks, {}, &std::pair<uint64_t, uint32_t>::first) -
                  m_free_blocks.begin());
  }
  uint64_t next_start() const {
    if (m_started == m_s.blocks || m_free_blocks.empty()) return never;
    return std::max(static_cast<uint64_t>(m_next_block), m_free_blocks[first_free()].first);
  }

  void start_block(uint64_t now) {
    const uint64_t number = m_started++;
    const SampledBlock& sampled = m_work.blocks[number % m_work.blocks.size()];
    // An empty SM is filled as fast as it takes warps.
    if (number + 1 >= m_s.resident_blocks)
      m_next_block = std::max(m_next_block, double(now)) + m_f.block_interval;
    const size_t free = first_free();
    const uint32_t slot = m_free_blocks[free].second;
    m_free_blocks.erase(m_free_blocks.begin() + std::ptrdiff_t(free));
    Block& block = m_blocks[slot];
    block = {.warps = sampled.warps,
             .alive = sampled.warps,
             .line_offset = number / m_work.blocks.size() * lines_apart};
    for (uint32_t w = 0; w < sampled.warps; ++w) {
      const uint32_t place = m_free_places.back();
      m_free_places.pop_back();
      Warp& warp = m_warps[place];
      const WarpWork& part = m_work.warps[sampled.first_warp + w];
      warp = {};
      warp.alive = true;
      warp.block = slot;
      warp.index = w;
      warp.at = part.first;
      warp.end = part.first + part.count;
      warp.order = m_order++;
      m_next_warp = std::max(m_next_warp, double(now)) + m_f.warp_interval;
      warp.issued = static_cast<uint64_t>(m_next_warp);
      warp.begin = warp.issued;
      warp.gap_end = warp.issued + 1;
      const auto registers = registers_of(place);
      std::fill(registers, registers + m_work.code.register_count, Register{});
      const size_t to = m_next_scheduler++ % m_schedulers.size();
      if (m_s.keep_spans) {
        warp.life = static_cast<uint32_t>(m_run.warps.size());
        m_run.warps.push_back({sampled.block, w, static_cast<uint32_t>(to), place, warp.issued, 0});
      }
      m_schedulers[to].warps.push_back(place);
      m_scheduler_of[place] = static_cast<uint32_t>(to);
      if (!prepare(place)) end_warp(place, warp.issued);
    }
    for (Scheduler& scheduler : m_schedulers) look(scheduler);
  }

  void end_warp(uint32_t place, uint64_t now) {
    Warp& warp = m_warps[place];
    const uint64_t end = std::max(now + 1, warp.stores_left);
    note(warp, WarpState::drain, now + 1, end, last_ptx(warp));
    warp.alive = false;
    warp.ready = never;
    if (m_s.keep_spans) m_run.warps[warp.life].end = end;
    Scheduler& scheduler = m_schedulers[m_scheduler_of[place]];
    scheduler.lives.emplace_back(warp.begin, end);
    std::erase(scheduler.warps, place);
    m_free_places.push_back(place);
    Block& block = m_blocks[warp.block];
    block.ends = std::max(block.ends, end);
    m_run.cycles = std::max(m_run.cycles, end);
    if (--block.alive == 0) {
      m_free_blocks.emplace_back(block.ends, warp.block);
      m_ends.push_back(block.ends);
      ++m_run.blocks;
    } else {
      arrive(warp.block, now);
    }
  }

  // --- Waiting --------------------------------------------------------------------------------------------

  Register* registers_of(uint32_t place) {
    return m_registers.data() + size_t{place} * m_work.code.register_count;
  }
  const Instruction& next_of(const Warp& warp) const {
    return m_work.code.instructions[m_work.executed[warp.at].instruction];
  }
  uint32_t last_ptx(const Warp& warp) const {
    return warp.at == 0 ? 0 : m_work.code.instructions[m_work.executed[warp.at - 1].instruction].ptx;
  }

  // Finds out when the warp's next instruction could issue. False: there is none.
  bool prepare(uint32_t place) {
    Warp& warp = m_warps[place];
    Register* registers = registers_of(place);
    if (warp.left_of_sequence == 0) {
      for (; warp.at < warp.end && next_of(warp).slots == 0; ++warp.at) {
        const Instruction& moved = next_of(warp);
        Register result;
        for (const uint32_t r : m_work.code.reads(moved))
          if (registers[r].ready > result.ready) result = registers[r];
        for (const uint32_t r : m_work.code.writes(moved)) registers[r] = result;
      }
      if (warp.at == warp.end) return false;
      const Instruction& next = next_of(warp);
      warp.operands = warp.not_before = 0;
      const bool leaves = next.kind == Kind::branch || next.kind == Kind::exit;
      const auto look_at = [&](uint32_t r) {
        Register value = registers[r];
        if (leaves && value.state == WarpState::wait && value.ready > 0)
          value.ready +=
              static_cast<uint64_t>(std::max(0.0, m_f.to_branch - m_f.latency[size_t(IssueUnit::integer)]));
        if (value.ready <= warp.operands) return;
        warp.operands = value.ready;
        warp.operand_state = value.state;
        warp.not_before = value.not_before;
      };
      for (const uint32_t r : m_work.code.reads(next)) look_at(r);
      for (const uint32_t r : m_work.code.writes(next)) look_at(r);
      // The assembler keeps instructions apart that the same unit executes.
      if (next.pipe == warp.pipe_before && next.pipe != Pipe::none && next.pipe != Pipe::fma_lite)
        warp.gap_end = std::max(
            warp.gap_end,
            warp.issued + static_cast<uint64_t>(next.pipe == Pipe::mio || next.pipe == Pipe::registers
                                                    ? m_f.between_accesses
                                                    : m_f.interval[size_t(next.pipe)]));
      warp.pipe = next.pipe;
      warp.kind = next.kind;
    }
    warp.ready = std::max(warp.gap_end, warp.operands);
    warp.ready_noted = false;
    return true;
  }

  void arrive(uint32_t slot, uint64_t now) {
    Block& block = m_blocks[slot];
    block.arrived = std::max(block.arrived, now);
    if (block.waiting == 0 || block.waiting < block.alive) return;
    release(slot, block.arrived + static_cast<uint64_t>(m_f.barrier));
  }

  void release(uint32_t slot, uint64_t time) {
    Block& block = m_blocks[slot];
    block.waiting = 0;
    block.arrived = 0;
    for (uint32_t place = 0; place < m_warps.size(); ++place) {
      Warp& warp = m_warps[place];
      if (!warp.alive || warp.block != slot || !warp.at_barrier) continue;
      warp.at_barrier = false;
      warp.gap_end = std::max(warp.gap_end, time);
      warp.gap_state = WarpState::barrier;
      warp.resolves = 0;
      m_released.push_back(place);
    }
    // Those without anything after the barrier end, which may release others.
    while (!m_released.empty()) {
      const uint32_t place = m_released.back();
      m_released.pop_back();
      if (!prepare(place)) end_warp(place, m_warps[place].gap_end);
    }
    for (Scheduler& scheduler : m_schedulers) look(scheduler);
  }

  // A barrier of some of a block's warps: nothing else could go on.
  bool release_all() {
    bool any = false;
    for (uint32_t slot = 0; slot < m_blocks.size(); ++slot) {
      if (m_blocks[slot].alive == 0 || m_blocks[slot].waiting == 0) continue;
      any = true;
      release(slot, m_blocks[slot].arrived + static_cast<uint64_t>(m_f.barrier));
    }
    return any;
  }

  // --- Issuing --------------------------------------------------------------------------------------------

  // The queue that the warp's next instruction takes; null if none.
  static const Queue* queue_of(const Scheduler& scheduler, const Warp& warp) {
    if (warp.kind == Kind::memory) return &scheduler.memory_queue;
    return warp.pipe == Pipe::mio || warp.pipe == Pipe::registers ? &scheduler.queue : nullptr;
  }

  Pipe pipe_for(const Scheduler& scheduler, Pipe pipe) const {
    if (pipe != Pipe::fma_lite) return pipe;
    if (m_f.interval[size_t(Pipe::fma_lite)] == 0) return Pipe::fma;
    return scheduler.pipe_free[size_t(Pipe::fma_lite)] <= scheduler.pipe_free[size_t(Pipe::fma)]
               ? Pipe::fma_lite
               : Pipe::fma;
  }

  // From when on a unit takes an instruction: one may wait in front of it.
  double takes_from(const Scheduler& scheduler, Pipe pipe) const {
    return scheduler.pipe_free[size_t(pipe)] - m_f.interval[size_t(pipe)] / 2;
  }

  uint64_t possible(const Scheduler& scheduler, const Warp& warp) const {
    uint64_t time = std::max(warp.ready, scheduler.free);
    if (const Queue* queue = queue_of(scheduler, warp)) time = std::max(time, queue->has_room());
    if (warp.pipe != Pipe::none) {
      const double free = takes_from(scheduler, pipe_for(scheduler, warp.pipe));
      if (free > double(time)) time = static_cast<uint64_t>(std::ceil(free));
    }
    return time;
  }

  // The warp that issues next: the one that issued last if it can, else the oldest.
  void look(Scheduler& scheduler) {
    scheduler.next_time = never;
    scheduler.next_warp = UINT32_MAX;
    for (const uint32_t place : scheduler.warps) {
      const Warp& warp = m_warps[place];
      if (warp.at_barrier || warp.ready == never) continue;
      const uint64_t time = possible(scheduler, warp);
      const bool better = time < scheduler.next_time ||
                          (time == scheduler.next_time && scheduler.next_warp != scheduler.last &&
                           (place == scheduler.last || warp.order > m_warps[scheduler.next_warp].order));
      if (!better) continue;
      scheduler.next_time = time;
      scheduler.next_warp = place;
    }
  }

  void issue(Scheduler& scheduler) {
    const uint64_t now = scheduler.next_time;
    const uint32_t place = scheduler.next_warp;
    Warp& warp = m_warps[place];
    // Warps that are ready by now count from here on how often another one is chosen.
    for (const uint32_t other : scheduler.warps) {
      Warp& w = m_warps[other];
      if (w.ready_noted || w.at_barrier || w.ready > now) continue;
      w.ready_noted = true;
      w.chosen_instead = scheduler.chosen[size_t(w.pipe)];
    }
    account(scheduler, warp, now);
    for (size_t p = 0; p < pipes; ++p)
      if (free_at(scheduler, static_cast<Pipe>(p)) <= double(now)) ++scheduler.chosen[p];
    ++m_run.instructions;
    scheduler.free = now + 1;
    scheduler.last = place;
    execute(scheduler, place, now);
    look(scheduler);
  }

  double free_at(const Scheduler& scheduler, Pipe pipe) const {
    if (pipe == Pipe::none) return 0;
    if (pipe == Pipe::mio || pipe == Pipe::registers)
      return std::max(scheduler.pipe_free[size_t(pipe)],
                      double(std::max(scheduler.queue.has_room(), scheduler.memory_queue.has_room())));
    return takes_from(scheduler, pipe_for(scheduler, pipe));
  }

  void note(Warp& warp, WarpState state, uint64_t begin, uint64_t end, uint32_t ptx) {
    if (end <= begin) return;
    m_run.warp_cycles[state] += end - begin;
    m_run.of_instruction[ptx][state] += static_cast<uint32_t>(end - begin);
    if (!m_s.keep_spans) return;
    if (!m_run.spans.empty()) {
      Span& last = m_run.spans.back();
      if (last.warp == warp.life && last.state == state && last.ptx == ptx && last.end == begin) {
        last.end = end;
        return;
      }
    }
    m_run.spans.push_back({warp.life, state, ptx, begin, end});
  }

  // What the warp did since it issued last.
  void account(const Scheduler& scheduler, Warp& warp, uint64_t now) {
    const uint32_t ptx = next_of(warp).ptx;
    uint64_t at = warp.issued + 1;
    const auto until = [&](uint64_t time, WarpState state) {
      time = std::min(time, now);
      note(warp, state, at, time, ptx);
      at = std::max(at, time);
    };
    until(warp.gap_end - std::min(warp.gap_end, warp.resolves), warp.gap_state);
    until(warp.gap_end, warp.resolves > 0 ? WarpState::branch_resolving : warp.gap_state);
    until(std::min(warp.operands, warp.not_before), WarpState::wait);
    until(warp.operands, warp.operand_state);
    const uint64_t others = scheduler.chosen[size_t(warp.pipe)] -
                            (warp.ready_noted ? warp.chosen_instead : scheduler.chosen[size_t(warp.pipe)]);
    const uint64_t open = now - std::min(now, at);
    const uint64_t not_selected = std::min(open, others);
    const WarpState throttle = warp.kind == Kind::memory ? WarpState::lg_throttle
                               : warp.pipe == Pipe::mio || warp.pipe == Pipe::registers
                                   ? WarpState::mio_throttle
                                   : WarpState::math_pipe_throttle;
    until(now - not_selected, warp.pipe == Pipe::none ? WarpState::not_selected : throttle);
    until(now, WarpState::not_selected);
    note(warp, WarpState::selected, now, now + 1, ptx);
  }

  void execute(Scheduler& scheduler, uint32_t place, uint64_t now) {
    Warp& warp = m_warps[place];
    const Executed& executed = m_work.executed[warp.at];
    const Instruction& i = m_work.code.instructions[executed.instruction];
    warp.issued = now;
    warp.gap_end = now + 1;
    warp.gap_state = WarpState::wait;
    warp.resolves = 0;
    warp.pipe_before = i.pipe;
    if (executed.access == switched_off) {
      ++warp.at;
      if (!prepare(place)) end_warp(place, now);
      return;
    }
    Register result{now + i.latency, 0, WarpState::wait};
    if (i.pipe == Pipe::mio || i.pipe == Pipe::registers)
      scheduler.pipe_free[size_t(i.pipe)] =
          double(now) + (i.kind == Kind::parameter ? m_f.parameter_port : m_f.port);
    if (i.kind == Kind::arithmetic || i.kind == Kind::special) {
      const Pipe pipe = pipe_for(scheduler, i.pipe);
      double& free = scheduler.pipe_free[size_t(pipe)];
      free = std::max(free, double(now)) + (i.occupies > 0       ? double(i.occupies)
                                            : pipe == Pipe::none ? 0
                                                                 : m_f.interval[size_t(pipe)]);
      if (i.slots > 1) {  // a sequence
        if (warp.left_of_sequence == 0) warp.left_of_sequence = i.slots;
        if (--warp.left_of_sequence > 0) {
          warp.gap_end = now + std::max(1u, uint32_t{i.latency} / i.slots);
          warp.operands = 0;
          warp.ready = warp.gap_end;
          warp.ready_noted = false;
          return;
        }
        result.ready = now + std::max(4u, uint32_t{i.latency} / i.slots);
      }
      if (i.kind == Kind::special) result.state = WarpState::short_scoreboard;
    } else if (i.kind == Kind::special_register || i.kind == Kind::parameter || i.kind == Kind::exchange) {
      const uint64_t start =
          m_units.take(scheduler.queue, now, i.kind == Kind::parameter ? m_f.parameter_cycles : 1);
      result = {start + i.latency, 0, WarpState::short_scoreboard};
    } else if (i.kind == Kind::shared) {
      const double wavefronts = executed.access == no_access
                                    ? 1
                                    : std::max<double>(i.words, m_work.accesses[executed.access].wavefronts);
      const uint64_t start = m_units.take(scheduler.queue, now, wavefronts);
      result = {start + static_cast<uint64_t>(wavefronts - 1 + m_f.shared_latency), 0,
                WarpState::short_scoreboard};
      if (i.stores) warp.stores_left = std::max(warp.stores_left, start + static_cast<uint64_t>(wavefronts));
    } else if (i.kind == Kind::memory) {
      const SharedUnits::Times times =
          m_units.access(scheduler.memory_queue, i, executed.access, m_blocks[warp.block].line_offset, now);
      warp.stores_left = std::max(warp.stores_left, times.left);
      result = {times.done, 0, WarpState::long_scoreboard};
    } else if (i.kind == Kind::branch || i.kind == Kind::exit) {
      warp.gap_end = now + static_cast<uint64_t>(m_f.after_branch + m_f.resolves_branch);
      warp.resolves = static_cast<uint64_t>(m_f.resolves_branch);
    }
    if (i.kind == Kind::special_register || i.kind == Kind::parameter || i.kind == Kind::special)
      result.not_before = now + static_cast<uint64_t>(m_f.after_queued);
    Register* registers = registers_of(place);
    for (const uint32_t r : m_work.code.writes(i)) registers[r] = result;
    ++warp.at;
    if (i.kind == Kind::barrier) {
      warp.at_barrier = true;
      warp.ready = never;
      Block& block = m_blocks[warp.block];
      ++block.waiting;
      block.noted = std::max(double(now), block.noted + m_f.barrier_interval);  // one after the other
      arrive(warp.block, static_cast<uint64_t>(block.noted));
      return;
    }
    if (!prepare(place)) {
      end_warp(place, now);
      for (Scheduler& other : m_schedulers)
        if (&other != &scheduler) look(other);
    }
  }

  // --- The end --------------------------------------------------------------------------------------------

  void finish() {
    for (Scheduler& scheduler : m_schedulers) {
      std::ranges::sort(scheduler.lives);
      uint64_t until = 0;
      for (const auto& [begin, end] : scheduler.lives) {
        m_run.active_cycles += end - std::clamp(until, begin, end);
        until = std::max(until, end);
      }
    }
    std::ranges::sort(m_ends);
    const size_t n = m_ends.size();
    if (n >= 4) {
      // Between the first and the last quarter, when the SM is full.
      const size_t from = std::min(n / 4, n - 2), to = n - 1 - n / 8;
      if (to > from) m_run.cycles_a_block = double(m_ends[to] - m_ends[from]) / double(to - from);
    }
    if (m_run.cycles_a_block == 0)
      m_run.cycles_a_block = double(m_run.cycles) / double(std::max<size_t>(n, 1));
  }

  const Work& m_work;
  const Settings& m_s;
  const Figures& m_f;
  std::vector<Scheduler> m_schedulers;
  std::vector<Warp> m_warps;
  std::vector<uint32_t> m_scheduler_of;
  std::vector<Register> m_registers;
  std::vector<Block> m_blocks;
  std::vector<std::pair<uint64_t, uint32_t>> m_free_blocks;  // since when, and which
  std::vector<uint32_t> m_free_places, m_released;
  std::vector<uint64_t> m_ends;
  uint64_t m_started = 0, m_order = 0, m_next_scheduler = 0;
  double m_next_block = 0, m_next_warp = 0;
  SharedUnits m_units;
  Run m_run;
};

double share(uint64_t cycles, uint64_t of) { return of == 0 ? 0 : double(cycles) / double(of); }

}  // namespace

double Run::issue_slots() const { return share(instructions, active_cycles); }
double Run::active_warps() const {
  uint64_t all = 0;
  for (const uint64_t of : warp_cycles.of) all += of;
  return share(all, active_cycles);
}
double Run::eligible_warps() const {
  return share(warp_cycles[WarpState::selected] + warp_cycles[WarpState::not_selected], active_cycles);
}

Run simulate(const Work& work, const Settings& settings, std::stop_token stop) {
  return Sm(work, settings).run(stop);
}

}  // namespace warplens::sm
