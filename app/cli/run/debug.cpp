// warplens debug: a debug adapter for editors (docs/debug.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/values.h"
#include "app/debug/channel_stream.h"
#include "app/debug/server.h"
#include "app/user_program/program_file.h"
#include "app/user_program/recorded_run.h"
#include "core/job/files/recorded_job.h"
#include "core/launch/steps.h"
#include "core/recording/recording.h"
#include "core/system/loopback.h"

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
        "device: {} is a real GPU, which cannot be stepped: name a virtual one, or leave the setting out.", name));
  return find_device(name.empty() ? "rtx_3060" : name);
}

std::string source_path_of(const std::string& target) {
  std::error_code error;
  if (!target.ends_with(".cu") || !fs::is_regular_file(target, error)) return "";
  return fs::absolute(target, error).lexically_normal().string();
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
    target.launches.push_back({title_of(launch->name, launch->grid, launch->block), launch->grid, launch->block, 0,
                               [made, launch, name, device, options](std::stop_token) {
                                 return recorded_job(*made, *launch, name, device, options);
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

// Runs it to its end and steps what it launched.
Result<void> open_program(const dap::LaunchSettings& settings, const Device& device, const RunOptions& options,
                          dap::DebugTarget& target, const std::stop_token& stop) {
  std::error_code error;
  program_run::RecordedRun run;
  run.path = fs::absolute(settings.program, error).lexically_normal().string();
  run.arguments = settings.args;
  run.device = device;
  run.variables = !settings.optimized;
  run.launches = settings.recorded.empty() ? debugged_launches : settings.recorded;
  Result<program_run::RecordedEnd> end =
      program_run::run_recorded(run, [](const program_run::RunSoFar&) {}, stop);
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

Result<dap::DebugTarget> open_target(const dap::LaunchSettings& settings, const Cli& cli,
                                     const std::stop_token& stop) {
  dap::DebugTarget target;
  target.name = settings.program;
  target.make_backend = cli.make_backend;
  target.source_path = source_path_of(settings.program);
  RunChoices choices = choices_of(settings);
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
  add_launches(*job, target);
  if (const std::string said = err.str(); !said.empty()) target.notes.push_back(said.substr(0, said.size() - 1));
  return target;
}

// One editor after the other, until Ctrl-C.
Result<void> serve_port(const std::string& text, const dap::OpenTarget& open, Cli& cli) {
  const Result<uint64_t> number = parse_count("--port", text, 0, UINT16_MAX);
  if (!number) return number.error();
  Result<LoopbackPort> port = LoopbackPort::listen(static_cast<uint16_t>(*number));
  if (!port) return port.error();
  const InterruptGuard interrupt(cli.stop);
  cli.say(fmt::format("waits for an editor on port {} of this machine (127.0.0.1)", port->port()));
  cli.err.flush();
  const std::stop_token stop = cli.stop.get_token();
  while (!stop.stop_requested()) {
    std::optional<Channel> channel = port->accept(std::chrono::milliseconds(100));
    if (!channel) continue;
    struct Wire {
      std::stop_source over;
      dap::ChannelBuffer buffer;
      std::istream in{&buffer};
      explicit Wire(Channel from) : buffer(std::move(from), over.get_token()) {}
    };
    const auto wire = std::make_shared<Wire>(std::move(*channel));
    std::ostream out(&wire->buffer);
    const Result<void> served =
        dap::serve(std::shared_ptr<std::istream>(wire, &wire->in), out, open, stop);
    wire->over.request_stop();
    if (!served) cli.say(served.error().message);
  }
  return {};
}

Result<void> serve_editors(const std::string& port, Cli& cli) {
  const dap::OpenTarget open = [&cli](const dap::LaunchSettings& settings, const std::stop_token& stop) {
    return open_target(settings, cli, stop);
  };
  if (!port.empty()) return serve_port(port, open, cli);
  const InterruptGuard interrupt(cli.stop);
  return dap::serve(std::shared_ptr<std::istream>(&std::cin, [](std::istream*) {}), cli.out, open,
                    cli.stop.get_token());
}

}  // namespace

CliCommand debug_command(Cli& cli) {
  const auto port = std::make_shared<std::string>();
  return {"debug",
          "Debug kernels in an editor: a server of the Debug Adapter Protocol on standard input and output",
          {{"--port", port.get(),
            "Serve on this port of this machine instead, one editor after the other; 0: a free one", "N"}},
          [port, &cli] { return serve_editors(*port, cli); }};
}

}  // namespace warplens
