// warplens profile: what Nsight Compute prints of a launch, without a GPU and without its permission.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <utility>

#include "app/cli/measure/profile_filter.h"
#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/outcome.h"
#include "app/cli/shared/values.h"
#include "app/user_program/compiled_program.h"
#include "app/user_program/program_file.h"
#include "app/user_program/recorded_run.h"
#include "core/base/system/files.h"
#include "core/compile/cuda_source/source_signature.h"
#include "core/job/files/recorded_job.h"
#include "core/job/report/profile/pages.h"
#include "core/system/own_process.h"

namespace warplens {

namespace {

using Profiles = std::vector<profile::LaunchProfile>;

struct ProfileChoices {
  RunChoices run;
  LaunchFilterChoices filter;
  std::vector<std::string> arguments, sections;
  std::string page = "details", metrics, out;
  bool csv = false;
};

// Launches are counted on the virtual GPU. For a real GPU, the virtual device that matches it is used.
Result<Device> profiled_device(const std::string& name, const Cli& cli) {
  Result<Device> device = find_device(name, cli.real_gpus);
  if (!device) return device;
  return device->is_virtual ? *device : twin_of(*device);
}

RunOptions profile_options(RunOptions options) {
  options.observe = Observe::counters;
  options.sm = options.findings = options.fixes = true;
  options.check = false;
  return options;
}

// One job and what became of it. Messages go to cli.err.
Result<Profiles> profiles_of_job(const RunChoices& choices, uint64_t first_id,
                                 const profile::Process& process, Cli& cli) {
  const Result<Device> device = profiled_device(choices.device, cli);
  if (!device) return device.error();
  const Result<RunOptions> options = run_options(choices);
  if (!options) return options.error();
  const Result<Job> job = job_of(choices, *device, profile_options(*options), cli);
  if (!job) return job.error();
  const std::unique_ptr<Backend> backend = cli.make_backend();
  const Result<RunResult> result = run_job(*job, *backend, cli.stop.get_token(), nullptr);
  if (!result) return result.error();
  say_outcome(*result, false, cli);
  Profiles profiles = profile::profiles_of(*result, first_id, process);
  for (profile::LaunchProfile& each : profiles) each.kernel = plain_entry_name(each.kernel);
  return profiles;
}

// Those launches of a kernel, file or session that --launch asks for.
Result<Profiles> profiles_of_kernel(RunChoices choices, Cli& cli) {
  const std::string asked = std::exchange(choices.launch, {});
  std::optional<uint64_t> number;
  if (!asked.empty()) {
    const Result<uint64_t> given = parse_count("--launch", asked, 1, UINT64_MAX);
    if (!given) return given.error();
    number = *given;
  }
  if (const Result<void> adopted = adopt_session(choices, cli); !adopted) return adopted.error();
  Result<Profiles> profiles =
      profiles_of_job(choices, 0, {static_cast<uint64_t>(own_process_id()), "warplens"}, cli);
  if (!profiles || !number) return profiles;
  const size_t launches = profiles->size();
  std::erase_if(*profiles, [&](const profile::LaunchProfile& p) { return p.id + 1 != *number; });
  if (profiles->empty())
    return bad_input(fmt::format("--launch {}: there is no such launch; {} has 1 to {}", *number,
                                 choices.target, launches));
  return profiles;
}

bool can_run_again(const recording::Event& launch) {
  return launch.launch != nullptr && launch.launch->lacking.empty();
}

// The launches of a recording that are profiled, in its order.
Result<std::vector<const recording::Event*>> chosen_launches(const recording::Recording& made,
                                                             const RunChoices& choices, Cli& cli) {
  if (!choices.launch.empty()) {
    const Result<uint64_t> number = parse_count("--launch", choices.launch, 1, UINT64_MAX);
    if (!number) return number.error();
    const Result<const recording::Event*> launch = find_launch(made, *number, choices.target);
    if (!launch) return launch.error();
    return std::vector{*launch};
  }
  const Result<const recording::Event*> first = find_launch(made, 1, choices.target);
  if (!first) return first.error();
  std::vector<const recording::Event*> launches;
  std::ranges::copy_if(made.launches, std::back_inserter(launches),
                       [](const recording::Event* launch) { return can_run_again(*launch); });
  if (launches.empty()) return std::vector{*first};  // it says why
  if (launches.size() < made.launches.size())
    cli.say(
        fmt::format("{} of {} launches can be run again and are profiled: those that were recorded. "
                    "--launch N profiles one, of a program any.",
                    launches.size(), made.launches.size()));
  return launches;
}

Result<Profiles> profiles_of_recording(RunChoices choices, LaunchFilter filter,
                                       const std::shared_ptr<const recording::Recording>& made, Cli& cli) {
  const auto launches = chosen_launches(*made, choices, cli);
  if (!launches) return launches.error();
  if (choices.device.empty()) choices.device = made->device;
  choices.recording = made;
  const std::string program = made->command.empty()
                                  ? choices.target
                                  : std::filesystem::path(made->command.front()).filename().string();
  Profiles all;
  for (const recording::Event* launch : *launches) {
    if (!filter.takes(launch->name)) continue;
    choices.recorded = launch;
    Result<Profiles> some = profiles_of_job(choices, launch->number - 1, {launch->process, program}, cli);
    if (!some) return some;
    for (profile::LaunchProfile& each : *some) {
      each.kernel = launch->name;
      all.push_back(std::move(each));
    }
    if (cli.stop.stop_requested()) break;
  }
  return all;
}

// A program chooses its launches itself.
Result<void> check_program_options(const RunChoices& choices) {
  const std::pair<const char*, bool> of_kernels[] = {
      {"--grid", !choices.grid.empty()},     {"--block", !choices.block.empty()},
      {"--shared", !choices.shared.empty()}, {"--set", !choices.settings.empty()},
      {"--image", !choices.image.empty()},   {"--data-seed", !choices.data_seed.empty()}};
  for (const auto& [option, given] : of_kernels)
    if (given)
      return bad_input(fmt::format(
          "{}: {} is a program, which chooses its launches itself. Leave the option out, or name one "
          "kernel of a file in CUDA C++ with --entry.",
          option, choices.target));
  return {};
}

// Runs a script or program on the virtual GPU and records its launches. A file in CUDA C++ with a main() is
// compiled first.
Result<Profiles> profiles_of_program(const ProfileChoices& choices, const LaunchFilter& filter, Cli& cli) {
  if (const Result<void> fitting = check_program_options(choices.run); !fitting) return fitting.error();
  const Result<Device> device = profiled_device(choices.run.device, cli);
  if (!device) return device.error();
  program_run::RecordedRun run;
  std::error_code error;
  if (!std::filesystem::is_regular_file(choices.run.target, error))
    return bad_input(fmt::format("{}: there is no such file", choices.run.target));
  run.path = std::filesystem::absolute(choices.run.target, error).string();
  run.arguments = choices.arguments;
  run.device = *device;
  run.launches = choices.run.launch;
  Result<program_run::RecordedEnd> end = program_run::run_recorded(
      run, [](const program_run::RunSoFar&) {}, cli.stop.get_token());
  if (!end) return end.error();
  // Not among the pages, which scripts read.
  if (const uint64_t before = end->so_far.output.left_out(); before != 0)
    cli.say(fmt::format("the first {} lines of the program's output are left out", before));
  for (const std::string& line : end->so_far.output.lines()) cli.err << line << "\n";
  if (end->stopped) return Error{ErrorKind::cancelled, "The program was stopped, so nothing is profiled."};
  // What does not compile is wrong input, as for warplens run.
  if (!end->not_recorded.empty())
    return end->status != 0 ? bad_input(end->not_recorded) : failed(end->not_recorded);
  if (end->status != 0)
    cli.fail(failed(fmt::format("{} ended with exit status {}", choices.run.target, end->status)));
  if (!end->recording)
    return bad_input(fmt::format("{} launched no kernel: there is nothing to profile", choices.run.target));
  return profiles_of_recording(choices.run, filter,
                               std::make_shared<const recording::Recording>(std::move(*end->recording)), cli);
}

// A kernel's name wins over a file of that name.
bool is_program(const RunChoices& choices) {
  const bool is_kernel = find_kernel(choices.target).ok();
  return !is_kernel && choices.entry.empty() && program_run::is_program_file(choices.target);
}

Result<Profiles> profiles_of_any(const ProfileChoices& choices, LaunchFilter& filter, Cli& cli) {
  if (is_program(choices.run)) return profiles_of_program(choices, filter, cli);
  if (!choices.arguments.empty())
    return bad_input(fmt::format("{}: arguments are for programs and scripts; {} is neither",
                                 choices.arguments.front(), choices.run.target));
  if (!choices.run.target.ends_with(".warplens")) {
    Result<Profiles> profiles = profiles_of_kernel(choices.run, cli);
    if (profiles)
      std::erase_if(*profiles, [&](const profile::LaunchProfile& p) { return !filter.takes(p.kernel); });
    return profiles;
  }
  Result<recording::Recording> read = recording::read_recording(choices.run.target);
  if (!read) return read.error();
  return profiles_of_recording(choices.run, filter,
                               std::make_shared<const recording::Recording>(std::move(*read)), cli);
}

Result<Profiles> profiles_of_target(const ProfileChoices& choices, Cli& cli) {
  Result<LaunchFilter> filter = LaunchFilter::make(choices.filter);
  if (!filter) return filter.error();
  Result<Profiles> profiles = profiles_of_any(choices, *filter, cli);
  if (profiles && profiles->empty())
    return bad_input(
        fmt::format("{}: no launch is left that --kernel-name, --launch-skip and --launch-count choose",
                    choices.run.target));
  return profiles;
}

Result<void> profile_launches(const ProfileChoices& choices, Cli& cli) {
  const Result<profile::Selection> selection = profile::select(choices.sections, choices.metrics);
  if (!selection) return selection.error();
  if (!choices.out.empty())
    if (const Result<void> writable = check_writable(choices.out); !writable) return writable.error();
  const InterruptGuard interrupt(cli.stop);
  const Result<Profiles> profiles = profiles_of_target(choices, cli);
  if (!profiles) return profiles.error();
  const profile::Page page = choices.page == "raw"      ? profile::Page::raw
                             : choices.page == "source" ? profile::Page::source
                                                        : profile::Page::details;
  const std::string text = choices.csv ? profile::csv_page(page, *profiles, *selection)
                                       : profile::text_page(page, *profiles, *selection);
  cli.out << text;
  return choices.out.empty() ? Result<void>() : write_text(choices.out, text);
}

std::vector<CliOption> page_options(ProfileChoices& choices) {
  return {
      {"--section", &choices.sections,
       "Section by Nsight Compute's identifier, such as MemoryWorkloadAnalysis, or regex:EXPRESSION; "
       "repeatable\n(default: all)",
       "NAME"},
      {"--metrics", &choices.metrics,
       "Metrics by name, separated by commas; regex:EXPRESSION and group:NAME too", "NAME[,…]"},
      {.name = "--page",
       .value = &choices.page,
       .help = "details: sections and rules; raw: all metrics by name; source: the lines of the kernel",
       .allowed = {"details", "raw", "source"}},
      {"--csv", &choices.csv, "As comma-separated values, with the columns of Nsight Compute"},
      {"--out", &choices.out, "Save the page as well", "FILE"},
  };
}

}  // namespace

CliCommand profile_command(Cli& cli) {
  const auto choices = std::make_shared<ProfileChoices>();
  CliCommand command{
      "profile",
      "What Nsight Compute (ncu) prints of a launch, counted by the virtual GPU: no GPU, no permission",
      {{.name = "what",
        .value = &choices->run.target,
        .help = "Built-in kernel (warplens kernels), CUDA C++, PTX, a launch file, a script or program "
                "(FILE.cu with main() too), a recording",
        .value_name = "KERNEL|FILE.cu|FILE.ptx|SCRIPT.py|FILE.warplens",
        .required = true},
       {.name = "arguments",
        .value = &choices->arguments,
        .help = "Arguments of a script or program, after --",
        .value_name = "ARGUMENTS"}},
      [choices, &cli] {
        leave_out_sets(choices->run.settings);
        return profile_launches(*choices, cli);
      }};
  command.add(page_options(*choices));
  command.add(filter_options(choices->filter));
  std::vector<CliOption> kernel = kernel_options(choices->run);
  const auto launch = std::ranges::find(kernel, "--recorded", &CliOption::name);
  launch->name = "--launch";
  launch->help = "Number of a launch, from 1 (default: all that can be run again)";
  command.add(std::move(kernel));
  return command;
}

}  // namespace warplens
