// Bytes decide a random kernel of everything that the reference interpreter covers. The virtual GPU must
// leave the same contents in all its memory: with handlers only, and with every block compiled
// (core/gpu/exec/jit) where the processor has AVX-512.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/backend.h"
#include "core/ptx/parser/parse.h"
#include "tests/core/reference/random_kernel.h"

namespace {

[[noreturn]] void fail(const char* what, const std::string& ptx) {
  std::fprintf(stderr, "%s\n%s", what, ptx.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  constexpr Dim3 grid{2, 1, 1}, block{45, 1, 1};
  const std::string ptx = reference::random_kernel(std::span(bytes, count));
  const ptx::ParseResult parsed = ptx::parse(ptx, "random.ptx");
  if (!parsed.module) fail("it does not parse", ptx);
  reference::KernelMemory wanted(2 * 45);
  auto request = std::make_shared<LaunchRequest>();
  request->module = std::make_shared<const ModuleText>(ModuleText{ptx, "random.ptx", {}, {}});
  LaunchStep step{.entry = "test", .grid = grid, .block = block, .arguments = {}};
  for (const auto* buffer : {&wanted.out, &wanted.sums, &wanted.scratch}) {
    step.arguments.emplace_back(BufferArgument{static_cast<uint32_t>(request->buffers.size()), 0});
    request->buffers.push_back(
        {.name = "buffer", .bytes = buffer->size(), .initial = nullptr, .output = true});
  }
  request->steps = {std::move(step)};
  request->workers = 1;
  const reference::Outcome end = reference::run_reference(*parsed.module, grid, block, wanted);
  if (end.end != reference::End::finished) fail(end.reason.c_str(), ptx);

  static const std::unique_ptr<Backend> gpu = make_virtual_gpu();
  for (const char* tier : {"off", "always"}) {
    setenv("WARPLENS_TIER", tier, 1);
    const Result<RunResult> result = gpu->run(request, {}, nullptr);
    if (!result || result->status != RunStatus::ok || result->outputs.size() != 3)
      fail("it does not run", ptx);
    size_t index = 0;
    for (const auto* buffer : {&wanted.out, &wanted.sums, &wanted.scratch})
      if (*result->outputs[index++].bytes != *buffer) fail("it leaves other values", ptx);
  }
  return 0;
}
