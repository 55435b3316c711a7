// The options of `warplens run` as the user typed them, and the job that they describe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/cli.h"
#include "app/cli/shared/command.h"
#include "core/base/diagnostic.h"
#include "core/job/files/session_file.h"
#include "core/job/run_job.h"

namespace warplens {

namespace lesson {
struct Challenge;
}
namespace recording {
struct Recording;
struct Event;
}  // namespace recording

struct RunChoices {
  std::string target;  // a kernel's name, or a FILE.json, FILE.ptx, FILE.cu, FILE.warplens
  std::string launch;  // of a recording
  std::string device, grid, block, shared, entry, image, compiler;
  std::vector<std::string> settings;
  std::string seed = "0", data_seed, workers = "0", repeat = "1", steps;
  std::string observe;   // if empty: counters, and caches if that is quick
  std::string sanitize;  // if empty: memory, and all of a small run
  std::string on_fault = "stop";
  std::string time_limit;
  bool check = false, strict = false, preflight = true, compare = false;
  std::shared_ptr<const Session> session;              // that `target` names; null if none
  std::shared_ptr<const lesson::Challenge> challenge;  // the file in `target` is an answer to it; null if not
  // The kernel that `target` names, and its launch; null if none.
  std::shared_ptr<const recording::Recording> recording;
  const recording::Event* recorded = nullptr;
  std::string out, outputs, json, diagnostics;
  std::vector<Diagnostic>* compiler_said = nullptr;  // gets the compiler's messages in place of the user
};

// Options of a run on a real GPU.
std::vector<CliOption> gpu_options(RunChoices& choices);
// The options of all commands that run a kernel.
std::vector<CliOption> kernel_options(RunChoices& choices);

Result<RunOptions> run_options(const RunChoices& choices);
// The setup of a kernel: sizes, values and picture.
Result<KernelSetup> kernel_setup(const KernelDescription& kernel, const RunChoices& choices);
// If the target is a session file, reads it and uses its kernel, device and entry, unless options give
// others; of a recording, reads the launch and uses its device. Call it before the device is chosen.
Result<void> adopt_session(RunChoices& choices, Cli& cli);

// A built-in kernel by its name, or one from a FILE.cu or FILE.ptx, compiled for the device. Compiler
// warnings go to cli.err.
struct ChosenKernel {
  std::shared_ptr<const KernelDescription> kernel;
  std::optional<double> compile_ms;  // if a file was compiled
};
Result<ChosenKernel> chosen_kernel(const RunChoices& choices, const Device& device, Cli& cli);
// The job for any kind of target. Warnings go to cli.err.
Result<Job> job_of(const RunChoices& choices, const Device& device, const RunOptions& options, Cli& cli);

}  // namespace warplens
