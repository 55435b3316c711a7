// warplens libraries: matrix products, singular values and pi with the device's libraries, built-in kernels
// and the CPU.
#include <fmt/format.h>

#include <ostream>

#include "app/cli/measure/sweep_lists.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/values.h"
#include "core/base/figures.h"
#include "core/job/libraries.h"
#include "core/job/report/report_measured.h"
#include "core/job/run_job.h"

namespace warplens {

namespace {

struct LibraryChoices {
  std::string task, sizes, device, repeat = "1", seed = "0";
  bool json = false;
};

// The default size of a task, and the built-in kernel that does the same work. There is none for an SVD.
struct TaskRow {
  LibraryTask task;
  const char *sizes, *kernel;
};
constexpr TaskRow tasks[] = {
    {LibraryTask::matmul, "64,128,256,512,1024", "matmul_tiled"},
    {LibraryTask::svd, "64,128,256", nullptr},
    {LibraryTask::pi, "524288", "pi_atomic_block"},
};

std::map<std::string, double> values_of(LibraryTask task, uint64_t size, uint64_t seed) {
  const auto side = double(size);
  if (task == LibraryTask::matmul) return {{"m", side}, {"n", side}, {"k", side}};
  constexpr uint64_t turns = 16, points_a_turn = 2;
  return {
      {"turns", double(turns)}, {"n", double(ceil_div(size, turns * points_a_turn))}, {"seed", double(seed)}};
}

Result<std::vector<LibraryRow>> rows_of(const TaskRow& task, uint64_t size, const Device& device,
                                        const RunOptions& options, uint64_t seed, Backend& backend,
                                        Cli& cli) {
  constexpr uint64_t largest_svd = 4096;
  if (task.kernel == nullptr) {
    if (size > largest_svd)
      return bad_input(fmt::format("--sizes {}: at most {}, for the CPU does it too", size, largest_svd));
    LibraryWork work = svd_work(static_cast<uint32_t>(size), seed);
    work.repeat = options.repeat;
    return library_rows(work, device, backend, cli.stop.get_token());
  }
  const Result<const KernelDescription*> kernel = find_kernel(task.kernel);
  if (!kernel) return kernel.error();
  KernelSetup setup = default_setup(**kernel);
  setup.values = values_of(task.task, size, seed);
  setup.data_seed = seed;
  const Result<Job> job = make_job(borrowed(**kernel), setup, device, options);
  if (!job) return Error{job.error().kind, fmt::format("--sizes {}: {}", size, job.error().message)};
  const Result<RunResult> result = run_job(*job, backend, cli.stop.get_token(), nullptr);
  if (!result) return result.error();
  if (result->status != RunStatus::ok) return failed(result->message);
  return library_rows(*result, **kernel, backend, cli.stop.get_token());
}

Result<void> libraries(const LibraryChoices& choices, Cli& cli) {
  const TaskRow* task =
      std::ranges::find(tasks, choices.task, [](const TaskRow& t) { return to_string(t.task); });
  const Result<Device> device = find_device(choices.device, cli.real_gpus);
  if (!device) return device.error();
  const Result<std::vector<uint64_t>> sizes =
      parse_sizes("--sizes", choices.sizes.empty() ? task->sizes : choices.sizes);
  if (!sizes) return sizes.error();
  const Result<uint64_t> repeat = parse_count("--repeat", choices.repeat, 1, 10'000),
                         seed = parse_count("--seed", choices.seed, 0, UINT32_MAX);
  for (const Result<uint64_t>* number : {&repeat, &seed})
    if (!*number) return number->error();
  RunOptions options;
  options.repeat = static_cast<uint32_t>(*repeat);
  options.step_budget = UINT64_MAX;  // our kernels end
  const InterruptGuard interrupt(cli.stop);
  const std::unique_ptr<Backend> backend = cli.make_backend();
  ReportJson list = ReportJson::array();
  bool right = true;
  for (const uint64_t& size : *sizes) {
    const Result<std::vector<LibraryRow>> rows = rows_of(*task, size, *device, options, *seed, *backend, cli);
    if (!rows) return rows.error();
    for (const LibraryRow& row : *rows) right = right && row.right;
    if (choices.json)
      list.push_back({{"size", size}, {"rows", libraries_json(*rows)}});
    else
      cli.out << fmt::format("{}{} on {}, {}\n", &size == sizes->data() ? "" : "\n", choices.task,
                             device->name,
                             task->task == LibraryTask::pi ? thousands(size) + " points"
                                                           : fmt::format("{0} × {0}", thousands(size)))
              << library_text(*rows);
  }
  if (choices.json)
    cli.out << ReportJson{{"schema", 1}, {"task", choices.task}, {"device", device->name}, {"sizes", list}}
                   .dump(2)
            << "\n";
  if (!right) return failed("One of the answers is wrong: it is marked above.");
  return {};
}

}  // namespace

CliCommand libraries_command(Cli& cli) {
  const auto choices = std::make_shared<LibraryChoices>();
  return {"libraries",
          "Compare the times of cuBLAS, cuSOLVER and cuRAND with built-in kernels and the CPU",
          {{.name = "task",
            .value = &choices->task,
            .help = "Work to do",
            .allowed = {"matmul", "svd", "pi"},
            .required = true},
           {"--sizes", &choices->sizes, "Sides of the matrices, or points (default: a few)", "N,N,…"},
           {"--device", &choices->device, "Device (warplens devices)", "NAME"},
           {"--repeat", &choices->repeat, "Measured calls of each (default: as many as fit into 0.4 s)", "N"},
           {"--seed", &choices->seed, "Seed of the data", "N"},
           {"--json", &choices->json, "Print JSON"}},
          [choices, &cli] { return libraries(*choices, cli); }};
}

}  // namespace warplens
