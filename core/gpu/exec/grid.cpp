#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/counters.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/system/between_frames.h"
#include "core/gpu/exec/block.h"
#include "core/gpu/exec/step_budget.h"

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

// The state that the workers share. Each atomic has its own cache line.
struct Shared {
  alignas(64) std::atomic<uint64_t> next_block{0};
  alignas(64) std::atomic<uint64_t> last_block{0};  // blocks from here on are no longer started
  alignas(64) StepBudget budget;
  std::mutex mutex;
  GridOutcome outcome;
  ConsoleOrder console;
};

struct Worker {
  const GridLaunch& launch;
  Shared& shared;
  BlockStats* stats;
  std::vector<BlockCount> counts;
  std::vector<MemoryOpState> memory_ops;
  uint64_t instructions_before = 0;
  uint64_t claimed = 0, claimed_end = 0;  // blocks that this worker has to start
  int64_t steps_used = 0;                 // steps not yet subtracted from the budget
  bool is_over_budget = false;            // a block ended, but no other one may run
  size_t most_open = max_open_blocks;     // fewer if there is not enough memory
  WorkDone work{steps_before_a_frame};

  Worker(const GridLaunch& l, Shared& s, BlockStats* b)
      : launch(l),
        shared(s),
        stats(b),
        counts(l.program->flow.blocks.size()),
        memory_ops(l.program->counted.size()) {
    for (size_t i = 0; i < memory_ops.size(); ++i) {
      const program::CountedOp& op = l.program->counted[i];
      if (op.space == Space::global && op.access == AccessKind::atomic)
        memory_ops[i].heat = std::make_shared<AtomicHeat>();
      memory_ops[i].merges = op.merges;
    }
  }

  void fail(const Block& block, Fault fault) {
    const std::scoped_lock lock(shared.mutex);
    GridOutcome& outcome = shared.outcome;
    // The reported fault is that of the first block in order, regardless of which worker is faster.
    if (outcome.end == GridOutcome::End::fault && outcome.fault_block_place <= block.place()) return;
    if (outcome.end == GridOutcome::End::cancelled || outcome.end == GridOutcome::End::out_of_memory) return;
    outcome.end = GridOutcome::End::fault;
    outcome.fault = std::move(fault);
    outcome.fault_block = block.context().block_position;
    outcome.fault_block_place = block.place();
    uint64_t last = shared.last_block.load();
    while (block.place() < last && !shared.last_block.compare_exchange_weak(last, block.place())) {
    }
  }

  void cancel() {
    const std::scoped_lock lock(shared.mutex);
    if (shared.outcome.end == GridOutcome::End::finished) shared.outcome.end = GridOutcome::End::cancelled;
    shared.last_block.store(0);
  }

  // The other workers stop too, since this worker's blocks are lost.
  void run_out_of_memory() {
    const std::scoped_lock lock(shared.mutex);
    if (shared.outcome.end != GridOutcome::End::cancelled)
      shared.outcome.end = GridOutcome::End::out_of_memory;
    shared.last_block.store(0);
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
  void run(std::stop_token stop, Progress* progress) {
    try {
      run_blocks(std::move(stop), progress);
    } catch (const std::bad_alloc&) {
      run_out_of_memory();
    } catch (const std::length_error&) {
      run_out_of_memory();
    }
  }

  void run_blocks(std::stop_token stop, Progress* progress) {
    std::deque<std::unique_ptr<Block>> open;  // started and paused
    std::unique_ptr<Block> spare;
    for (;;) {
      std::unique_ptr<Block> block = next(open, spare);
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
    const std::scoped_lock lock(shared.mutex);
    shared.console.add(block.index(), std::move(block.console()));
  }

  // The claims become small towards the end, so that the workers finish together. Every claimed block is
  // started in its order, so a block that waits for an earlier one waits for one that runs or will run.
  void claim() {
    const uint64_t end = shared.last_block.load(std::memory_order_relaxed);
    const uint64_t at = shared.next_block.load(std::memory_order_relaxed);
    const uint64_t left = at < end ? end - at : 0;
    const uint64_t share = std::clamp<uint64_t>(left / (8 * uint64_t{launch.workers} + 1), 1, max_claim);
    claimed = shared.next_block.fetch_add(share, std::memory_order_relaxed);
    claimed_end = claimed + share;
  }

  // False if the budget of the whole launch and the extra time are used up.
  bool take_off_budget(int64_t used, bool block_ended) {
    steps_used += used;
    if (steps_used >= unreported_steps || steps_used * 8 >= static_cast<int64_t>(launch.step_budget))
      shared.budget.take(std::exchange(steps_used, 0));
    // The time is read only after the budget is used up.
    if (shared.budget.is_left()) return true;
    const auto now = StepBudget::Clock::now();
    if (block_ended) shared.budget.note_end_of_block(now);
    return shared.budget.may_go_on(now, launch.patience);
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
  std::unique_ptr<Block> start_next(size_t under_way, std::unique_ptr<Block>& spare) {
    if (claimed == claimed_end) claim();
    if (claimed >= shared.last_block.load(std::memory_order_relaxed)) return nullptr;
    auto block = spare ? std::move(spare) : make_block(under_way);
    if (block == nullptr) return nullptr;
    const uint64_t place = claimed++;
    const bool all = launch.first_block == 0 && launch.end_block == launch.grid.count();
    block->start(launch.seed != 0 && all ? block_at(place, launch.end_block, launch.seed) : place, place);
    return block;
  }

  std::unique_ptr<Block> next(std::deque<std::unique_ptr<Block>>& open, std::unique_ptr<Block>& spare) {
    if (open.size() < most_open || launch.cooperative) {
      if (auto block = start_next(open.size(), spare)) return block;
    }
    while (!open.empty()) {
      auto block = std::move(open.front());
      open.pop_front();
      if (block->place() < shared.last_block.load()) return block;
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
    const BlockState state = block.run(steps);
    work.add(slice - steps);
    note_turn(block, divergences, sectors);
    if (state != BlockState::running) note_console(block);
    if (state == BlockState::fault) {
      fail(block, block.fault());
      return true;
    }
    is_over_budget = !take_off_budget(slice - steps, state == BlockState::finished);
    if (state == BlockState::running) return is_over_budget && end_at(block);
    if (launch.watch != nullptr) launch.watch->leave(block.index());
    if (progress != nullptr) progress->blocks_done.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
};

void merge(GridOutcome& outcome, const Worker& worker) {
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

std::vector<std::unique_ptr<Worker>> make_workers(const GridLaunch& launch, Shared& shared,
                                                  BlockStats* stats) {
  const uint64_t wanted = std::min<uint64_t>(launch.workers, launch.end_block - launch.first_block);
  std::vector<std::unique_ptr<Worker>> workers;
  try {
    for (uint64_t i = 0; i < std::max<uint64_t>(wanted, 1); ++i)
      workers.push_back(std::make_unique<Worker>(launch, shared, stats));
  } catch (const std::bad_alloc&) {
    if (workers.empty()) throw;
  }
  return workers;
}

// A worker claims a block only while it runs, so a worker that gets no thread leaves no block undone.
void run_all(std::vector<std::unique_ptr<Worker>>& workers, const std::stop_token& stop, Progress* progress) {
  std::vector<std::jthread> threads;
  try {
    for (size_t i = 1; i < workers.size(); ++i) {
      threads.emplace_back([&worker = *workers[i], stop, progress] { worker.run(stop, progress); });
    }
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  workers[0]->run(stop, progress);
}

GridOutcome run_blocks(const GridLaunch& launch, const std::stop_token& stop, Progress* progress) {
  Shared shared;
  shared.next_block = launch.first_block;
  shared.last_block = launch.end_block;
  shared.budget.give(launch.step_budget);
  shared.outcome.counts.resize(launch.program->flow.blocks.size());
  shared.outcome.memory_ops.resize(launch.program->counted.size());
  BlockStats stats;
  if (launch.record_blocks) stats = empty_stats(launch);
  if (progress != nullptr) progress->blocks_total = launch.end_block - launch.first_block;
  auto workers = make_workers(launch, shared, launch.record_blocks ? &stats : nullptr);
  run_all(workers, stop, progress);
  for (const auto& worker : workers) merge(shared.outcome, *worker);
  shared.outcome.blocks = std::move(stats);
  shared.outcome.console = shared.console.take();
  return std::move(shared.outcome);
}

}  // namespace

int64_t slice_steps_of(const GridLaunch& launch) {
  return launch.cooperative ? cooperative_slice_steps : slice_steps;
}

GridOutcome run_grid(const GridLaunch& launch, std::stop_token stop, Progress* progress) {
  try {
    return run_blocks(launch, stop, progress);
  } catch (const std::bad_alloc&) {
    GridOutcome outcome;
    outcome.end = GridOutcome::End::out_of_memory;
    return outcome;
  }
}

}  // namespace warplens::exec
