// How much memory a process takes beyond what its kernel touches of the device: each case in a process of its
// own, whose peak of resident memory the system keeps.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/launch/backend.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

constexpr uint64_t touched_mib = 256;

// Each thread writes four words.
constexpr const char* touch = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry touch(.param .u64 p)
{
  .reg .b32 %r<8>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [p];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mad.lo.u32 %r3, %r1, %r2, %r0;
  mul.wide.u32 %d1, %r3, 16;
  add.u64 %d2, %d0, %d1;
  st.global.v4.u32 [%d2], {%r0, %r1, %r2, %r3};
  ret;
}
)";

struct MemoryCase {
  const char* name;
  uint32_t block;
  uint32_t workers;
  bool trace, heat;
};
constexpr std::array<MemoryCase, 5> cases = {{
    {"blocks of 256 threads, 1 core", 256, 1, false, false},
    {"blocks of 256 threads, 2 cores", 256, 2, false, false},
    {"blocks of 32 threads, 2 cores, with what each block did", 32, 2, false, true},
    {"blocks of 256 threads, traced", 256, 2, true, false},
    {"blocks of 32 threads, traced, with what each block did", 32, 2, true, true},
}};

uint32_t blocks_of(const MemoryCase& c) {
  return static_cast<uint32_t>((touched_mib << 20) / (uint64_t{16} * c.block));
}

uint64_t peak_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6));
  return 0;
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  for (std::array<char, 256> part{}; std::fgets(part.data(), part.size(), pipe) != nullptr;)
    output += part.data();
  return pclose(pipe) == 0 ? output : std::string();
}

}  // namespace

int run_memory_case(const std::string& number) {
  const MemoryCase& c = cases.at(std::stoul(number));
  auto text = std::make_shared<ModuleText>();
  text->ptx = touch;
  text->ptx_name = "touch.ptx";
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "touch";
  request->module = std::move(text);
  BufferSpec buffer;
  buffer.name = "p";
  buffer.bytes = touched_mib << 20;
  request->buffers.push_back(std::move(buffer));
  LaunchStep launch;
  launch.entry = "touch";
  launch.grid = {blocks_of(c), 1, 1};
  launch.block = {c.block, 1, 1};
  launch.arguments.emplace_back(BufferArgument{0, 0});
  request->steps.emplace_back(std::move(launch));
  request->device = built_in_devices().front();
  request->workers = c.workers;
  request->record_blocks = c.heat;
  request->observe = c.trace ? Observe::trace : Observe::counters;
  request->model_caches = c.trace;
  request->trace_limit = c.trace ? default_trace_limit : 0;
  const Result<RunResult> result = make_virtual_gpu()->run(request, {}, nullptr);
  if (!result || result->status != RunStatus::ok) return 1;
  fmt::print("{}\n", peak_kib());
  return 0;
}

void print_memory() {
  fmt::print(
      "Peak of resident memory of a process whose kernel writes {0} MiB of device memory, less these {0} "
      "MiB:\n\n| run | blocks | MiB |\n|---|---|---|\n",
      touched_mib);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string kib = output_of(fmt::format("'{}' memory-case {}", self, i));
    if (kib.empty()) continue;
    fmt::print("| {} | {} | {:.1f} |\n", cases[i].name, blocks_of(cases[i]),
               std::stod(kib) / 1024 - static_cast<double>(touched_mib));
  }
  fmt::print("\n");
}

}  // namespace warplens::bench
