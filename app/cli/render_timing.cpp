#include "app/cli/render_timing.h"

#include <fmt/format.h>

#include "app/cli/interrupt.h"
#include "app/cli/values.h"
#include "app/draw/save_picture.h"
#include "app/state/sweeps.h"
#include "app/views/timing/picture.h"

namespace warplens {

namespace {

Result<void> save(const Job& job, const RenderView& view, const TimingInput& input, const std::string& out) {
  if (out.ends_with(".csv")) return save_csv(timing_table(input), out);
  const Picture picture = framed_picture(job, view, [&](Picture& into, const Style& style, Box box) {
    return draw_timing_view(into, style, box, input).bottom;
  });
  return save_picture(picture, out);
}

Result<void> draw_run(const Job& job, const RenderView& view, const std::string& out, Backend& backend,
                      Cli& cli) {
  const Result<RunResult> result = run_job(job, backend, cli.stop.get_token(), nullptr);
  if (!result) return result.error();
  const TimingView timing = view_timing(*result);
  TimingInput input;
  input.mode = view.kind == RenderKind::roofline    ? TimingMode::roofline
               : view.kind == RenderKind::stopwatch ? TimingMode::timer
                                                    : TimingMode::steps;
  input.view = &timing;
  input.interactive = false;
  if (const Result<void> saved = save(job, view, input, out); !saved) return saved.error();
  if (result->status == RunStatus::refused) return Error{ErrorKind::refused, result->message};
  if (result->status == RunStatus::ok) return {};
  return failed(result->message.empty() ? "The kernel did not run to its end" : result->message);
}

Result<void> draw_sweep(const RunChoices& run, const Job& job, const RenderView& view, const std::string& out,
                        Backend& backend, Cli& cli) {
  if (!job.kernel)
    return bad_input(
        fmt::format("{} is no kernel with a description, so a sweep does not know what to vary", run.target));
  const Result<KernelSetup> setup = kernel_setup(*job.kernel, run);
  if (!setup) return setup.error();
  const SweepKind kind = view.kind == RenderKind::sizes ? SweepKind::sizes : SweepKind::blocks;
  SweepRequest request = sweep_request(*job.kernel, *setup, job.request->device, kind);
  request.kernel = job.kernel;
  const Result<Sweep> sweep = run_sweep(request, backend, cli.stop.get_token(), nullptr);
  if (!sweep) return sweep.error();
  TimingInput input;
  input.mode = kind == SweepKind::sizes ? TimingMode::sizes : TimingMode::blocks;
  input.sweep = &*sweep;
  input.today = setup->block;
  input.interactive = false;
  return save(job, view, input, out);
}

}  // namespace

bool is_timing(RenderKind kind) {
  return kind == RenderKind::timing || kind == RenderKind::stopwatch || kind == RenderKind::roofline ||
         kind == RenderKind::sweep || kind == RenderKind::sizes;
}

Result<void> render_timing(const RunChoices& run, const RenderView& view, const std::string& out, Cli& cli) {
  Result<RunOptions> options = run_options(run);
  if (!options) return options.error();
  options->check = true;  // the CPU's time comes with the check
  const Result<Device> device = find_device(run.device, cli.real_gpus);
  if (!device) return device.error();
  const InterruptGuard interrupt(cli.stop);
  const Result<Job> job = job_of(run, *device, *options, cli);
  if (!job) return job.error();
  const std::unique_ptr<Backend> backend = cli.make_backend();
  if (view.kind == RenderKind::sweep || view.kind == RenderKind::sizes)
    return draw_sweep(run, *job, view, out, *backend, cli);
  return draw_run(*job, view, out, *backend, cli);
}

}  // namespace warplens
