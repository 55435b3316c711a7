// warplens sweep: one kernel with many block shapes, or with many sizes.
#include <fmt/format.h>

#include <ostream>

#include "app/cli/measure/sweep_lists.h"
#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/values.h"
#include "core/base/system/files.h"
#include "core/job/report/sweep_text.h"
#include "core/job/sweep.h"

namespace warplens {

namespace {

struct SweepChoices {
  RunChoices run;
  std::string blocks, sizes, csv;
  bool json = false;
};

// If sizes and blocks are given, each size has its own table of blocks.
Result<std::vector<SweepRequest>> requests_of(const SweepChoices& choices, const SweepRequest& base) {
  std::vector<SweepRequest> requests;
  SweepRequest request = base;
  Result<std::vector<uint64_t>> sizes = parse_sizes("--sizes", choices.sizes);
  if (!sizes) return sizes.error();
  Result<std::vector<Dim3>> blocks = parse_blocks("--blocks", choices.blocks);
  if (!blocks) return blocks.error();
  if (choices.blocks.empty() && !choices.sizes.empty()) {
    request.kind = SweepKind::sizes;
    request.sizes = std::move(*sizes);
    return std::vector{request};
  }
  request.kind = SweepKind::blocks;
  request.blocks = choices.blocks.empty()
                       ? with_todays(usual_blocks(*base.kernel, base.device), base.setup.block)
                       : std::move(*blocks);
  if (choices.sizes.empty()) return std::vector{request};
  for (const uint64_t size : *sizes) {
    Result<KernelSetup> sized = sized_setup(*base.kernel, base.setup, size);
    if (!sized) return Error{sized.error().kind, fmt::format("--sizes {}: {}", size, sized.error().message)};
    request.setup = std::move(*sized);
    requests.push_back(request);
  }
  return requests;
}

Result<SweepRequest> base_request(const SweepChoices& choices, Cli& cli) {
  Result<Device> device = find_device(choices.run.device, cli.real_gpus);
  if (!device) return device.error();
  const Result<ChosenKernel> kernel = chosen_kernel(choices.run, *device, cli);
  if (!kernel) return kernel.error();
  Result<KernelSetup> setup = kernel_setup(*kernel->kernel, choices.run);
  if (!setup) return setup.error();
  Result<RunOptions> options = run_options(choices.run);
  if (!options) return options.error();
  options->caches = true;
  options->check = true;  // a fast wrong shape is no best one, and the CPU's time comes with it
  SweepRequest request;
  request.kernel = kernel->kernel;
  request.setup = std::move(*setup);
  request.device = std::move(*device);
  request.options = *options;
  return request;
}

void print(const std::vector<Sweep>& sweeps, const SweepChoices& choices, Cli& cli) {
  if (choices.json) {
    cli.out << sweep_json(sweeps);
    return;
  }
  for (size_t i = 0; i < sweeps.size(); ++i) cli.out << (i == 0 ? "" : "\n") << sweep_text(sweeps[i]);
}

Result<void> sweep(SweepChoices choices, Cli& cli) {
  if (const Result<void> adopted = adopt_session(choices.run, cli); !adopted) return adopted.error();
  const Result<SweepRequest> base = base_request(choices, cli);
  if (!base) return base.error();
  const Result<std::vector<SweepRequest>> requests = requests_of(choices, *base);
  if (!requests) return requests.error();
  if (!choices.csv.empty())
    if (const Result<void> writable = check_writable(choices.csv); !writable)
      return Error{writable.error().kind, "--csv " + writable.error().message};
  const InterruptGuard interrupt(cli.stop);
  const std::unique_ptr<Backend> backend = cli.make_backend();
  std::vector<Sweep> sweeps;
  for (const SweepRequest& request : *requests) {
    Result<Sweep> done = run_sweep(request, *backend, cli.stop.get_token(), nullptr);
    if (!done) return done.error();
    sweeps.push_back(std::move(*done));
  }
  print(sweeps, choices, cli);
  if (!choices.csv.empty())
    if (const Result<void> written = write_text(choices.csv, sweep_csv(sweeps)); !written)
      return Error{written.error().kind, "--csv " + written.error().message};
  if (cli.stop.stop_requested())
    return Error{ErrorKind::cancelled, "The sweep was cancelled; the points so far are above."};
  return {};
}

}  // namespace

CliCommand sweep_command(Cli& cli) {
  const auto choices = std::make_shared<SweepChoices>();
  CliCommand command{
      "sweep",
      "Run a kernel with many block shapes or sizes and compare them",
      {{.name = "kernel",
        .value = &choices->run.target,
        .help = "Built-in kernel (warplens kernels), CUDA C++, PTX or a session",
        .value_name = "KERNEL|FILE.cu|FILE.ptx|FILE.json",
        .required = true},
       {"--blocks", &choices->blocks, "Block shapes to try (default: the usual ones and --block)",
        "32,64,16x16,…"},
       {"--sizes", &choices->sizes,
        "Sizes to try: elements, the side of a matrix or the width of a picture; without --blocks also: from "
        "which size the GPU is faster than the CPU",
        "N,N,…"}},
      [choices, &cli] { return sweep(*choices, cli); }};
  command.add(kernel_options(choices->run));
  command.add(gpu_options(choices->run));
  command.add({{"--repeat", &choices->run.repeat, "Real GPU: measured runs of each point", "N"},
               {"--workers", &choices->run.workers, "Cores to use; 0 for all", "N"},
               {"--csv", &choices->csv, "Write the table as CSV", "FILE"},
               {"--json", &choices->json, "Print JSON"}});
  return command;
}

}  // namespace warplens
