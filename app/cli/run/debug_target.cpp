// What `warplens debug` steps: a kernel, a launch file, a recording, or what a program launches.
#include "app/cli/run/debug_target.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <utility>

#include "app/cli/shared/choices.h"
#include "app/cli/shared/lesson_folders.h"
#include "app/user_program/program_file.h"
#include "app/user_program/recorded_run.h"
#include "core/base/system/files.h"
#include "core/job/files/own_kernel_file.h"
#include "core/job/files/recorded_job.h"
#include "core/job/named_variables.h"
#include "core/launch/steps.h"
#include "core/lesson/format/challenge.h"
#include "core/recording/recording.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

// An editor rarely looks at more launches; each of them is stored with its memory.
constexpr const char* debugged_launches = "1-50";

std::string title_of(std::string_view entry, Dim3 grid, Dim3 block) {
  return fmt::format("{}, {} {} of {} {}", entry, grid.count(), grid.count() == 1 ? "block" : "blocks",
                     block.count(), block.count() == 1 ? "thread" : "threads");
}

RunChoices choices_of(const dap::LaunchSettings& settings) {
  RunChoices choices;
  choices.target = settings.program;
  choices.device = settings.device;
  choices.grid = settings.grid;
  choices.block = settings.block;
  choices.shared = settings.shared;
  choices.entry = settings.entry;
  choices.image = settings.image;
  choices.data_seed = settings.data_seed;
  choices.compiler = settings.compiler;
  choices.launch = settings.recorded;
  choices.settings = settings.set;
  return choices;
}

// The engine of the debugger is the virtual GPU, whatever this machine has.
Result<Device> device_of(const std::string& name) {
  if (name.starts_with("cuda:"))
    return bad_input(fmt::format(
        "device: {} is a real GPU, which cannot be stepped: name a virtual one, or leave the setting out.",
        name));
  return find_device(name.empty() ? "rtx_3060" : name);
}

std::string source_path_of(const std::string& target) {
  std::error_code error;
  if (!target.ends_with(".cu") || !fs::is_regular_file(target, error)) return "";
  return fs::absolute(target, error).lexically_normal().string();
}

// The name of the source that PTX says it was made of; empty if it does not say.
std::string source_named_by(const std::string& ptx) {
  const size_t at = ptx.find("\n\t.file\t1 \"");
  const size_t begin = at == std::string::npos ? at : ptx.find('"', at) + 1;
  return at == std::string::npos ? "" : ptx.substr(begin, ptx.find('"', begin) - begin);
}

// With the source of the PTX, if it is next to the file that is debugged, or where the PTX says. It has the
// types of arrays that the PTX leaves out.
Job with_source(Job job, const std::string& folder) {
  const ModuleText& module = *job.request->module;
  const bool lacks_source = module.source.empty() && has_named_variables(module);
  const std::string name = lacks_source ? source_named_by(module.ptx) : "";
  if (name.empty() || folder.empty()) return job;
  const fs::path file(name);
  for (const fs::path& path : {fs::path(folder) / file.filename(), file}) {
    if (!path.is_absolute()) continue;
    Result<std::string> text = read_text(path.string(), max_own_source_bytes);
    if (!text) continue;
    auto made = std::make_shared<ModuleText>(module);
    made->source = std::move(text).value();
    made->source_name = file.filename().string();
    auto request = std::make_shared<LaunchRequest>(*job.request);
    request->module = std::move(made);
    job.request = std::move(request);
    return job;
  }
  return job;
}

void add_launches(const Job& job, dap::DebugTarget& target) {
  for (uint32_t i = 0; const LaunchStep* step = nth_launch(*job.request, i); ++i)
    target.launches.push_back({title_of(step->entry, step->grid, step->block), step->grid, step->block, i,
                               [job](std::stop_token) { return Result<Job>(job); }});
}

// Every launch of a recording that can be run again.
Result<void> add_launches(const std::shared_ptr<const recording::Recording>& made, const std::string& name,
                          const Device& device, const RunOptions& options, dap::DebugTarget& target) {
  std::string lacking;
  size_t left_out = 0;
  for (const recording::Event* launch : made->launches) {
    if (launch->launch == nullptr || !launch->launch->lacking.empty()) {
      ++left_out;
      if (launch->launch != nullptr) lacking = launch->launch->lacking;
      continue;
    }
    target.launches.push_back(
        {title_of(launch->name, launch->grid, launch->block), launch->grid, launch->block, 0,
         [made, launch, name, device, options, folder = target.folder](std::stop_token) {
           Result<Job> job = recorded_job(*made, *launch, name, device, options);
           return job ? Result<Job>(with_source(std::move(job).value(), folder)) : job;
         }});
  }
  if (left_out != 0)
    target.notes.push_back(fmt::format("{} of the {} launches cannot be stepped{}{}", left_out,
                                       made->launches.size(), lacking.empty() ? "." : ": ", lacking));
  if (target.launches.empty())
    return bad_input(fmt::format("{}: it has no launch that can be stepped.{}{}", name,
                                 lacking.empty() ? "" : " ", lacking));
  return {};
}

// An answer to a challenge gets its data, and its arguments if it is a program; what is set goes before.
Result<void> take_challenge(dap::LaunchSettings& settings, RunChoices& choices) {
  if (settings.challenge.empty()) return {};
  const Result<lesson::Folder> folder = lesson_folder("challenges", settings.challenge);
  if (!folder) return folder.error();
  const lesson::LoadedChallenge loaded = lesson::load_challenge(*folder, "");
  if (!loaded.ok()) return bad_input(to_text(loaded.diagnostics));
  const lesson::Challenge& challenge = loaded.challenge;
  if (!settings.program.ends_with(".cu"))
    return bad_input(fmt::format("challenge: the answer to {} is a FILE.cu, and {} is none",
                                 settings.challenge, settings.program));
  if (choices.device.empty()) choices.device = challenge.device;
  if (challenge.is_program()) {
    if (settings.args.empty()) settings.args = challenge.arguments_at(challenge.stars_at);
    return {};
  }
  choices.challenge = std::make_shared<const lesson::Challenge>(challenge);
  if (choices.entry.empty()) choices.entry = challenge.entry;
  return {};
}

// Runs it to its end and steps what it launched.
Result<void> open_program(const dap::LaunchSettings& settings, const Device& device,
                          const RunOptions& options, dap::DebugTarget& target, const std::stop_token& stop) {
  std::error_code error;
  program_run::RecordedRun run;
  run.path = fs::absolute(settings.program, error).lexically_normal().string();
  run.arguments = settings.args;
  run.device = device;
  run.variables = !settings.optimized;
  run.launches = settings.recorded.empty() ? debugged_launches : settings.recorded;
  Result<program_run::RecordedEnd> end = program_run::run_recorded(
      run, [](const program_run::RunSoFar&) {}, stop);
  if (!end) return end.error();
  for (const std::string& line : end->so_far.output.lines()) target.printed += line + "\n";
  if (end->stopped) return Error{ErrorKind::cancelled, "The program was stopped."};
  if (!end->not_recorded.empty()) return failed(end->not_recorded + "\n" + target.printed);
  if (!end->recording)
    return bad_input(fmt::format("{} launched no kernel: there is nothing to step.\n{}", settings.program,
                                 target.printed));
  target.notes.push_back(fmt::format(
      "The program has run to its end, with exit status {}. Now its launches are stepped; host code is not.",
      end->status));
  const auto made = std::make_shared<const recording::Recording>(std::move(*end->recording));
  return add_launches(made, fs::path(run.path).filename().string(), device, options, target);
}

}  // namespace

Result<dap::DebugTarget> open_debug_target(dap::LaunchSettings settings, const Cli& cli,
                                           const std::stop_token& stop) {
  dap::DebugTarget target;
  target.name = settings.program;
  target.make_backend = cli.make_backend;
  target.source_path = source_path_of(settings.program);
  std::error_code error;
  if (fs::is_regular_file(settings.program, error))
    target.folder = fs::absolute(settings.program, error).lexically_normal().parent_path().string();
  RunChoices choices = choices_of(settings);
  if (const Result<void> taken = take_challenge(settings, choices); !taken) return taken.error();
  // What commands print goes to the editor: standard output has the protocol.
  std::ostringstream out, err;
  Cli quiet{out, err, cli.make_backend, nullptr, cli.stop};
  const bool is_kernel = find_kernel(choices.target).ok();
  const bool is_program = !is_kernel && choices.entry.empty() && program_run::is_program_file(choices.target);
  const bool is_recording = choices.target.ends_with(".warplens");
  if (!is_program && !settings.args.empty())
    return bad_input("args: they are for programs and scripts; " + settings.program + " is neither.");
  if (!is_program && !is_recording)
    if (const Result<void> adopted = adopt_session(choices, quiet); !adopted) return adopted.error();
  const Result<RunOptions> options = run_options(choices);
  if (!options) return options.error();
  const Result<Device> device = device_of(choices.device);
  if (!device) return device.error();
  if (is_program) {
    const Result<void> opened = open_program(settings, *device, *options, target, stop);
    if (!opened) return opened.error();
    return target;
  }
  if (is_recording) {
    Result<recording::Recording> read = recording::read_recording(choices.target);
    if (!read) return read.error();
    const auto made = std::make_shared<const recording::Recording>(std::move(*read));
    const Result<Device> recorded = choices.device.empty() ? find_device(made->device) : device;
    if (!recorded) return recorded.error();
    const Result<void> opened = add_launches(made, choices.target, *recorded, *options, target);
    if (!opened) return opened.error();
    return target;
  }
  const Result<Job> job = job_of(choices, *device, *options, quiet);
  if (!job) return job.error();
  if (target.source_path.empty() && choices.session && fs::exists(choices.session->code_path))
    target.source_path = choices.session->code_path;
  add_launches(with_source(*job, target.folder), target);
  if (const std::string said = err.str(); !said.empty())
    target.notes.push_back(said.substr(0, said.size() - 1));
  return target;
}

}  // namespace warplens
