#include "core/job/files/launch_job.h"

#include <fmt/format.h>

#include "core/compile/compiler.h"
#include "core/job/files/entry.h"

namespace warplens {

namespace {

std::shared_ptr<const ModuleText> module_of(const KernelDescription& kernel) {
  auto module = std::make_shared<ModuleText>();
  module->ptx = kernel.ptx;
  module->ptx_name = kernel.name + ".ptx";
  module->source = kernel.source;
  module->source_name = kernel.source_name;
  return module;
}

}  // namespace

Result<CompiledModule> compile_module(const std::string& source, const std::string& source_name,
                                      const Device& device, std::stop_token stop) {
  CompileOptions options;
  options.architecture = device.compute_capability;
  const Result<Compilation> compiled = compile_cuda(source, source_name, options, std::move(stop));
  if (!compiled) return compiled.error();
  if (!compiled->ok) {
    std::string text = to_text(compiled->diagnostics);
    while (text.ends_with('\n')) text.pop_back();
    return bad_input(text.empty() ? fmt::format("{}: it does not compile: {}", source_name, compiled->log)
                                  : text);
  }
  auto module = std::make_shared<ModuleText>();
  module->ptx = compiled->ptx;
  module->ptx_name = source_name + " (as PTX)";
  module->source = source;
  module->source_name = source_name;
  return CompiledModule{std::move(module), compiled->compile_ms};
}

Result<Job> make_job(LaunchFile file, const std::string& name, const Device& device,
                     const RunOptions& options, std::stop_token stop) {
  Job job;
  LaunchRequest& request = file.request;
  if (!file.kernel.empty()) {
    const Result<const KernelDescription*> kernel = find_kernel(file.kernel);
    if (!kernel) return bad_input(fmt::format("{}: kernel: {}", name, kernel.error().message));
    request.module = module_of(**kernel);
  } else if (request.module->ptx.empty() && !request.module->source_name.empty()) {
    Result<CompiledModule> compiled =
        compile_module(request.module->source, request.module->source_name, device, std::move(stop));
    if (!compiled) return compiled.error();
    request.module = compiled->module;
    job.compile_ms = compiled->compile_ms;
  }
  Result<LaunchRequest> matched = match_entries(std::move(request), name);
  if (!matched) return matched.error();
  job.request =
      std::make_shared<const LaunchRequest>(with_options(std::move(matched).value(), device, options));
  job.expectations = std::move(file.expectations);
  static_cast<Passes&>(job) = options;
  return job;
}

}  // namespace warplens
