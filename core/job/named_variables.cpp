#include "core/job/named_variables.h"

#include <fmt/format.h>

#include "core/base/diagnostic.h"
#include "core/compile/compiler.h"

namespace warplens {

namespace {

// From sm_100 on, NVIDIA's compilers say where a variable begins to have a place and where it has none any
// more; before, some of that has to be guessed. The virtual GPU runs code for any architecture, so only
// sources that ask for theirs are compiled for the device.
constexpr ComputeCapability best_described{10, 0};

ComputeCapability architecture_for(const LaunchRequest& request) {
  const bool asks = request.module->source.find("__CUDA_ARCH") != std::string::npos;
  return asks ? request.device.compute_capability : best_described;
}

}  // namespace

bool has_named_variables(const ModuleText& module) {
  return module.ptx.find(".debug_info") != std::string::npos;
}

Result<LaunchRequest> with_named_variables(const LaunchRequest& request, std::stop_token stop) {
  const ModuleText& module = *request.module;
  if (has_named_variables(module)) return request;
  if (module.source.empty())
    return missing("There is only PTX, and it does not say where its variables are.");
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
