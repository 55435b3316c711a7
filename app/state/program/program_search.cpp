#include "app/state/parts/program_search.h"

#include <set>

#include "core/device/device.h"
#include "core/job/files/recorded_kernel.h"
#include "core/job/findings_pass.h"
#include "core/launch/steps.h"
#include "core/recording/findings.h"

namespace warplens {
namespace {

using recording::Event;

// The launches that a fault of their process ended.
std::set<uint64_t> faulted_launches(const recording::Recording& recording) {
  std::set<uint64_t> faulted;
  for (const auto& [event, launch] : recording::findings_of(recording))
    if (event->is_fault) faulted.insert(launch);
  return faulted;
}

// The run that counts whether the launch is small, and then the search. A launch that is too large ends at
// the step budget.
Result<RunResult> run_of(const recording::Recording& recording, const Event& launch, const std::string& name,
                         const Device& device, bool of_any_size, Backend& backend,
                         const std::stop_token& stop) {
  RunOptions options;
  options.observe = Observe::counters;
  options.check = false;
  options.findings = true;
  if (!of_any_size) options.step_budget = 32 * affordable_findings_instructions;
  // As the window opens it, so that arrays have the names of the source.
  const auto kernel = recorded_kernel(recording, launch, name);
  if (!kernel) return kernel.error();
  KernelSetup setup = default_setup(**kernel);
  if (const auto* step = first_launch(*(*kernel)->recorded))
    setup.shared_dynamic_bytes = step->shared_dynamic_bytes;
  Result<Job> job = make_job(*kernel, setup, device, options);
  if (!job) return job.error();
  job->findings_of_any_size = of_any_size;
  return run_job(*job, backend, stop, nullptr);
}

}  // namespace

Result<ProgramSearch> search_program(const recording::Recording& recording, const std::string& name,
                                     bool of_any_size, Backend& backend, const std::stop_token& stop) {
  ProgramSearch search;
  const std::set<uint64_t> faulted = faulted_launches(recording);
  for (const Event* launch : recording.launches) {
    if (launch->launch == nullptr || !launch->launch->lacking.empty() || faulted.contains(launch->number))
      continue;
    const Result<Device> device = find_device(recording.device_of(*launch));
    if (!device) return device.error();
    const Result<RunResult> result = run_of(recording, *launch, name, *device, of_any_size, backend, stop);
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "The search for mistakes was stopped."};
    const bool is_searched = result && result->looked_for == Sanitize::all;
    ++(is_searched ? search.searched : search.left_out);
    if (!is_searched && search.why.empty())
      search.why = !result                          ? result.error().message
                   : result->not_looked_for.empty() ? result->message
                                                    : result->not_looked_for;
    if (!is_searched) continue;
    for (const Incident& incident : result->findings) search.found.push_back({launch->number, incident});
  }
  return search;
}

}  // namespace warplens
