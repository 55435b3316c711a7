// The benchmarks: `kernels`, `observers`, `program`, `processor`, `every`, `compiling`, `sm` and `live` print
// the tables of docs/benchmark-tables.md, and `kernels TEXT` those of the cases whose names contain TEXT. All
// other arguments are passed to Google Benchmark, which measures frames, steps and saves.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "core/gpu/exec/isa/isa.h"
#include "core/program/op/selector.h"
#include "tests/bench/benches.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

int run_others(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  register_frames();
  register_steps();
  register_saves();
  benchmark::RunSpecifiedBenchmarks();
  print_steps();
  return 0;
}

}  // namespace

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "", more = argc > 2 ? argv[2] : "";
  if (what == "memory-case") return run_memory_case(more);
  if (what == "kernels") {
    print_kernels(more);
    print_profile(more);
  } else if (what == "profile") {
    print_profile(more);
  } else if (what == "observers") {
    print_observers(more);
  } else if (what == "processor") {
    print_processor(more);
  } else if (what == "compiling") {
    print_compiling();
  } else if (what == "every") {
    print_every(more, argc > 3 ? argv[3] : "");
  } else if (what == "program") {
    print_memory();
    print_texts();
  } else if (what == "sm") {
    print_sm();
  } else if (what == "compilers") {
    print_compilers();
  } else if (what == "live") {
    print_live();
  } else if (what == "isa") {
    fmt::print("{}\n", exec::best_ops_name());
  } else {
    return run_others(argc, argv);
  }
  return 0;
}

}  // namespace warplens::bench

int main(int argc, char** argv) { return warplens::bench::run(argc, argv); }
