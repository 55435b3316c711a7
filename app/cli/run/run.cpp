// warplens run: one kernel, once or several times, with its report.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/run/run_page.h"
#include "app/cli/run/save_arrays.h"
#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/diagnostics.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/outcome.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/values.h"
#include "core/base/system/files.h"
#include "core/job/compare_engines.h"
#include "core/job/files/recorded_job.h"
#include "core/job/report/ncu_names.h"

namespace warplens {

namespace {

// Another shape or device is another launch.
bool is_as_recorded(const RunChoices& choices, const Device& device) {
  return choices.recorded != nullptr && !choices.recorded->launch->fault && choices.grid.empty() &&
         choices.block.empty() && choices.shared.empty() && choices.entry.empty() &&
         device.id == choices.recording->device_of(*choices.recorded);
}

Result<void> run(RunChoices choices, bool ncu_names, const std::string& page, Cli& cli) {
  if (const Result<void> adopted = adopt_session(choices, cli); !adopted) return adopted.error();
  Result<RunOptions> options = run_options(choices);
  if (!options) return options.error();
  options->libraries = !choices.compare;
  // Medians of times and bare runs are not changed.
  const bool plain = options->repeat == 1 && options->observe == Observe::counters && !choices.compare;
  options->findings = plain && choices.sanitize.empty();
  options->fixes = plain;
  if (const Result<void> writable = check_report(choices.json); !writable) return writable.error();
  const Result<std::optional<DiagnosticsChoice>> diagnostics = checked_diagnostics(choices.diagnostics);
  if (!diagnostics) return diagnostics.error();
  const bool only_diagnostics = *diagnostics && (*diagnostics)->file.empty();
  if (only_diagnostics && choices.json == "-")
    return bad_input("--json - and --diagnostics both write to standard output: give one of them a file.");
  if (!page.empty()) {
    if (const Result<void> writable = check_writable(page); !writable) return writable.error();
    options->record_writers = options->record_blocks = true;  // for the pictures
  }
  const Result<Device> device = find_device(choices.device, cli.real_gpus);
  if (!device) return device.error();
  if (options->passes_faults && !device->is_virtual)
    return bad_input(
        fmt::format("--on-fault is for the virtual GPU: leave it or --device {} out.", choices.device));
  const InterruptGuard interrupt(cli.stop);
  std::vector<Diagnostic> compiler_said;
  if (*diagnostics) choices.compiler_said = &compiler_said;
  std::vector<Found> found;
  const auto write_found = [&]() -> Result<void> {
    return *diagnostics ? write_diagnostics(**diagnostics, found, choices.target, cli.out) : Result<void>();
  };
  const Result<Job> job = job_of(choices, *device, *options, cli);
  found = found_in(compiler_said, choices.target);
  if (!job) {
    if (!found.empty())
      if (const Result<void> written = write_found(); !written) return written.error();
    return job.error();
  }
  if (const Result<void> writable = check_output(*job->request, choices.out); !writable)
    return writable.error();
  if (const Result<void> writable = check_arrays_folder(choices.outputs); !writable) return writable.error();

  const std::unique_ptr<Backend> backend = cli.make_backend();
  Result<RunResult> result = choices.compare ? run_on_both(*job, *backend, cli.stop.get_token(), nullptr)
                                             : run_job(*job, *backend, cli.stop.get_token(), nullptr);
  if (!result) return result.error();
  if (is_as_recorded(choices, *device)) check_against_recording(*choices.recorded->launch, *result);
  if (only_diagnostics) {
    if (const Result<void> written = save_report(*result, choices.json); !written) return written.error();
  } else {
    print_report(*result, choices.json, cli);
    if (ncu_names && choices.json != "-") cli.out << ncu_table(result->counters);
  }
  for (Found& one : found_in(*result, choices.target)) found.push_back(std::move(one));
  if (const Result<void> written = write_found(); !written) return written.error();
  say_outcome(*result, choices.strict, cli);
  if (!page.empty())
    if (const Result<void> saved = save_run_page(*job, *result, page); !saved) return saved.error();
  const bool complete = result->status == RunStatus::ok || result->status == RunStatus::check_failed;
  if (!complete) {
    for (const std::string& unwritten : {choices.out, choices.outputs})
      if (!unwritten.empty())
        cli.say(fmt::format("{} was not written, because the kernel did not run to its end", unwritten));
    return {};
  }
  if (!choices.outputs.empty())
    if (const Result<void> saved = save_arrays(*result, choices.outputs); !saved) return saved.error();
  return choices.out.empty() ? Result<void>() : save_output(*result, choices.out);
}

std::vector<CliOption> engine_options(RunChoices& choices) {
  return {
      {"--seed", &choices.seed,
       "Order of blocks, warps and paths: 0 for the usual order, other numbers for random orders", "N"},
      {.name = "--observe",
       .value = &choices.observe,
       .help =
           "What to count. trace: also the model of the caches, even if that takes long, and a record of\n"
           "the first million warp instructions, on one core (default: counters, and the model of the\n"
           "caches if that is quick)",
       .allowed = {"none", "counters", "trace"}},
      {.name = "--sanitize",
       .value = &choices.sanitize,
       .help =
           "What to check in addition to bounds, alignment and barriers. memory: integer divisions by zero "
           "and\n"
           "leaks; all: also races, reads of memory before it is written, accesses to another array than\n"
           "intended, misused masks and shuffles, on one core and several times slower (default: all for\n"
           "small runs, in a pass of its own, else memory)",
       .allowed = {"off", "memory", "all"}},
      {.name = "--on-fault",
       .value = &choices.on_fault,
       .help =
           "continue: a kernel goes on after an access outside of memory, which becomes a finding; the read "
           "gives\n0, and the write is not made",
       .allowed = {"stop", "continue"}},
      {"--workers", &choices.workers, "Cores to use; 0 for all", "N"},
      {"--repeat", &choices.repeat, "Number of runs; times are their medians", "N"},
      {"--steps", &choices.steps, "Step budget: after this many steps the run ends with a fault", "N"},
  };
}

}  // namespace

CliCommand run_command(Cli& cli) {
  const auto choices = std::make_shared<RunChoices>();
  const auto ncu_names = std::make_shared<bool>(false);
  const auto page = std::make_shared<std::string>();
  CliCommand command{
      "run",
      "Run a kernel and report what it did",
      {{.name = "what",
        .value = &choices->target,
        .help = "Built-in kernel (warplens kernels), CUDA C++, PTX, a launch file, a session or a recording",
        .value_name = "KERNEL|FILE.cu|FILE.ptx|FILE.json|FILE.warplens",
        .required = true}},
      [choices, ncu_names, page, &cli] { return run(*choices, *ncu_names, *page, cli); }};
  command.add(kernel_options(*choices));
  command.add(engine_options(*choices));
  command.add(gpu_options(*choices));
  command.add({
      {"--compare", &choices->compare,
       "Run on the real GPU and on the virtual one, and compare the outputs element by element"},
      {"--check", &choices->check, "Compare with the CPU reference, or with what the launch file expects"},
      {"--ncu-names", ncu_names.get(),
       "Also list the counters by Nsight Compute's names, and where machine code may count otherwise"},
      {"--strict", &choices->strict, "Fail if there are findings (races, uninitialised reads, …)"},
      {"--out", &choices->out, "Save the output: .png, .jpg, .bmp, .tga, or .bin for raw bytes", "FILE"},
      {"--outputs", &choices->outputs, "Save every output as a NumPy array (NAME.npy) in this folder",
       "FOLDER"},
      {"--json", &choices->json, "Write the report as JSON; with -, print only the JSON", "FILE|-"},
      diagnostics_option(choices->diagnostics),
      {"--page", page.get(), "Write the report and the views' pictures as one page for browsers",
       "FILE.html"},
  });
  return command;
}

}  // namespace warplens
