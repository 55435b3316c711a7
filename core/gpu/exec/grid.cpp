#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/counters.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/system/between_frames.h"
#include "core/gpu/exec/block.h"
#include "core/gpu/exec/kept_workers.h"
#include "core/gpu/exec/step_budget.h"
#include "core/system/helpers.h"

namespace warplens::exec {

namespace {

// About 4 ms. After it, another block has its turn.
constexpr int64_t slice_steps = 1 << 20;
// A block that used up its slice is paused and another one starts. A worker has at most this many started
// blocks.
constexpr size_t max_open_blocks = 64;
// Blocks that wait for each other at a grid-wide barrier spin, so short turns are better.
constexpr int64_t cooperative_slice_steps = 1 << 13;
constexpr uint64_t max_bins = uint64_t{1} << 20;

// A worker claims up to this many blocks at a time. A block of a small kernel takes about a microsecond, and
// contention for a cache line at every block would cost a large part of that.
constexpr uint64_t max_claim = 32;
// Steps that a worker uses before it reports them to the shared budget.
constexpr int64_t unreported_steps = 1 << 16;

// A launch is worth the help of other threads if the blocks that are left would take one worker this long. To
// wake a thread takes the caller some microseconds, and the thread some more until it runs.
constexpr std::chrono::microseconds worth_help{40};
// If the launch is likely to take this long, help is asked for before the first block, which may be long
// itself.
constexpr std::chrono::microseconds surely_worth_help{100};
// The time of a step is the shortest that was measured lately, since others take a core away at times. It may
// grow by this factor from launch to launch.
constexpr double growth_of_step = 1.05;
// A kept block has at most this size. A larger one is made again, which takes little of the time of its
// launch.
constexpr size_t most_kept_bytes = 256 << 10;

using Clock = std::chrono::steady_clock;

}  // namespace

// The state that the workers share. Each atomic has its own cache line.
struct GridState {
  alignas(64) std::atomic<uint64_t> next_block{0};
  alignas(64) std::atomic<uint64_t> last_block{0};  // blocks from here on are no longer started
  alignas(64) StepBudget budget;
  std::mutex mutex;
  GridOutcome outcome;
  ConsoleOrder console;
  std::map<uint64_t, std::vector<DeviceWork>> works;  // by block
  bool alone = true;  // the caller has not asked for help yet; only it changes this
};

class CallForHelp;
struct GridWorker;

namespace {

void consider_help(CallForHelp& call, const GridWorker& caller);

// Only the shape is kept, which does not depend on where memory is. The rest begins as in the first launch.
void begin_again(MemoryOpState& op) {
  LearntShape shape = std::move(op.shape);
  shape.forget_reach();
  std::shared_ptr<AtomicHeat> heat = std::move(op.heat);
  if (heat != nullptr && op.requests != 0) *heat = {};
  const bool merges = op.merges;
  op = {};
  op.heat = std::move(heat);
  op.merges = merges;
  op.shape = std::move(shape);
}

}  // namespace

struct GridWorker {
  const GridLaunch& launch;
  GridState* shared = nullptr;  // null: it has no part in the launch
  BlockStats* stats = nullptr;
  CallForHelp* call = nullptr;  // of the caller; others have none
  std::vector<BlockCount> counts;
  std::vector<MemoryOpState> memory_ops;
  std::unique_ptr<Block> spare;
  uint64_t instructions_before = 0;
  uint64_t claimed = 0, claimed_end = 0;  // blocks that this worker has to start
  uint64_t ended = 0;                     // blocks
  int64_t all_steps = 0;                  // of all its blocks
  int64_t steps_used = 0;                 // steps not yet subtracted from the budget
  bool is_over_budget = false;            // a block ended, but no other one may run
  size_t most_open = max_open_blocks;     // fewer if there is not enough memory
  WorkDone work{steps_before_a_frame};

  explicit GridWorker(const GridLaunch& l)
      : launch(l), counts(l.program->flow.blocks.size()), memory_ops(l.program->counted.size()) {
    for (size_t i = 0; i < memory_ops.size(); ++i) {
      const program::CountedOp& op = l.program->counted[i];
      if (op.space == Space::global && op.access == AccessKind::atomic)
        memory_ops[i].heat = std::make_shared<AtomicHeat>();
      memory_ops[i].merges = op.merges;
    }
  }

  void begin(GridState& its_shared, BlockStats* its_stats, CallForHelp* its_call) {
    shared = &its_shared;
    stats = its_stats;
    call = its_call;
    std::ranges::fill(counts, BlockCount{});
    std::ranges::for_each(memory_ops, begin_again);
    instructions_before = claimed = claimed_end = ended = 0;
    all_steps = steps_used = 0;
    is_over_budget = false;
    most_open = max_open_blocks;
    if (spare != nullptr) spare->prepare(counts.data(), memory_ops.data());
  }

  void end() {
    shared = nullptr;
    if (spare != nullptr && spare->bytes() > most_kept_bytes) spare.reset();
  }

  void fail(const Block& block, Fault fault) {
    const std::scoped_lock lock(shared->mutex);
    GridOutcome& outcome = shared->outcome;
    // The reported fault is that of the first block in order, regardless of which worker is faster.
    if (outcome.end == GridOutcome::End::fault && outcome.fault_block_place <= block.place()) return;
    if (outcome.end == GridOutcome::End::cancelled || outcome.end == GridOutcome::End::out_of_memory) return;
    outcome.end = GridOutcome::End::fault;
    outcome.fault = std::move(fault);
    outcome.fault_block = block.context().block_position;
    outcome.fault_block_place = block.place();
    uint64_t last = shared->last_block.load();
    while (block.place() < last && !shared->last_block.compare_exchange_weak(last, block.place())) {
    }
  }

  void cancel() {
    const std::scoped_lock lock(shared->mutex);
    if (shared->outcome.end == GridOutcome::End::finished) shared->outcome.end = GridOutcome::End::cancelled;
    shared->last_block.store(0);
  }

  // The other workers stop too, since this worker's blocks are lost.
  void run_out_of_memory() {
    const std::scoped_lock lock(shared->mutex);
    if (shared->outcome.end != GridOutcome::End::cancelled)
      shared->outcome.end = GridOutcome::End::out_of_memory;
    shared->last_block.store(0);
  }

  uint64_t instructions() const {
    uint64_t sum = 0;
    const auto& blocks = launch.program->flow.blocks;
    for (size_t b = 0; b < blocks.size(); ++b) sum += counts[b].warps * blocks[b].count;
    return sum;
  }

  // Adds the counts of this turn to the block's cell. Other blocks of this worker may be unfinished.
  void note_turn(const Block& block, uint64_t divergences_before, uint64_t sectors_before) {
    if (stats == nullptr) return;
    const uint64_t now = instructions();
    const uint64_t bin = block.index() / stats->blocks_per_bin;
    // Whether only one worker writes to the block's cell.
    const bool alone = launch.workers <= 1 || stats->blocks_per_bin == 1;
    const auto add = [alone](uint64_t& cell, uint64_t amount) {
      if (alone) {
        cell += amount;
      } else {
        std::atomic_ref<uint64_t>(cell).fetch_add(amount, std::memory_order_relaxed);
      }
    };
    add(stats->warp_instructions[bin], now - instructions_before);
    add(stats->divergent_branches[bin], block.context().block_divergences - divergences_before);
    add(stats->global_sectors[bin], block.context().block_sectors - sectors_before);
    instructions_before = now;
  }

  // An exception that leaves a thread would end the program.
  void run(const std::stop_token& stop, Progress* progress) {
    try {
      run_blocks(stop, progress);
    } catch (const std::bad_alloc&) {
      run_out_of_memory();
    } catch (const std::length_error&) {
      run_out_of_memory();
    }
  }

  void run_blocks(const std::stop_token& stop, Progress* progress) {
    std::deque<std::unique_ptr<Block>> open;  // started and paused
    for (;;) {
      std::unique_ptr<Block> block = next(open);
      if (block == nullptr) return;
      if (stop.stop_requested()) {
        note_console(*block);
        for (const auto& other : open) note_console(*other);
        return cancel();
      }
      if (!turn(*block, progress)) {
        open.push_back(std::move(block));
      } else {
        spare = std::move(block);
      }
    }
  }

  // A block's output is added when the block ends, or when the run ends before it.
  void note_console(Block& block) {
    if (block.console().text.empty()) return;
    const std::scoped_lock lock(shared->mutex);
    shared->console.add(block.index(), std::move(block.console()));
  }

  void take_works(Block& block) {
    DeviceWorks works = std::exchange(block.works(), {});
    const std::scoped_lock lock(shared->mutex);
    if (!works.given.empty()) shared->works[block.index()] = std::move(works.given);
    if (works.errors.empty()) return;
    GridOutcome& outcome = shared->outcome;
    if (outcome.unread_errors == 0) outcome.unread_error = works.errors.begin()->second;
    outcome.unread_errors += works.errors.size();
  }

  // The claims become small towards the end, so that the workers finish together. Every claimed block is
  // started in its order, so a block that waits for an earlier one waits for one that runs or will run.
  void claim() {
    if (call != nullptr) consider_help(*call, *this);
    const uint64_t end = shared->last_block.load(std::memory_order_relaxed);
    const uint64_t at = shared->next_block.load(std::memory_order_relaxed);
    const uint64_t left = at < end ? end - at : 0;
    const uint64_t share = std::clamp<uint64_t>(left / (8 * uint64_t{launch.workers} + 1), 1, max_claim);
    claimed = shared->next_block.fetch_add(share, std::memory_order_relaxed);
    claimed_end = claimed + share;
  }

  // False if the budget of the whole launch and the extra time are used up.
  bool take_off_budget(int64_t used, bool block_ended) {
    steps_used += used;
    if (steps_used >= unreported_steps || steps_used * 8 >= static_cast<int64_t>(launch.step_budget))
      shared->budget.take(std::exchange(steps_used, 0));
    // The time is read only after the budget is used up.
    if (shared->budget.is_left()) return true;
    const auto now = StepBudget::Clock::now();
    if (block_ended) shared->budget.note_end_of_block(now);
    return shared->budget.may_go_on(now, launch.patience);
  }

  // Null if there is no memory for another block besides the started ones. They continue, and one is reused
  // later.
  std::unique_ptr<Block> make_block(size_t under_way) {
    try {
      return std::make_unique<Block>(launch, counts.data(), memory_ops.data());
    } catch (const std::bad_alloc&) {
      if (under_way == 0 || launch.cooperative) throw;  // then the others would wait for the missing block
      most_open = under_way;
      return nullptr;
    }
  }

  // Starts the next block in order. Null if there is none, or none can start now.
  std::unique_ptr<Block> start_next(size_t under_way) {
    if (claimed == claimed_end) claim();
    if (claimed >= shared->last_block.load(std::memory_order_relaxed)) return nullptr;
    auto block = spare ? std::move(spare) : make_block(under_way);
    if (block == nullptr) return nullptr;
    const uint64_t place = claimed++;
    const bool all = launch.first_block == 0 && launch.end_block == launch.grid.count();
    block->start(launch.seed != 0 && all ? block_at(place, launch.end_block, launch.seed) : place, place);
    return block;
  }

  std::unique_ptr<Block> next(std::deque<std::unique_ptr<Block>>& open) {
    if (open.size() < most_open || launch.cooperative) {
      if (auto block = start_next(open.size())) return block;
    }
    while (!open.empty()) {
      auto block = std::move(open.front());
      open.pop_front();
      if (block->place() < shared->last_block.load()) return block;
      note_console(*block);
    }
    return nullptr;
  }

  // The launch ends with this block, which may not go on, or not even begin.
  bool end_at(Block& block) {
    note_console(block);
    fail(block, block.has_run() ? block.fault_here(FaultKind::step_limit)
                                : Fault{.kind = FaultKind::step_limit, .detail = {}});
    return true;
  }

  // Gives the block a slice. True if the block has ended.
  bool turn(Block& block, Progress* progress) {
    if (is_over_budget) return end_at(block);
    const int64_t slice = slice_steps_of(launch);
    int64_t steps = slice;
    const uint64_t divergences = block.context().block_divergences, sectors = block.context().block_sectors;
    if (launch.block_observer != nullptr) launch.block_observer->enter(block.index());
    if (launch.watch != nullptr) launch.watch->enter(block.index(), block.warps());
    block.set_exclusive(shared->alone);
    const BlockState state = block.run(steps);
    work.add(slice - steps);
    all_steps += slice - steps;
    note_turn(block, divergences, sectors);
    if (state != BlockState::running) note_console(block);
    if (state == BlockState::fault) {
      fail(block, block.fault());
      return true;
    }
    is_over_budget = !take_off_budget(slice - steps, state == BlockState::finished);
    if (state == BlockState::running) return is_over_budget && end_at(block);
    ++ended;
    if (launch.program->calls_runtime) take_works(block);
    if (launch.watch != nullptr) launch.watch->leave(block.index());
    if (progress != nullptr) progress->blocks_done.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
};

namespace {

void merge(GridOutcome& outcome, const GridWorker& worker) {
  for (size_t i = 0; i < outcome.counts.size(); ++i) {
    outcome.counts[i].warps += worker.counts[i].warps;
    outcome.counts[i].threads += worker.counts[i].threads;
  }
  for (size_t i = 0; i < outcome.memory_ops.size(); ++i) {
    MemoryOpState& sum = outcome.memory_ops[i];
    const MemoryOpState& part = worker.memory_ops[i];
    sum.requests += part.requests;
    sum.sectors += part.sectors;
    sum.sectors_ideal += part.sectors_ideal;
    sum.lines += part.lines;
    sum.wavefronts += part.wavefronts;
    sum.conflicts += part.conflicts;
    if (part.heat == nullptr) continue;
    if (sum.heat == nullptr) sum.heat = std::make_shared<AtomicHeat>();
    for (size_t cell = 0; cell < AtomicHeat::cells; ++cell) {
      sum.heat->lanes[cell] += part.heat->lanes[cell];
      sum.heat->requests[cell] += part.heat->requests[cell];
    }
  }
}

BlockStats empty_stats(const GridLaunch& launch) {
  BlockStats stats;
  stats.grid = launch.grid;
  const uint64_t blocks = launch.grid.count();
  stats.blocks_per_bin = std::max<uint64_t>(1, (blocks + max_bins - 1) / max_bins);
  const auto bins = static_cast<size_t>(ceil_div(blocks, stats.blocks_per_bin));
  stats.warp_instructions.resize(bins);
  stats.divergent_branches.resize(bins);
  stats.global_sectors.resize(bins);
  return stats;
}

// Adds the entries of basic blocks of many small launches, and compiles what none of them makes hot alone.
void note_entries(std::vector<BlockCount>& sums, const GridOutcome& outcome, CompiledProgram* code) {
  constexpr uint64_t many = CompiledProgram::many_entries;
  sums.resize(outcome.counts.size());
  bool is_hot = false;
  for (size_t i = 0; i < sums.size(); ++i) {
    const uint64_t before = sums[i].warps;
    sums[i].warps += outcome.counts[i].warps;
    sums[i].threads += outcome.counts[i].threads;
    is_hot |= std::bit_width(before / many) != std::bit_width(sums[i].warps / many);
  }
  if (!is_hot || code == nullptr) return;
  code->compile_hot(sums, CodeFor::all);
  code->compile_hot(sums, code->for_other_lanes());
}

}  // namespace

// The workers of a launch, the caller's first, and what it leaves to the next one.
struct Crew {
  GridLaunch launch;
  std::vector<std::unique_ptr<GridWorker>> workers;  // null: has never worked
  std::vector<BlockCount> entries;                   // of all launches
  std::optional<double> us_of_step;                  // on the caller's thread; empty before the first launch
  double steps_of_block = 0;                         // of the last launch

  // After a launch whose blocks the caller began to run at this time.
  void note_time(const GridWorker& caller, Clock::time_point begun) {
    if (caller.ended == 0 || caller.all_steps <= 0) return;
    const auto steps = static_cast<double>(caller.all_steps);
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - begun).count() / steps;
    us_of_step = us_of_step ? std::min(us, *us_of_step * growth_of_step) : us;
    steps_of_block = steps / static_cast<double>(caller.ended);
  }

  // Blocks keep a reference to `launch`, and the sizes of their memory.
  void begin(const GridLaunch& next) {
    if (launch.block != next.block || launch.shared_bytes != next.shared_bytes) {
      for (const auto& worker : workers)
        if (worker != nullptr) worker->spare.reset();
    }
    launch = next;
    const uint64_t wanted = std::min<uint64_t>(launch.workers, launch.end_block - launch.first_block);
    workers.resize(std::max<uint64_t>({wanted, workers.size(), 1}));
  }
};

// The caller begins alone, and asks for help if that makes the launch shorter.
class CallForHelp {
 public:
  CallForHelp(Crew& crew, GridState& shared, BlockStats* stats, const std::stop_token& stop,
              Progress* progress)
      : m_crew(crew), m_shared(shared), m_stats(stats), m_stop(stop), m_progress(progress) {
    const uint64_t blocks = crew.launch.end_block - crew.launch.first_block;
    m_helpers = static_cast<uint32_t>(std::min<uint64_t>(crew.launch.workers, blocks) - (blocks != 0));
    // Nothing is known about a program's first launch.
    if (!crew.us_of_step || takes(surely_worth_help, blocks, crew.steps_of_block)) ask();
  }

  // Before the caller starts a block.
  void consider(const GridWorker& caller) {
    if (m_helpers == 0 || m_help) return;
    const uint64_t next = m_shared.next_block.load(std::memory_order_relaxed);
    const uint64_t end = m_shared.last_block.load(std::memory_order_relaxed);
    if (next >= end || caller.all_steps == 0) return;
    const double steps_of_block =
        static_cast<double>(caller.all_steps) / static_cast<double>(std::max<uint64_t>(caller.ended, 1));
    if (takes(worth_help, end - next, steps_of_block)) ask();
  }

 private:
  // Whether one worker needs more than this time for so many blocks.
  bool takes(std::chrono::microseconds time, uint64_t blocks, double steps_of_block) const {
    return static_cast<double>(blocks) * steps_of_block * *m_crew.us_of_step >
           static_cast<double>(time.count());
  }

  void ask() {
    if (m_helpers == 0) return;
    m_shared.alone = false;
    m_help.emplace(m_helpers, [this] { help(); });
  }

  // On another thread. A worker claims a block only while it runs, so one that comes late, or not at all,
  // leaves no block undone.
  void help() {
    if (m_shared.next_block.load() >= m_shared.last_block.load()) return;
    std::unique_ptr<GridWorker>& worker = m_crew.workers[++m_begun];
    try {
      if (worker == nullptr) worker = std::make_unique<GridWorker>(m_crew.launch);
      worker->begin(m_shared, m_stats, nullptr);
    } catch (const std::bad_alloc&) {
      return;
    }
    worker->run(m_stop, m_progress);
  }

  Crew& m_crew;
  GridState& m_shared;
  BlockStats* const m_stats;
  const std::stop_token& m_stop;
  Progress* const m_progress;
  uint32_t m_helpers = 0;
  std::atomic<uint32_t> m_begun{0};
  std::optional<Help> m_help;  // last: it waits for threads that use the others
};

namespace {

void consider_help(CallForHelp& call, const GridWorker& caller) { call.consider(caller); }

GridOutcome run_blocks(Crew& crew, const std::stop_token& stop, Progress* progress) {
  const GridLaunch& launch = crew.launch;
  GridState shared;
  shared.next_block = launch.first_block;
  shared.last_block = launch.end_block;
  shared.budget.give(launch.step_budget);
  shared.outcome.counts.resize(launch.program->flow.blocks.size());
  shared.outcome.memory_ops.resize(launch.program->counted.size());
  BlockStats stats;
  if (launch.record_blocks) stats = empty_stats(launch);
  BlockStats* const recorded = launch.record_blocks ? &stats : nullptr;
  if (progress != nullptr) progress->blocks_total = launch.end_block - launch.first_block;
  if (crew.workers[0] == nullptr) crew.workers[0] = std::make_unique<GridWorker>(launch);
  GridWorker& first = *crew.workers[0];
  {
    CallForHelp call(crew, shared, recorded, stop, progress);
    first.begin(shared, recorded, &call);
    const Clock::time_point begun = Clock::now();
    first.run(stop, progress);
    crew.note_time(first, begun);
  }
  for (const auto& worker : crew.workers) {
    if (worker == nullptr || worker->shared == nullptr) continue;
    settle_groups(worker->memory_ops);
    merge(shared.outcome, *worker);
  }
  if (launch.kept != nullptr && first.spare != nullptr)
    note_entries(crew.entries, shared.outcome, first.spare->context().code);
  for (const auto& worker : crew.workers)
    if (worker != nullptr) worker->end();
  shared.outcome.blocks = std::move(stats);
  shared.outcome.console = shared.console.take();
  shared.outcome.works = in_order(std::move(shared.works));
  return std::move(shared.outcome);
}

}  // namespace

int64_t slice_steps_of(const GridLaunch& launch) {
  return launch.cooperative ? cooperative_slice_steps : slice_steps;
}

KeptWorkers::KeptWorkers() : m_crew(std::make_unique<Crew>()) {}
KeptWorkers::~KeptWorkers() = default;
void KeptWorkers::forget() { *m_crew = {}; }

GridOutcome run_grid(const GridLaunch& launch, std::stop_token stop, Progress* progress) {
  try {
    Crew own;
    Crew& crew = launch.kept != nullptr ? launch.kept->crew() : own;
    crew.begin(launch);
    return run_blocks(crew, stop, progress);
  } catch (const std::bad_alloc&) {
    if (launch.kept != nullptr) launch.kept->forget();
    GridOutcome outcome;
    outcome.end = GridOutcome::End::out_of_memory;
    return outcome;
  }
}

}  // namespace warplens::exec
