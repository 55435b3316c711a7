// How long a long PTX takes to be ready to run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/gpu/machine/machine.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

constexpr uint32_t wanted_lines = 10'000;

// Every form that kernels are full of, with a branch to a label every twelve lines; every register is used in
// many places.
std::string long_ptx() {
  std::string text =
      ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry long(.param .u64 p, .param .u32 n)\n{\n"
      ".reg .b32 %r<256>; .reg .f32 %f<256>; .reg .b64 %d<64>; .reg .pred %q<8>;\n"
      "ld.param.u64 %d0, [p];\nld.param.u32 %r0, [n];\nmov.u32 %r1, %tid.x;\nmov.f32 %f0, 0f3F800000;\n";
  auto lines = static_cast<uint32_t>(std::ranges::count(text, '\n'));
  for (uint32_t i = 0; lines + 12 < wanted_lines - 2; ++i, lines += 12) {
    const uint32_t a = 2 + i % 120, b = 128 + i * 7 % 120, d = 1 + i % 60, q = i % 8;
    text += fmt::format(
        "mad.lo.s32 %r{0}, %r1, {4}, %r0;\nadd.s32 %r{1}, %r{0}, %r1;\nand.b32 %r{0}, %r{1}, 1023;\n"
        "mul.wide.s32 %d{2}, %r{0}, 4;\nadd.s64 %d{2}, %d0, %d{2};\nld.global.f32 %f{0}, [%d{2}];\n"
        "fma.rn.f32 %f{1}, %f{0}, %f0, 0f40000000;\nst.global.f32 [%d{2}+16], %f{1};\n"
        "setp.lt.s32 %q{3}, %r{0}, %r{1};\n@%q{3} bra L{4};\nselp.b32 %r{1}, %r{0}, %r1, %q{3};\nL{4}:\n",
        a, b, d, q, i);
  }
  for (; lines + 2 < wanted_lines; ++lines) text += "add.s32 %r1, %r1, 1;\n";
  return text + "ret;\n}\n";
}

}  // namespace

void print_texts() {
  auto text = std::make_shared<ModuleText>();
  text->ptx = long_ptx();
  text->ptx_name = "long.ptx";
  LaunchRequest request;
  request.module = text;
  LaunchStep launch;
  launch.entry = "long";
  request.steps.emplace_back(launch);
  std::vector<double> times;
  for (int i = 0; i < 21; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Result<Programs> programs = load_programs(request);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (!programs) {
      fmt::print(stderr, "{}\n", programs.error().message);
      return;
    }
    times.push_back(took.count());
  }
  std::ranges::sort(times);
  fmt::print("- Parsing and decoding a PTX of {} lines: {:.1f} ms (median of {}; the longest {:.1f} ms).\n",
             std::ranges::count(text->ptx, '\n'), times[times.size() / 2], times.size(), times.back());
}

}  // namespace warplens::bench
