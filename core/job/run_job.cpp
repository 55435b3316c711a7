#include "core/job/run_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/compile/compiler.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/gpu/timing/time_model.h"
#include "core/job/cache_pass.h"
#include "core/job/findings_pass.h"
#include "core/job/libraries.h"
#include "core/job/sm_pass.h"
#include "core/job/tried_fixes.h"
#include "core/job/warnings/warnings.h"
#include "core/launch/steps.h"
#include "core/ptx/parser/parse.h"

namespace warplens {

namespace {

// What is known about the request before it runs.
struct KnownBefore {
  LaunchShape shape;
  std::optional<Resources> resources;
  std::string no_resources;  // why they are not known
  std::optional<Occupancy> occupancy;
  std::optional<LaunchRefusal> refusal;
};

// .maxntid and .reqntid are rare, and reading them takes a parse, so the text is searched first.
uint32_t max_threads_of(const ModuleText& module, const std::string& entry) {
  if (module.ptx.find("ntid") == std::string::npos) return 0;
  if (module.ptx.find(".maxntid") == std::string::npos && module.ptx.find(".reqntid") == std::string::npos)
    return 0;
  const ptx::ParseResult parsed = ptx::parse(module.ptx, module.ptx_name);
  const ptx::Function* function = parsed.module ? parsed.module->find_entry(entry) : nullptr;
  if (function == nullptr) return 0;
  const std::optional<Dim3>& limit =
      function->required_threads ? function->required_threads : function->max_threads;
  return limit ? static_cast<uint32_t>(std::min<uint64_t>(limit->count(), UINT32_MAX)) : 0;
}

// The sentence for people. If the assembler refused the PTX, its own message follows.
std::string without_resources(const Error& error) {
  return error.message + (error.message.ends_with('.') ? "" : ".") +
         " Registers and occupancy are missing; everything else is exact.";
}

void ask_resources(const LaunchRequest& request, const LaunchStep& launch, KnownBefore& before) {
  if (request.resources_known) {
    before.resources = request.resources;
    return;
  }
  Result<Resources> resources =
      resources_of(request.module->ptx, launch.entry, request.device.compute_capability,
                   {.max_registers = request.max_registers});
  if (resources)
    before.resources = *resources;
  else
    before.no_resources = without_resources(resources.error());
}

KnownBefore look_before(const LaunchRequest& request, const LaunchStep& launch) {
  KnownBefore before;
  before.shape = shape_of(launch);
  const uint32_t max_threads = max_threads_of(*request.module, launch.entry);
  before.refusal = check_launch(request.device, before.shape, nullptr, max_threads);
  ask_resources(request, launch, before);
  if (!before.resources) return before;
  if (!before.refusal)
    before.refusal = check_launch(request.device, before.shape, &*before.resources, max_threads);
  const uint64_t threads = before.shape.block.count();
  if (threads == 0 || threads > request.device.limits.max_threads_per_block) return before;
  before.occupancy =
      occupancy_of(request.device, {static_cast<uint32_t>(threads), before.resources->registers_per_thread,
                                    before.resources->shared_static_bytes, before.shape.shared_dynamic_bytes,
                                    before.shape.grid.count()});
  return before;
}

// The report describes the first launch, but no launch of the sequence may be refused. `all` gets what is
// known about each launch, in order.
std::optional<LaunchRefusal> refusal_of_later(const LaunchRequest& request, const LaunchStep* first,
                                              std::vector<KnownBefore>& all) {
  for (const Step& step : request.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr || launch == first) continue;
    const KnownBefore before = look_before(request, *launch);
    all.push_back(before);
    if (before.refusal) {
      LaunchRefusal refusal = *before.refusal;
      refusal.message = fmt::format("The launch of {}: {}", launch->entry, refusal.message);
      return refusal;
    }
  }
  return std::nullopt;
}

Warning resources_unknown(const std::string& why) {
  Warning warning;
  warning.id = WarningId::resources_unknown;
  warning.title = "Registers are not known";
  warning.message = why;
  return warning;
}

bool copies_between_launches(const LaunchRequest& request) {
  bool launched = false, copied = false;
  for (const Step& step : request.steps) {
    if (std::holds_alternative<LaunchStep>(step)) {
      if (copied) return true;
      launched = true;
    } else if (std::holds_alternative<CopyInStep>(step) || std::holds_alternative<CopyOutStep>(step)) {
      copied = launched;
    }
  }
  return false;
}

void add_warnings(const Job& job, const KnownBefore& before, RunResult& result) {
  const WarningInput input{
      .device = result.request->device,
      .shape = before.shape,
      .problem = job.problem,
      .resources = before.resources ? &*before.resources : nullptr,
      .occupancy = before.occupancy ? &*before.occupancy : nullptr,
      .counters = result.counters ? &*result.counters : nullptr,
      .block_is_bound = job.kernel && is_block_bound(*job.kernel),
      .lines = &result.lines,
      .times = &result.time,
      .copies_between_launches = copies_between_launches(*result.request),
  };
  std::vector<Warning> warnings = launch_warnings(input);
  result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
}

const OutputBuffer* find_output(const RunResult& result, const std::string& name) {
  for (const OutputBuffer& output : result.outputs)
    if (output.bytes && result.request->buffers[output.index].name == name) return &output;
  return nullptr;
}

Check check_expectation(const Expectation& expectation, const RunResult& result) {
  if (const OutputBuffer* output = find_output(result, expectation.buffer))
    return compare_buffers(expectation.buffer, expectation.dtype, *output->bytes, *expectation.bytes,
                           expectation.rtol);
  Check check;
  check.buffer = expectation.buffer;
  check.message = fmt::format("{} was not copied back, so it cannot be checked", expectation.buffer);
  return check;
}

void add_checks(const Job& job, RunResult& result) {
  if (!job.check || result.status != RunStatus::ok) return;
  if (job.kernel) {
    CheckedAgainstCpu checked = check_against_cpu(*job.kernel, *result.request, result);
    // Without a check there is no reference, so its time is not known.
    if (!checked.checks.empty()) result.host.cpu_ms = checked.cpu_ms;
    result.checks = std::move(checked.checks);
  }
  for (const Expectation& expectation : job.expectations)
    result.checks.push_back(check_expectation(expectation, result));
  const auto wrong = std::ranges::find(result.checks, false, &Check::equal);
  if (wrong == result.checks.end()) return;
  result.status = RunStatus::check_failed;
  result.message = wrong->message;
}

void describe(const std::vector<KnownBefore>& launches, const LaunchStep& launch, RunResult& result) {
  const KnownBefore& first = launches.front();
  if (result.entry.empty()) result.entry = launch.entry;
  result.shape = first.shape;
  if (!result.resources) result.resources = first.resources;
  if (!result.occupancy) result.occupancy = first.occupancy;
  for (size_t i = 0; i < std::min(launches.size(), result.launches.size()); ++i) {
    result.launches[i].resources = launches[i].resources;
    result.launches[i].occupancy = launches[i].occupancy;
  }
}

// Keeps the times that the backend measured and models the others. The compile time was measured by the
// caller.
void add_times(const Job& job, RunResult& result) {
  TimesUs& time = result.time;
  if (job.compile_ms) time.compile = *job.compile_ms * 1000;
  if (time.kernel || time.copy_in || time.copy_out || time.launch) return;
  const std::optional<double> compile = time.compile;
  time = times_of(model_times(result, default_time_parameters()));
  if (compile && !time.kernel && !time.copy_in && !time.copy_out && !time.launch)
    time.source = Provenance::measured;
}

// A backend may find out on its own that CUDA would refuse the module, or that it was stopped early.
Result<RunResult> result_of_error(const Error& error) {
  RunResult result;
  if (error.kind == ErrorKind::refused)
    result.status = RunStatus::refused;
  else if (error.kind == ErrorKind::cancelled)
    result.status = RunStatus::cancelled;
  else
    return error;
  result.message = error.message;
  return result;
}

RunResult refused(const LaunchRefusal& refusal) {
  RunResult result;
  result.status = RunStatus::refused;
  result.cuda_error = refusal.cuda_error;
  result.message = refusal.message;
  result.consequence = refusal.consequence;
  return result;
}

}  // namespace

std::shared_ptr<const KernelDescription> borrowed(const KernelDescription& kernel) {
  return {std::shared_ptr<const void>(), &kernel};
}

LaunchRequest with_options(LaunchRequest request, const Device& device, const RunOptions& options) {
  request.device = device;
  static_cast<Observation&>(request) = options;
  static_cast<Schedule&>(request) = options;
  static_cast<DeviceOptions&>(request) = options;
  static_cast<Repetition&>(request) = options;
  request.model_caches = options.observe == Observe::trace;
  request.trace_limit = options.observe == Observe::trace ? default_trace_limit : 0;
  return request;
}

Result<Job> make_job(std::shared_ptr<const KernelDescription> kernel, const KernelSetup& setup,
                     const Device& device, const RunOptions& options) {
  const Result<Dim3> problem = problem_size(*kernel, setup);
  if (!problem) return problem.error();
  Result<LaunchRequest> request = make_request(*kernel, setup, device);
  if (!request) return request.error();
  Job job;
  job.request =
      std::make_shared<const LaunchRequest>(with_options(std::move(request).value(), device, options));
  if (!kernel->grid_stride) job.problem = *problem;  // otherwise every element has a thread
  job.kernel = std::move(kernel);
  job.setup = std::make_shared<const KernelSetup>(setup);
  static_cast<Passes&>(job) = options;
  job.libraries = options.libraries && !device.is_virtual;
  return job;
}

Result<RunResult> run_job(const Job& job, Backend& backend, std::stop_token stop, Progress* progress) {
  const LaunchStep* launch = first_launch(*job.request);
  if (launch == nullptr || !job.request->module)
    return bad_input(fmt::format("{}: there is no launch in it, so nothing would run", job.request->kernel));
  KnownBefore before = look_before(*job.request, *launch);
  std::vector<KnownBefore> launches = {before};
  if (!before.refusal) before.refusal = refusal_of_later(*job.request, launch, launches);

  auto request = std::make_shared<LaunchRequest>(*job.request);  // shares the data of the buffers
  request->resources_known = before.resources.has_value();
  if (before.resources) request->resources = *before.resources;

  Result<RunResult> ran =
      before.refusal ? Result<RunResult>(refused(*before.refusal)) : backend.run(request, stop, progress);
  if (!ran) ran = result_of_error(ran.error());
  if (!ran) return ran;
  RunResult& result = *ran;
  if (!result.request) result.request = request;
  describe(launches, *launch, result);
  add_times(job, result);
  if (result.status != RunStatus::refused) add_warnings(job, before, result);
  if (!before.resources) result.warnings.push_back(resources_unknown(before.no_resources));
  add_checks(job, result);
  if (job.libraries && job.kernel) result.libraries = library_rows(result, *job.kernel, backend, stop);
  using Pass = Result<RunResult> (*)(const Job&, const RunResult&, Backend&, std::stop_token);
  for (const auto& [wanted, pass] : {std::pair<bool, Pass>{job.findings, with_findings},
                                     std::pair<bool, Pass>{job.caches || job.sm, with_caches},
                                     std::pair<bool, Pass>{job.fixes, with_fixes}}) {
    if (!wanted) continue;
    Result<RunResult> whole = pass(job, *ran, backend, stop);
    if (!whole) break;  // stopped in a later pass, the run itself is complete
    ran = std::move(whole);
  }
  if (job.sm)
    if (Result<RunResult> whole = with_sm(*ran, stop)) ran = std::move(whole);
  return ran;
}

}  // namespace warplens
