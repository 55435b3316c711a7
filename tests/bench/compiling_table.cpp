// How long machine code of the built-in kernels takes to make.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/jit/targets.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/machine/machine.h"
#include "core/launch/steps.h"
#include "tests/bench/cases.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

constexpr size_t compiling_rounds = 5;

// For all blocks of the program, for whole warps and for warps with missing lanes, as if all were hot.
double compile_ms(const program::Program& program, Dim3 block, const exec::jit::Target& target) {
  constexpr uint64_t often = 1 << 20;
  const std::vector<exec::BlockCount> counts(program.flow.blocks.size(), {often, often * warp_lanes / 2});
  double best = 0;
  for (size_t round = 0; round < compiling_rounds; ++round) {
    exec::CompiledProgram compiled(program, program.ops.data(), exec::Observers(true, block), target);
    const auto start = std::chrono::steady_clock::now();
    // Each call takes some of the blocks.
    for (size_t call = 0; call <= counts.size(); ++call) {
      compiled.compile_hot(counts, exec::CodeFor::all);
      compiled.compile_hot(counts, compiled.for_other_lanes());
    }
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    best = round == 0 ? ms : std::min(best, ms);
  }
  return best;
}

}  // namespace

void print_compiling() {
  fmt::print(
      "Machine code of all basic blocks, least of {} rounds:\n\n| kernel | ops | ms |\n|---|---|---|\n",
      compiling_rounds);
  const auto picture = std::make_shared<const Image>(rendered_sample(64, 64));
  std::vector<double> all;
  for (const KernelDescription& kernel : built_in_kernels()) {
    if (kernel.intentionally_broken) continue;
    const auto request = usual_request(kernel, picture, {0, 0, 0});
    if (request == nullptr) continue;
    const Result<Programs> programs = load_programs(*request, {.watching = program::Watching::divisions});
    if (!programs) continue;
    for (const auto& [entry, program] : programs->by_entry) {
      const exec::jit::Target* const target = exec::jit::target_for(program->table);
      if (target == nullptr) return fmt::print("Nothing compiles for this processor.\n\n");
      all.push_back(compile_ms(*program, first_launch(*request)->block, *target));
      fmt::print("| `{}` | {} | {:.2f} |\n", entry, program->ops.size(), all.back());
    }
  }
  std::ranges::sort(all);
  if (!all.empty())
    fmt::print("\nIn the median of {}: {:.2f} ms; the longest {:.2f} ms\n\n", all.size(), all[all.size() / 2],
               all.back());
}

}  // namespace warplens::bench
