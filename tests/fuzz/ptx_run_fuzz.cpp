// Any bytes are a kernel: what parses must decode or be refused with a reason, and run to an end, a fault or
// the end of a small step budget.
#include <cstdlib>
#include <memory>
#include <string>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/backend.h"
#include "core/ptx/parser/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(bytes, bytes + count);
  const ptx::ParseResult parsed = ptx::parse(text, "fuzz.ptx");
  if (parsed.module == nullptr) return 0;
  static const std::unique_ptr<Backend> gpu = make_virtual_gpu();
  for (const ptx::Function& function : parsed.module->functions) {
    if (!function.is_entry || !function.has_body) continue;
    auto request = std::make_shared<LaunchRequest>();
    request->module = std::make_shared<const ModuleText>(ModuleText{text, "fuzz.ptx", {}, {}});
    request->buffers = {BufferSpec{.name = "data", .bytes = 4096, .initial = nullptr, .output = true}};
    LaunchStep step{
        .entry = std::string(function.name), .grid = {2, 1, 1}, .block = {33, 1, 1}, .arguments = {}};
    for (const ptx::Variable& parameter : function.parameters) {
      if (parameter.bytes == 8) {
        step.arguments.emplace_back(BufferArgument{0, 0});
      } else {
        step.arguments.emplace_back(ScalarArgument{DType::u32, 7});
      }
    }
    request->steps = {step};
    request->workers = 1;
    request->step_budget = 100'000;
    const Result<RunResult> result = gpu->run(request, {}, nullptr);
    if (!result && result.error().message.empty()) std::abort();
    if (result && result->status == RunStatus::fault && result->faults.empty()) std::abort();
  }
  return 0;
}
