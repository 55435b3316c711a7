// Bytes decide a random program that ends. The virtual GPU and a reference that runs thread by thread, with
// its own control flow, must leave the same memory: with handlers only, and with every block compiled
// (core/gpu/exec/jit) where the processor has AVX-512.
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/backend.h"
#include "tests/core/gpu/exec/random_program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  using namespace warplens::exec::test;
  constexpr uint32_t threads = 2 * 45;
  const RandomProgram program = random_program(std::span(bytes, count));
  static const std::unique_ptr<Backend> gpu = make_virtual_gpu();
  auto request = std::make_shared<LaunchRequest>();
  request->module = std::make_shared<const ModuleText>(ModuleText{ptx_of(program), "random.ptx", {}, {}});
  request->buffers = {BufferSpec{.name = "out", .bytes = 16 * threads, .initial = nullptr, .output = true}};
  request->steps = {LaunchStep{
      .entry = "test", .grid = {2, 1, 1}, .block = {45, 1, 1}, .arguments = {BufferArgument{0, 0}}}};
  request->workers = 1;
  for (const char* tier : {"off", "always"}) {
    setenv("WARPLENS_TIER", tier, 1);
    const Result<RunResult> result = gpu->run(request, {}, nullptr);
    if (!result || result->status != RunStatus::ok || result->outputs.empty()) std::abort();
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const ThreadEnd wanted = run_reference(program, thread);
      if (std::memcmp(result->outputs[0].bytes->data() + size_t{16} * thread, wanted.registers, 16) != 0)
        std::abort();
    }
  }
  return 0;
}
