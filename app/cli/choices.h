// The options of `warplens run` as they were typed, and the job that they ask for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/command.h"
#include "core/files/session_file.h"
#include "core/job/run_job.h"

namespace warplens {

struct RunChoices {
  std::string target;  // a kernel's name, or a FILE.json, FILE.ptx, FILE.cu
  std::string device, grid, block, shared, entry, image;
  std::vector<std::string> settings;
  std::string seed = "0", data_seed, workers = "0", repeat = "1", steps;
  std::string observe, sanitize = "memory";  // no `observe`: counters, and the caches where that is short
  std::string time_limit;
  bool check = false, strict = false, preflight = true, compare = false;
  std::shared_ptr<const Session> session;  // that `target` named; null: none
  std::string out, json;
};

// Options of a run on a real GPU.
std::vector<CliOption> gpu_options(RunChoices& choices);
// Options that every command which runs a kernel understands.
std::vector<CliOption> kernel_options(RunChoices& choices);

Result<RunOptions> run_options(const RunChoices& choices);
// The setup of a kernel: sizes, values and picture.
Result<KernelSetup> kernel_setup(const KernelDescription& kernel, const RunChoices& choices);
// Where the target is a session's file: reads it, and takes its kernel, device and entry where no option says
// otherwise. Called before the device is chosen.
Result<void> adopt_session(RunChoices& choices, Cli& cli);

// A built-in kernel by its name, or one out of a FILE.cu or FILE.ptx, compiled for the device. Warnings of
// the compiler go to cli.err.
struct ChosenKernel {
  std::shared_ptr<const KernelDescription> kernel;
  std::optional<double> compile_ms;  // of a file that was compiled
};
Result<ChosenKernel> chosen_kernel(const RunChoices& choices, const Device& device, Cli& cli);
// Whatever the target is. Sentences that are no errors go to cli.err.
Result<Job> job_of(const RunChoices& choices, const Device& device, const RunOptions& options, Cli& cli);

}  // namespace warplens
