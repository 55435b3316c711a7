// warplens trace: one block of a launch, line by line or warp instruction by warp instruction.
#include <fmt/format.h>

#include <fstream>
#include <ostream>

#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/values.h"
#include "app/cli/trace/trace_follow.h"
#include "app/cli/trace/trace_text.h"
#include "core/base/system/files.h"

namespace warplens {

namespace {

Result<void> set_count(const char* option, const std::string& text, uint64_t maximum, auto& value) {
  if (text.empty()) return {};
  const Result<uint64_t> parsed = parse_count(option, text, 0, maximum);
  if (!parsed) return parsed.error();
  value = static_cast<uint32_t>(*parsed);  // the maximum fits
  return {};
}

Error of_option(const char* option, const Error& error) {
  return {error.kind, fmt::format("{}: {}", option, error.message)};
}

// With names, if there is a source and a compiler for it. Otherwise the code that runs, and why.
Result<SteppedCode> stepped_code(const TraceChoices& choices,
                                 const std::shared_ptr<const LaunchRequest>& request,
                                 const std::stop_token& stop) {
  if (choices.optimized || has_named_variables(*request->module)) return SteppedCode{request, ""};
  Result<LaunchRequest> named = with_named_variables(*request, stop);
  if (!named && named.error().kind == ErrorKind::cancelled) return named.error();
  if (!named) return SteppedCode{request, "Without names of variables. " + named.error().message};
  constexpr const char* note =
      "Compiled again without optimisation, so that variables have names; --optimized steps the code "
      "that runs.";
  return SteppedCode{std::make_shared<LaunchRequest>(std::move(named).value()), note, true};
}

// Goes to the beginning of the trace: a position, or the first place where a breakpoint stops.
Result<std::string> go_to_start(const TracePlan& plan, stepping::BlockStepper& stepper,
                                const std::stop_token& stop) {
  const stepping::Stop jumped = stepper.jump(plan.from, stop);
  if (jumped.why == stepping::Why::cancelled) return Error{ErrorKind::cancelled, jumped.message};
  if (!plan.stops) return std::string();
  const std::optional<stepping::Stop> here = stepper.here();
  const stepping::Stop stopped = here ? *here : stepper.run({}, stop);
  if (stopped.why == stepping::Why::cancelled) return Error{ErrorKind::cancelled, stopped.message};
  if (stopped.why == stepping::Why::finished)
    return fmt::format("Nothing stopped it in {} instructions.\n", stopped.position);
  return fmt::format("Position {}: {}\n", stopped.position, stopped.message);
}

void write_end(const stepping::BlockStepper& stepper, Cli& cli) {
  if (stepper.end() == stepping::End::finished) {
    cli.out << "\n" << stepper.end_message() << "\n";
  } else if (stepper.end() == stepping::End::none) {
    cli.out << fmt::format("\nPosition {}; the block goes on (--from {}).\n", stepper.position(),
                           stepper.position());
  }
}

void write_lines(TracedBlock& traced, Cli& cli) {
  const TracePlan& plan = traced.plan;
  stepping::BlockStepper& stepper = traced.stepper;
  LineWriter writer(stepper, plan.lane);
  if (!traced.stopped.empty()) {
    const uint32_t warp = plan.warp.value_or(stepper.next() ? stepper.next()->warp : 0);
    cli.out << writer.texts().paths(warp) << writer.texts().barriers();
    const std::string variables = writer.variables(warp);
    if (!variables.empty()) cli.out << "Variables of warp " << warp << "\n" << variables << "\n";
  }
  if (stepper.next()) cli.out << LineWriter::heading();
  follow_lines(plan, plan.count_or_default(), stepper, writer, cli.stop.get_token(),
               [&](const TracedLine& line) {
                 cli.out << writer.line(line);
                 return true;
               });
  write_end(stepper, cli);
}

void write_instructions(TracedBlock& traced, Cli& cli) {
  const TracePlan& plan = traced.plan;
  stepping::BlockStepper& stepper = traced.stepper;
  const bool stopped = !traced.stopped.empty();
  TraceWriter writer(stepper, plan.lane);
  uint32_t warp = plan.warp.value_or(stepper.next() ? stepper.next()->warp : 0);
  if (stopped) cli.out << writer.paths(warp) << writer.barriers();
  if (stopped && traced.choices.registers)
    cli.out << "Registers of warp " << warp << "\n" << writer.registers(warp) << "\n";
  if (stepper.next()) cli.out << TraceWriter::heading();
  follow_instructions(
      plan, plan.count_or_default(), stepper, cli.stop.get_token(),
      [&](const TracedInstruction& instruction) {
        warp = instruction.entry.warp;
        cli.out << writer.line(instruction);
        return true;
      },
      plan.from_given);
  write_end(stepper, cli);
  if (traced.choices.registers && !stopped)
    cli.out << "Registers of warp " << warp << "\n" << writer.registers(warp);
}

void write_text_page(TracedBlock& traced, Cli& cli) {
  if (!traced.stopped.empty()) cli.out << traced.stopped << "\n";
  if (!traced.stepper.next() && traced.plan.from > traced.stepper.position())
    cli.out << fmt::format("There are only {} instructions.\n", traced.stepper.position());
  if (traced.by_lines()) {
    write_lines(traced, cli);
  } else {
    write_instructions(traced, cli);
  }
  if (const auto agrees = agreement(traced, cli.stop.get_token())) cli.out << sentence_of(*agrees) << "\n";
}

Result<void> write_json(TracedBlock& traced, Cli& cli) {
  const std::string& path = traced.choices.json;
  if (path == "-") return write_trace_json(traced, cli.out, cli.stop.get_token());
  return write_with(path, [&](const std::string& temporary) -> Result<void> {
    std::ofstream out(temporary, std::ios::binary);
    Result<void> written = write_trace_json(traced, out, cli.stop.get_token());
    out.close();
    if (written && !out) return failed(fmt::format("{} cannot be written: the disk may be full.", path));
    return written;
  });
}

// Everything that was asked for, each from where the trace begins.
Result<void> write_all(TracedBlock& traced, Cli& cli) {
  const TraceChoices& choices = traced.choices;
  const auto again = [&]() -> Result<void> {
    const Result<std::string> there = go_to_start(traced.plan, traced.stepper, cli.stop.get_token());
    return there ? Result<void>() : there.error();
  };
  if (choices.json != "-") cli.out << about(traced);
  if (choices.json != "-" && choices.html.empty()) write_text_page(traced, cli);
  if (!choices.json.empty()) {
    if (Result<void> there = again(); !there) return there;
    if (const Result<void> written = write_json(traced, cli); !written)
      return of_option("--json", written.error());
  }
  if (choices.html.empty()) return {};
  if (Result<void> there = again(); !there) return there;
  const Result<std::string> written = write_trace_page(traced, choices.html, cli.stop.get_token());
  if (!written) return of_option("--html", written.error());
  if (choices.json != "-") cli.out << *written << "\n";
  return {};
}

Result<void> trace(TraceChoices choices, Cli& cli) {
  if (const Result<void> adopted = adopt_session(choices.run, cli); !adopted) return adopted.error();
  const Result<TracePlan> plan = plan_of(choices);
  if (!plan) return plan.error();
  if (const Result<void> writable = check_report(choices.json); !writable) return writable.error();
  if (choices.html == "-") return bad_input("--html -: name a file; a page is opened by a browser");
  if (!choices.html.empty())
    if (const Result<void> writable = check_writable(choices.html); !writable)
      return of_option("--html", writable.error());
  const Result<RunOptions> options = run_options(choices.run);
  if (!options) return options.error();
  const Result<Device> device = find_device(choices.run.device, cli.real_gpus);
  if (!device) return device.error();
  const InterruptGuard interrupt(cli.stop);
  const Result<Job> job = job_of(choices.run, *device, *options, cli);
  if (!job) return job.error();
  const Result<SteppedCode> code = stepped_code(choices, job->request, cli.stop.get_token());
  if (!code) return code.error();
  Result<stepping::BlockStepper> stepper =
      stepping::BlockStepper::open(code->request, plan->block, plan->options, cli.stop.get_token());
  if (!stepper) return stepper.error();
  if (plan->warp && *plan->warp >= stepper->warps())
    return bad_input(
        fmt::format("--warp {}: the block has {} warps, counted from 0", *plan->warp, stepper->warps()));
  if (const Result<void> added = add_stops(choices, *plan, *stepper); !added) return added.error();
  const Result<std::string> stopped = go_to_start(*plan, *stepper, cli.stop.get_token());
  if (!stopped) return stopped.error();
  TracedBlock traced{choices, *plan, *code, *job->request, *stepper, *stopped};
  if (const Result<void> written = write_all(traced, cli); !written) return written.error();
  if (cli.stop.stop_requested())
    return Error{ErrorKind::cancelled, "The trace was cancelled; what it had until then is written"};
  if (stepper->end() != stepping::End::none && stepper->end() != stepping::End::finished)
    return failed(stepper->end_message());
  return {};
}

std::vector<CliOption> trace_options(TraceChoices& choices) {
  return {
      {"--at", &choices.at, "Block of the grid, counted from 0", "X[,Y[,Z]]"},
      {"--warp", &choices.warp, "Only this warp", "N"},
      {"--lane", &choices.lane, "Only the instructions of this lane", "N"},
      {"--from", &choices.from, "Position of the first instruction, over all warps", "N"},
      {"--count", &choices.count,
       "Lines, or instructions (default: 100, or 10 after a stop; of a page, as many as fit)", "N"},
      {"--break", &choices.breaks,
       "Begin where this breakpoint stops: LINE, FILE:LINE, ptx:LINE or a function, with a condition of a "
       "lane",
       "'PLACE [if CONDITION]'"},
      {"--watch", &choices.watches,
       "Begin after a write to a variable, to a part of one as in p.x or list[3], or to these bytes of a "
       "buffer",
       "'VARIABLE|BUFFER[+OFFSET[,BYTES]] [if CONDITION]'"},
      {"--name", &choices.names, "A name for conditions, as in sum=%f3; repeatable", "NAME=REGISTER"},
      {"--registers", &choices.registers,
       "Print instructions instead of lines, and the warp's registers, lane by lane"},
      {"--optimized", &choices.optimized,
       "Step the code that runs, without names of variables, instead of compiling it for that"},
      {"--earlier-blocks", &choices.earlier_blocks,
       "Run the blocks before it first, for blocks that depend on them"},
      {"--launch", &choices.launch, "Number of the launch if there are several, from 0", "N"},
      {"--turns", &choices.turns, "Steps of a warp's turn; with 1, turns change at every basic block", "N"},
      {"--seed", &choices.run.seed,
       "Order of warps and paths: 0 for the usual order, other numbers for random orders", "N"},
      {"--steps", &choices.run.steps, "Step budget", "N"},
      {"--json", &choices.json, "Write the trace as JSON; with -, print only the JSON", "FILE|-"},
      {"--html", &choices.html, "Write the trace as a page that a browser steps through", "FILE"},
  };
}

}  // namespace

Result<TracePlan> plan_of(const TraceChoices& choices) {
  TracePlan plan;
  const Result<Dim3> at = parse_place("--at", choices.at);
  if (!at) return at.error();
  plan.block = *at;
  plan.from_given = !choices.from.empty();
  plan.stops = !choices.breaks.empty() || !choices.watches.empty();
  constexpr uint64_t most = 1'000'000'000;
  uint32_t launch = 0, turns = 0;
  if (choices.turns == "0") return bad_input("--turns 0: a warp needs a turn of at least 1");
  for (const Result<void>& done :
       {set_count("--warp", choices.warp, 31, plan.warp), set_count("--lane", choices.lane, 31, plan.lane),
        set_count("--from", choices.from, most, plan.from),
        set_count("--count", choices.count, most, plan.count),
        set_count("--launch", choices.launch, most, launch),
        set_count("--turns", choices.turns, most, turns)}) {
    if (!done) return done.error();
  }
  plan.options.launch = launch;
  if (!choices.turns.empty()) plan.options.turn_steps = turns;
  plan.options.earlier_blocks = choices.earlier_blocks;
  for (const std::string& name : choices.names) {
    const size_t equals = name.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == name.size())
      return bad_input(fmt::format("--name {}: write NAME=REGISTER, as in sum=%f3", name));
    plan.options.names[name.substr(0, equals)] = name.substr(equals + 1);
  }
  return plan;
}

std::string about(const TracedBlock& traced) {
  const stepping::BlockStepper& stepper = traced.stepper;
  const Dim3 at = traced.plan.block;
  const LaunchStep& launch = stepper.launch();
  // A text that has debug information, but none that can be used, says why.
  const bool unusable = traced.code.note.empty() && !traced.choices.optimized && !traced.choices.registers &&
                        !traced.by_lines();
  const std::string note =
      unusable ? "Without names of variables. " + stepper.no_variables() : traced.code.note;
  return fmt::format(
      "{} on {}: block ({},{},{}) of {} x {} x {}, {} threads in {} warp{}. {}\n{}\n",
      stepper.request().kernel, stepper.request().device.name, at.x, at.y, at.z, launch.grid.x, launch.grid.y,
      launch.grid.z, launch.block.count(), stepper.warps(), stepper.warps() == 1 ? "" : "s",
      traced.plan.options.earlier_blocks ? "The blocks before it have run."
                                         : "It runs alone, on the memory that its launch starts with.",
      note.empty() ? "" : note + "\n");
}

std::optional<Agreement> agreement(const TracedBlock& traced, const std::stop_token& stop) {
  if (!traced.code.compiled || traced.stepper.end() != stepping::End::finished) return std::nullopt;
  const Result<Agreement> found = agreement_of(traced.stepper, traced.original, traced.plan.options, stop);
  return found ? std::optional(*found) : std::nullopt;
}

CliCommand trace_command(Cli& cli) {
  const auto choices = std::make_shared<TraceChoices>();
  CliCommand command{
      "trace",
      "Step through one block: what each line changed, read and wrote, lane by lane",
      {{.name = "what",
        .value = &choices->run.target,
        .help = "Built-in kernel (warplens kernels), CUDA C++, PTX, a launch file or a session",
        .value_name = "KERNEL|FILE.cu|FILE.ptx|FILE.json",
        .required = true}},
      [choices, &cli] { return trace(*choices, cli); }};
  command.add(kernel_options(choices->run));
  command.add(trace_options(*choices));
  return command;
}

}  // namespace warplens
