#include "core/job/named_variables.h"

#include <fmt/format.h>

#include "core/base/diagnostic.h"
#include "core/compile/compiler.h"

namespace warplens {

namespace {

// From sm_100 on, NVIDIA's compilers say where a variable gets a place and where it loses it; for older
// targets some of that must be guessed. The virtual GPU runs code for any architecture, so only sources that
// depend on their architecture are compiled for the device.
constexpr ComputeCapability best_described{10, 0};

ComputeCapability architecture_for(const LaunchRequest& request) {
  const bool asks = request.module->source.find("__CUDA_ARCH") != std::string::npos;
  return asks ? request.device.compute_capability : best_described;
}

std::vector<Bytes> memory_of(const stepping::BlockStepper& stepper) {
  std::vector<Bytes> all;
  for (const stepping::DeviceMemory& memory : stepper.device_memory()) {
    if (memory.buffer < 0) continue;
    Result<Bytes> bytes = stepper.read(Space::global, memory.address, memory.bytes);
    all.push_back(bytes ? std::move(bytes).value() : Bytes{});
  }
  return all;
}

// The memory that the same block of another program leaves.
Result<std::vector<Bytes>> memory_after(const LaunchRequest& request, const stepping::BlockStepper& like,
                                        const stepping::Options& options, const std::stop_token& stop) {
  Result<stepping::BlockStepper> stepper =
      stepping::BlockStepper::open(std::make_shared<LaunchRequest>(request), like.block(), options, stop);
  if (!stepper) return stepper.error();
  const stepping::Stop stopped = stepper->run({}, stop);
  if (stopped.why == stepping::Why::cancelled) return Error{ErrorKind::cancelled, stopped.message};
  if (stopped.why != stepping::Why::finished) return failed(stopped.message);
  return memory_of(*stepper);
}

}  // namespace

Result<Agreement> agreement_of(const stepping::BlockStepper& stepped, const LaunchRequest& request,
                               const stepping::Options& options, const std::stop_token& stop) {
  const std::vector<Bytes> wanted = memory_of(stepped);
  const Result<std::vector<Bytes>> ran = memory_after(request, stepped, options, stop);
  if (!ran) return ran.error();
  if (*ran == wanted) return Agreement::same;
  CompileOptions unfused;
  unfused.architecture = architecture_for(request);
  unfused.extra = {"--fmad=false"};
  const Result<Compilation> compiled =
      compile_cuda(request.module->source, request.module->source_name, unfused, stop);
  if (!compiled) return compiled.error();
  if (!compiled->ok) return bad_input(to_text(compiled->diagnostics));
  LaunchRequest other = request;
  auto module = std::make_shared<ModuleText>(*request.module);
  module->ptx = compiled->ptx;
  other.module = std::move(module);
  const Result<std::vector<Bytes>> without = memory_after(other, stepped, options, stop);
  if (!without) return without.error();
  return *without == wanted ? Agreement::rounding : Agreement::other;
}

const char* sentence_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::same:
      return "The code that runs leaves the same in memory.";
    case Agreement::rounding:
      return "The code that runs gives other values, only because of rounding: it fuses a * b + c, which "
             "rounds "
             "once.";
    case Agreement::other:
      break;
  }
  return "The code that runs gives other values, and not because of rounding. This may be a bug: the block "
         "may depend on the order of its threads, or on uninitialised memory.";
}

bool has_named_variables(const ModuleText& module) {
  return module.ptx.find(".debug_info") != std::string::npos;
}

Result<LaunchRequest> with_named_variables(const LaunchRequest& request, std::stop_token stop) {
  const ModuleText& module = *request.module;
  if (has_named_variables(module)) return request;
  if (module.source.empty())
    return missing("There is only PTX, and it does not contain the places of variables.");
  CompileOptions options;
  options.architecture = architecture_for(request);
  options.debug = true;
  const Result<Compilation> compiled =
      compile_cuda(module.source, module.source_name, options, std::move(stop));
  if (!compiled) return compiled.error();
  if (!compiled->ok)
    return bad_input(fmt::format("{} does not compile with debug information:\n{}", module.source_name,
                                 to_text(compiled->diagnostics)));
  auto named = std::make_shared<ModuleText>(module);
  named->ptx = compiled->ptx;
  LaunchRequest made = request;
  made.module = std::move(named);
  return made;
}

}  // namespace warplens
