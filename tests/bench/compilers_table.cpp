// The same kernels by two compilers: the code of each is run and counted.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/base/figures.h"
#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/report/compilers.h"
#include "core/kernels/catalogue.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "compilers: {}\n", why);
  std::exit(1);
}

MadeBy made_by(CompilerKind kind, const KernelDescription& kernel, const Device& device) {
  const auto backend = make_virtual_gpu();
  Result<MadeBy> made = compile_and_run(kernel, kind, device, *backend, {});
  if (!made) give_up(made.error().message);
  if (!made->result.counters || !made->result.resources) give_up(kernel.name + " did not run");
  return std::move(*made);
}

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

void print_compilers() {
  const Device device = *find_device("RTX 3060");
  std::vector<double> ratios, ms[2];
  std::string rows, names[2];
  for (const KernelDescription& kernel : built_in_kernels()) {
    if (kernel.intentionally_broken) continue;
    const MadeBy by[2] = {made_by(CompilerKind::nvrtc, kernel, device),
                          made_by(CompilerKind::clang, kernel, device)};
    const Counters counters[2] = {*by[0].result.counters, *by[1].result.counters};
    const auto registers = [&](int i) { return by[i].result.resources->registers_per_thread; };
    ratios.push_back(double(counters[1].warp_instructions) / double(counters[0].warp_instructions));
    for (int i = 0; i < 2; ++i) {
      ms[i].push_back(by[i].compile_ms);
      names[i] = by[i].compiler;
    }
    rows += fmt::format("| `{}` | {} | {} | {:.2f} | {} | {} | {} | {} |\n", kernel.name,
                        thousands(counters[0].warp_instructions), thousands(counters[1].warp_instructions),
                        ratios.back(), thousands(global_sectors(counters[0])),
                        thousands(global_sectors(counters[1])), registers(0), registers(1));
  }
  fmt::print(
      "{} against {}, on a virtual {}: warp instructions and sectors of global memory are counted, registers "
      "are "
      "ptxas's. Median of the ratios {:.2f}; a compilation takes {:.0f} ms and {:.0f} ms in the median.\n\n",
      names[1], names[0], device.name, middle(ratios), middle(ms[0]), middle(ms[1]));
  fmt::print(
      "| kernel | instructions, NVRTC | clang | ratio | sectors, NVRTC | clang | registers, NVRTC | clang |\n"
      "|---|---|---|---|---|---|---|---|\n{}",
      rows);
}

}  // namespace warplens::bench
