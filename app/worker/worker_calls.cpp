#include "app/worker/worker_calls.h"

#include "core/base/system/files.h"
#include "core/compile/compiler.h"
#include "core/gpu/engine/replay.h"
#include "core/job/cache_pass.h"
#include "core/job/findings_pass.h"
#include "core/job/run_job.h"
#include "core/job/tried_fixes.h"

namespace warplens {
namespace {

Result<RunResult> run_on(Backend& backend, const RunOrder& order, std::stop_token stop, Progress* progress) {
  RunOptions options;
  options.observe = Observe::counters;
  options.record_writers = true;
  options.record_blocks = true;
  options.libraries = true;
  options.seed = order.order;
  options.workers = order.workers;
  options.sm = order.sm;
  auto job = make_job(order.own ? order.own : borrowed(*order.kernel), order.setup, order.device, options);
  if (!job) return job.error();
  return run_job(*job, backend, stop, progress);
}

enum class Stage : uint32_t { findings, caches, fixes, count };

Result<std::shared_ptr<const RunResult>> refine_on(Backend& backend, const RefineOrder& order,
                                                   std::stop_token stop) {
  std::shared_ptr<const RunResult> none;
  const auto stage = static_cast<Stage>(order.stage);
  const RunResult& so_far = *order.result;
  const bool wanted = stage == Stage::findings ? order.run.looking != Looking::off && wants_findings(so_far)
                      : stage == Stage::caches ? why_no_caches(so_far).empty()
                                               : wants_fixes(so_far);
  if (!wanted) return none;
  Job job;
  job.request = order.result->request;
  job.kernel = order.run.own ? order.run.own : borrowed(*order.run.kernel);
  job.setup = std::make_shared<const KernelSetup>(order.run.setup);
  job.findings_of_any_size = order.run.looking == Looking::always;
  const Result<Dim3> problem = problem_size(*job.kernel, order.run.setup);
  if (!problem) return problem.error();
  if (!job.kernel->grid_stride) job.problem = *problem;
  const auto pass = stage == Stage::findings ? with_findings
                    : stage == Stage::caches ? with_caches
                                             : with_fixes;
  Result<RunResult> whole = pass(job, *order.result, backend, std::move(stop));
  if (!whole) return whole.error();
  return std::make_shared<const RunResult>(std::move(*whole));
}

}  // namespace

WorkerCalls make_worker_calls(const std::shared_ptr<Backend>& backend, FindRealGpus real_gpus) {
  WorkerCalls calls;
  calls.real_gpus = std::move(real_gpus);
  calls.resources = [](const RunOrder& order) {
    return resources_of(order.kernel->ptx, order.kernel->entry, order.device.compute_capability,
                        {.max_registers = register_cap(*order.kernel, order.setup)});
  };
  calls.run = [backend](const RunOrder& order, std::stop_token stop, Progress* progress) {
    return run_on(*backend, order, stop, progress);
  };
  calls.refine = [backend](const RefineOrder& order, std::stop_token stop) {
    return refine_on(*backend, order, std::move(stop));
  };
  calls.refine_stages = static_cast<uint32_t>(Stage::count);
  calls.replay = [](const ReplayOrder& order, std::stop_token stop) {
    return replay_block(*order.request, order.block, stop);
  };
  calls.sweep = [backend](const SweepOrder& order, std::stop_token stop, Progress* progress,
                          const std::function<void(const Sweep&)>& tell) {
    return run_sweep(order.request, *backend, std::move(stop), progress, tell, order.so_far);
  };
  calls.compile = [](const CompileOrder& order, std::stop_token stop) {
    if (order.from_file) return open_own_kernel(order.path, order.device, order.entry, stop);
    return make_own_kernel({order.source, order.name, order.path, order.entry, order.copy_of}, order.device,
                           stop);
  };
  calls.save_text = [](const std::string& path, const std::string& text) { return write_text(path, text); };
  calls.load_picture = [](const std::string& name) { return open_picture(name, 3); };
  calls.save_picture = [](const Image& image, const std::string& path) { return save_image(image, path); };
  return calls;
}

}  // namespace warplens
