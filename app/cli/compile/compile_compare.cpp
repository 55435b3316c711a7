// warplens compile --compare: the same kernel by NVRTC and by clang, its PTX, registers and counters side by
// side.
#include "app/cli/compile/compile_compare.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "core/base/json/json_values.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/files/own_kernel_file.h"
#include "core/job/report/compilers.h"

namespace warplens {

namespace {

Result<MadeBy> made_by(CompilerKind kind, const std::string& target, const Device& device, Backend& backend,
                       const std::stop_token& stop) {
  if (!is_own_kernel_path(target)) {
    const Result<const KernelDescription*> kernel = find_kernel(target);
    if (!kernel) return kernel.error();
    return compile_and_run(**kernel, kind, device, backend, stop);
  }
  if (target.ends_with(".ptx"))
    return bad_input(
        fmt::format("{} is PTX already: only CUDA C++ can be compiled by two compilers", target));
  return run_made(open_own_kernel(target, device, "", stop, kind), device, backend, stop);
}

}  // namespace

Result<void> compare_compilers(const std::string& target, const Device& device, bool json, Cli& cli) {
  const std::unique_ptr<Backend> backend = make_virtual_gpu();
  const std::stop_token stop = cli.stop.get_token();
  const Result<MadeBy> first = made_by(CompilerKind::nvrtc, target, device, *backend, stop);
  if (!first) return first.error();
  const Result<MadeBy> second = made_by(CompilerKind::clang, target, device, *backend, stop);
  if (!second) return second.error();
  if (json)
    cli.out << json_values::indented(compared_json(*first, *second));
  else
    cli.out << fmt::format("{} on a virtual {}\n{}", first->kernel->name, device.name,
                           compared_text(*first, *second));
  return {};
}

}  // namespace warplens
