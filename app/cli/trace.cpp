// warplens trace: one block of a launch, warp instruction by warp instruction.
#include <fmt/format.h>

#include <ostream>

#include "app/cli/choices.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/trace_lines.h"
#include "app/cli/trace_text.h"
#include "app/cli/values.h"
#include "core/base/system/files.h"
#include "core/job/named_variables.h"

namespace warplens {

namespace {

struct TraceChoices {
  RunChoices run;
  std::string at = "0", warp, lane, from, count, launch = "0", turns;
  std::vector<std::string> breaks, watches, names;
  bool registers = false, optimized = false, earlier_blocks = false;
  std::string json;
};

struct TracePlan {
  Dim3 block{0, 0, 0};
  stepping::Options options;
  std::optional<uint32_t> warp, lane;
  uint64_t from = 0, count = 100;
};

Result<void> set_count(const char* option, const std::string& text, uint64_t maximum, auto& value) {
  if (text.empty()) return {};
  const Result<uint64_t> parsed = parse_count(option, text, 0, maximum);
  if (!parsed) return parsed.error();
  value = static_cast<uint32_t>(*parsed);  // the maximum fits
  return {};
}

Result<TracePlan> plan_of(const TraceChoices& choices) {
  TracePlan plan;
  const Result<Dim3> at = parse_place("--at", choices.at);
  if (!at) return at.error();
  plan.block = *at;
  if (!choices.breaks.empty() || !choices.watches.empty()) plan.count = 10;
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

Error named(const std::string& option, const Error& error) {
  return {error.kind, fmt::format("{}: {}", option, error.message)};
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == std::string::npos;
}

// "12", "kernel.cu:12", "ptx:30" or a function, then perhaps " if CONDITION".
Result<stepping::Breakpoint> breakpoint_of(const std::string& text, const stepping::BlockStepper& stepper) {
  stepping::Breakpoint breakpoint;
  const std::string padded = text + ' ';
  const size_t condition = padded.find(" if ");
  std::string place = text.substr(0, condition);
  if (condition != std::string::npos) {
    if (condition + 4 < text.size()) breakpoint.condition = text.substr(condition + 4);
    if (breakpoint.condition.find_first_not_of(' ') == std::string::npos)
      return bad_input(
          "there is no condition after \"if\"; write one, as in lane == 17, or leave out \"if\"");
  }
  if (place.find_first_not_of(' ') == std::string::npos)
    return bad_input("name a place: a line of the kernel, FILE:LINE, ptx:LINE or a function");
  const size_t colon = place.rfind(':');
  const std::string line = colon == std::string::npos ? place : place.substr(colon + 1);
  const std::string file = colon == std::string::npos ? "" : place.substr(0, colon);
  if (!is_number(line)) {
    if (file == "ptx") return bad_input(fmt::format("\"{}\" is no line of the PTX; write a number", line));
    breakpoint.kind = stepping::Breakpoint::Kind::function;
    breakpoint.function = place;
    return breakpoint;
  }
  breakpoint.line = static_cast<uint32_t>(std::stoul(line));
  bool has_lines = false;
  for (uint32_t i = 0; i < stepper.table().instructions(); ++i)
    has_lines = has_lines || stepper.table().instruction(i).line != 0;
  if (file == "ptx" || (file.empty() && !has_lines)) return breakpoint;
  breakpoint.kind = stepping::Breakpoint::Kind::source_line;
  breakpoint.file = file;
  return breakpoint;
}

// "out", "out+148" or "out+148,4": where a buffer is written.
Result<stepping::Breakpoint> watch_of(const std::string& text, const stepping::BlockStepper& stepper) {
  stepping::Breakpoint watch;
  watch.kind = stepping::Breakpoint::Kind::write;
  const size_t plus = text.find('+'), comma = text.find(',');
  const std::string name = text.substr(0, std::min(plus, comma));
  uint64_t offset = 0;
  if (plus != std::string::npos) {
    const Result<uint64_t> parsed = parse_count(
        "--watch " + text + ": OFFSET",
        text.substr(plus + 1, comma == std::string::npos ? comma : comma - plus - 1), 0, UINT64_MAX / 2);
    if (!parsed) return parsed.error();
    offset = *parsed;
  }
  std::string names;
  for (const stepping::DeviceMemory& memory : stepper.device_memory()) {
    names += (names.empty() ? "" : ", ") + memory.name;
    if (memory.name != name) continue;
    watch.address = memory.address + offset;
    watch.bytes = plus == std::string::npos && comma == std::string::npos ? memory.bytes : 4;
    if (comma != std::string::npos) {
      const Result<uint64_t> bytes =
          parse_count("--watch " + text + ": BYTES", text.substr(comma + 1), 1, UINT64_MAX / 2);
      if (!bytes) return bytes.error();
      watch.bytes = *bytes;
    }
    if (offset >= memory.bytes)
      return bad_input(fmt::format("--watch {}: {} has {} bytes", text, name, memory.bytes));
    return watch;
  }
  return bad_input(
      fmt::format("--watch {}: there is no buffer of the name \"{}\"; there are {}", text, name, names));
}

Result<void> add_stops(const TraceChoices& choices, const TracePlan& plan, stepping::BlockStepper& stepper) {
  for (const std::string& text : choices.breaks) {
    Result<stepping::Breakpoint> breakpoint = breakpoint_of(text, stepper);
    if (!breakpoint) return named("--break " + text, breakpoint.error());
    breakpoint->warp = plan.warp;
    if (const Result<uint32_t> added = stepper.add(*breakpoint); !added)
      return named("--break " + text, added.error());
  }
  for (const std::string& text : choices.watches) {
    Result<stepping::Breakpoint> watch = watch_of(text, stepper);
    if (!watch) return watch.error();
    watch->warp = plan.warp;
    if (const Result<uint32_t> added = stepper.add(*watch); !added)
      return named("--watch " + text, added.error());
  }
  return {};
}

// What is stepped.
struct Stepped {
  std::shared_ptr<const LaunchRequest> request;
  std::string note;       // a line for people
  bool compiled = false;  // once more, for the names
};

// With names, if there is a source and a compiler for it. Otherwise the code that runs, and why.
Result<Stepped> stepped_code(const TraceChoices& choices, const std::shared_ptr<const LaunchRequest>& request,
                             const std::stop_token& stop) {
  if (choices.optimized || has_named_variables(*request->module)) return Stepped{request, ""};
  Result<LaunchRequest> named = with_named_variables(*request, stop);
  if (!named && named.error().kind == ErrorKind::cancelled) return named.error();
  if (!named) return Stepped{request, "Without names of variables. " + named.error().message};
  constexpr const char* note =
      "Compiled once more, without optimisation, so that variables have names; --optimized steps the code "
      "that "
      "runs.";
  return Stepped{std::make_shared<LaunchRequest>(std::move(named).value()), note, true};
}

// Of a block at its end, whether the code that runs does the same.
std::optional<Agreement> agreement(const Stepped& code, const Job& job, const TracePlan& plan,
                                   const stepping::BlockStepper& stepper, const std::stop_token& stop) {
  if (!code.compiled || stepper.end() != stepping::End::finished) return std::nullopt;
  const Result<Agreement> found = agreement_of(stepper, *job.request, plan.options, stop);
  return found ? std::optional(*found) : std::nullopt;
}

std::string about(const stepping::BlockStepper& stepper, const TracePlan& plan, const std::string& note) {
  const LaunchStep& launch = stepper.launch();
  return fmt::format("{} on {}: block ({},{},{}) of {} x {} x {}, {} threads in {} warp{}. {}\n{}\n",
                     stepper.request().kernel, stepper.request().device.name, plan.block.x, plan.block.y,
                     plan.block.z, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.count(),
                     stepper.warps(), stepper.warps() == 1 ? "" : "s",
                     plan.options.earlier_blocks
                         ? "The blocks before it have run."
                         : "It runs alone, on the memory that its launch starts with.",
                     note.empty() ? "" : note + "\n");
}

// Goes to the beginning of the trace: a position, or the first place where a breakpoint stops.
Result<std::string> go_to_start(const TraceChoices& choices, const TracePlan& plan,
                                stepping::BlockStepper& stepper, const std::stop_token& stop) {
  const stepping::Stop jumped = stepper.jump(plan.from, stop);
  if (jumped.why == stepping::Why::cancelled) return Error{ErrorKind::cancelled, jumped.message};
  if (choices.breaks.empty() && choices.watches.empty()) return std::string();
  const std::optional<stepping::Stop> here = stepper.here();
  const stepping::Stop stopped = here ? *here : stepper.run({}, stop);
  if (stopped.why == stepping::Why::cancelled) return Error{ErrorKind::cancelled, stopped.message};
  if (stopped.why == stepping::Why::finished)
    return fmt::format("Nothing stopped it in {} instructions.\n", stopped.position);
  return fmt::format("Position {}: {}\n", stopped.position, stopped.message);
}

// Runs further and passes on each requested instruction.
template <class F>
void follow(const TracePlan& plan, stepping::BlockStepper& stepper, const std::stop_token& stop, F write) {
  for (uint64_t shown = 0; shown < plan.count && !stop.stop_requested();) {
    const std::optional<TraceEntry> next = stepper.next();
    if (!next) return;
    const uint64_t index = stepper.position();
    stepper.jump(index + 1);
    if (plan.warp && next->warp != *plan.warp) continue;
    if (plan.lane && (next->active >> *plan.lane & 1) == 0) continue;
    write(TracedInstruction{index, *next});
    ++shown;
  }
}

// The same line by line. What only loads parameters is left out.
template <class F>
void follow_lines(const TracePlan& plan, stepping::BlockStepper& stepper, LineWriter& writer,
                  const std::stop_token& stop, F write) {
  for (uint64_t shown = 0; shown < plan.count && !stop.stop_requested();) {
    const std::optional<TraceEntry> next = stepper.next();
    if (!next) return;
    const bool skipped =
        (plan.warp && next->warp != *plan.warp) || (plan.lane && (next->active >> *plan.lane & 1) == 0);
    if (skipped) {
      stepper.jump(stepper.position() + 1);
      continue;
    }
    const std::optional<TracedLine> line = writer.step();
    if (!line || line->is_preparation) continue;
    write(*line);
    ++shown;
  }
}

ReportJson document(const stepping::BlockStepper& stepper, const TracePlan& plan) {
  const LaunchStep& launch = stepper.launch();
  const auto extent = [](Dim3 d) { return ReportJson{d.x, d.y, d.z}; };
  return {{"kernel", stepper.request().kernel},
          {"entry", launch.entry},
          {"device", stepper.request().device.name},
          {"grid", extent(launch.grid)},
          {"block", extent(launch.block)},
          {"at", extent(plan.block)},
          {"earlier_blocks", plan.options.earlier_blocks}};
}

bool by_lines(const TraceChoices& choices, const stepping::BlockStepper& stepper) {
  return !choices.registers && stepper.no_variables().empty();
}

std::string why_no_lines(const TraceChoices& choices, const stepping::BlockStepper& stepper) {
  return choices.registers ? "registers were asked for" : stepper.no_variables();
}

Result<void> write_json(const TraceChoices& choices, const TracePlan& plan, stepping::BlockStepper& stepper,
                        Cli& cli) {
  ReportJson json = document(stepper, plan);
  json["no_variables"] =
      by_lines(choices, stepper) ? ReportJson() : ReportJson(why_no_lines(choices, stepper));
  if (by_lines(choices, stepper)) {
    LineWriter writer(stepper, plan.lane);
    json["lines"] = ReportJson::array();
    follow_lines(plan, stepper, writer, cli.stop.get_token(),
                 [&](const TracedLine& traced) { json["lines"].push_back(writer.json(traced)); });
  } else {
    TraceWriter writer(stepper, plan.lane);
    json["instructions"] = ReportJson::array();
    follow(plan, stepper, cli.stop.get_token(),
           [&](const TracedInstruction& traced) { json["instructions"].push_back(writer.json(traced)); });
  }
  json["position"] = stepper.position();
  json["end"] = stepper.end() == stepping::End::none ? ReportJson() : ReportJson(stepper.end_message());
  const std::string text = json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (choices.json != "-") return write_text(choices.json, text);
  cli.out << text;
  return {};
}

void write_end(const stepping::BlockStepper& stepper, Cli& cli) {
  if (stepper.end() == stepping::End::finished) {
    cli.out << "\n" << stepper.end_message() << "\n";
  } else if (stepper.end() == stepping::End::none) {
    cli.out << fmt::format("\nPosition {}; the block goes on (--from {}).\n", stepper.position(),
                           stepper.position());
  }
}

void write_lines(const TracePlan& plan, stepping::BlockStepper& stepper, bool stopped, Cli& cli) {
  LineWriter writer(stepper, plan.lane);
  if (stopped) {
    const uint32_t warp = plan.warp.value_or(stepper.next() ? stepper.next()->warp : 0);
    cli.out << writer.texts().paths(warp) << writer.texts().barriers();
    const std::string variables = writer.variables(warp);
    if (!variables.empty()) cli.out << "Variables of warp " << warp << "\n" << variables << "\n";
  }
  if (stepper.next()) cli.out << LineWriter::heading();
  follow_lines(plan, stepper, writer, cli.stop.get_token(),
               [&](const TracedLine& traced) { cli.out << writer.line(traced); });
  write_end(stepper, cli);
}

void write_instructions(const TraceChoices& choices, const TracePlan& plan, stepping::BlockStepper& stepper,
                        bool stopped, Cli& cli) {
  TraceWriter writer(stepper, plan.lane);
  uint32_t warp = plan.warp.value_or(stepper.next() ? stepper.next()->warp : 0);
  if (stopped) cli.out << writer.paths(warp) << writer.barriers();
  if (stopped && choices.registers)
    cli.out << "Registers of warp " << warp << "\n" << writer.registers(warp) << "\n";
  if (stepper.next()) cli.out << TraceWriter::heading();
  follow(plan, stepper, cli.stop.get_token(), [&](const TracedInstruction& traced) {
    warp = traced.entry.warp;
    cli.out << writer.line(traced);
  });
  write_end(stepper, cli);
  if (choices.registers && !stopped)
    cli.out << "Registers of warp " << warp << "\n" << writer.registers(warp);
}

void write_page(const TraceChoices& choices, const TracePlan& plan, stepping::BlockStepper& stepper,
                const std::string& stopped, const std::string& note, Cli& cli) {
  const bool lines = by_lines(choices, stepper);
  // A text that has debug information, but none that can be used, says why.
  const bool unusable = note.empty() && !choices.optimized && !choices.registers && !lines;
  cli.out << about(stepper, plan, unusable ? "Without names of variables. " + stepper.no_variables() : note);
  if (!stopped.empty()) cli.out << stopped << "\n";
  if (!stepper.next() && plan.from > stepper.position())
    cli.out << fmt::format("There are only {} instructions.\n", stepper.position());
  if (lines) {
    write_lines(plan, stepper, !stopped.empty(), cli);
  } else {
    write_instructions(choices, plan, stepper, !stopped.empty(), cli);
  }
}

Result<void> trace(TraceChoices choices, Cli& cli) {
  if (const Result<void> adopted = adopt_session(choices.run, cli); !adopted) return adopted.error();
  const Result<TracePlan> plan = plan_of(choices);
  if (!plan) return plan.error();
  if (const Result<void> writable = check_report(choices.json); !writable) return writable.error();
  const Result<RunOptions> options = run_options(choices.run);
  if (!options) return options.error();
  const Result<Device> device = find_device(choices.run.device, cli.real_gpus);
  if (!device) return device.error();
  const InterruptGuard interrupt(cli.stop);
  const Result<Job> job = job_of(choices.run, *device, *options, cli);
  if (!job) return job.error();
  const Result<Stepped> code = stepped_code(choices, job->request, cli.stop.get_token());
  if (!code) return code.error();
  Result<stepping::BlockStepper> stepper =
      stepping::BlockStepper::open(code->request, plan->block, plan->options, cli.stop.get_token());
  if (!stepper) return stepper.error();
  if (plan->warp && *plan->warp >= stepper->warps())
    return bad_input(
        fmt::format("--warp {}: the block has {} warps, counted from 0", *plan->warp, stepper->warps()));
  if (const Result<void> added = add_stops(choices, *plan, *stepper); !added) return added.error();
  const Result<std::string> stopped = go_to_start(choices, *plan, *stepper, cli.stop.get_token());
  if (!stopped) return stopped.error();
  if (choices.json != "-") {
    write_page(choices, *plan, *stepper, *stopped, code->note, cli);
    if (const auto agrees = agreement(*code, *job, *plan, *stepper, cli.stop.get_token()))
      cli.out << sentence_of(*agrees) << "\n";
  }
  if (!choices.json.empty()) {
    // The page was printed while the trace ran.
    if (choices.json != "-")
      if (const Result<std::string> again = go_to_start(choices, *plan, *stepper, cli.stop.get_token());
          !again)
        return again.error();
    if (const Result<void> written = write_json(choices, *plan, *stepper, cli); !written)
      return named("--json", written.error());
  }
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
      {"--count", &choices.count, "Lines, or instructions, to print (default: 100, or 10 after a stop)", "N"},
      {"--break", &choices.breaks,
       "Begin where this breakpoint stops: LINE, FILE:LINE, ptx:LINE or a function, with a condition of a "
       "lane",
       "'PLACE [if CONDITION]'"},
      {"--watch", &choices.watches, "Begin after a write to these bytes of a buffer",
       "BUFFER[+OFFSET[,BYTES]]"},
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
  };
}

}  // namespace

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
