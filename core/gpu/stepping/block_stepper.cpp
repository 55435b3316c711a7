#include "core/gpu/stepping/block_stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "core/base/system/no_memory.h"
#include "core/gpu/machine/tally.h"
#include "core/gpu/stepping/breakpoints.h"
#include "core/gpu/stepping/engine/engine.h"
#include "core/gpu/stepping/variable_path.h"
#include "core/ptx/parser/parse.h"
#include "core/ptx/print/print.h"

namespace warplens::stepping {

struct BlockStepper::State {
  std::unique_ptr<Engine> engine;
  Breakpoints breakpoints;

  Stop stop_here(Why why, uint32_t warp, std::string message = {}) const;
  Stop end_stop(uint32_t warp) const;
  Stop hit_stop(Why why, const Hit& hit, uint32_t warp) const;
  // Runs one instruction. Returns a stop at a breakpoint, or if nothing can run any more.
  std::optional<Stop> advance(uint32_t warp);
};

BlockStepper::BlockStepper(std::unique_ptr<State> state) : m_state(std::move(state)) {}
BlockStepper::BlockStepper(BlockStepper&&) noexcept = default;
BlockStepper& BlockStepper::operator=(BlockStepper&&) noexcept = default;
BlockStepper::~BlockStepper() = default;

Result<BlockStepper> BlockStepper::open(std::shared_ptr<const LaunchRequest> request, Dim3 block,
                                        const Options& options, std::stop_token stop) {
  Result<std::unique_ptr<Engine>> engine = Engine::open(std::move(request), block, options, stop);
  if (!engine) return engine.error();
  const Engine& opened = **engine;
  return BlockStepper(std::make_unique<State>(
      State{.engine = std::move(engine).value(), .breakpoints = Breakpoints(opened, options.names)}));
}

namespace {

constexpr uint64_t look_for_stop_each = 1024;

// "0–3, 17".
std::string lanes_text(uint32_t lanes) {
  if (lanes == ~0u) return "0 to 31";
  std::string text;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    uint32_t last = lane;
    while (last + 1 < warp_lanes && (lanes >> (last + 1) & 1) != 0) ++last;
    text += text.empty() ? "" : ", ";
    text += last < lane + 2 ? fmt::format("{}", lane) : fmt::format("{}–{}", lane, last);
    lane = last < lane + 2 ? lane : last;
  }
  return text;
}

// The place of a warp when a goal is set.
struct Start {
  uint32_t instruction = UINT32_MAX, line = 0, file = 0;
  size_t depth = 0;
  bool known = false;
};

size_t depth_of(const Engine& engine, uint32_t number, const exec::Path& path) {
  const exec::Warp& warp = engine.block().warps()[number];
  size_t depth = 0;
  for (int32_t join = path.join; join >= 0; join = warp.joins[static_cast<size_t>(join)].parent)
    depth += warp.joins[static_cast<size_t>(join)].call >= 0;
  return depth;
}

Start start_of(const Engine& engine, uint32_t warp) {
  const exec::Path* path = engine.steps().next_path(warp);
  if (path == nullptr) return {};
  const InstructionInfo& info = engine.table().instruction(path->next->instruction);
  return {path->next->instruction, info.line, info.file, depth_of(engine, warp, *path), true};
}

// Whether the warp has reached the goal. `ran` is true if this warp ran last.
bool is_reached(const Engine& engine, const Goal& goal, const Start& start, bool ran) {
  if (goal.kind == Goal::Kind::instruction) return ran;
  const exec::Path* path = engine.steps().next_path(goal.warp);
  if (path == nullptr) return false;
  const uint32_t number = path->next->instruction;
  const InstructionInfo& info = engine.table().instruction(number);
  const size_t depth = depth_of(engine, goal.warp, *path);
  const bool moved = ran || !start.known;
  switch (goal.kind) {
    case Goal::Kind::line:
    case Goal::Kind::over: {
      if (goal.kind == Goal::Kind::over && depth > start.depth) return false;
      if (!moved || info.line == 0) return false;
      // The same instruction again means that a loop has repeated, or that the function calls itself.
      return !start.known || info.line != start.line || info.file != start.file ||
             number == start.instruction || depth != start.depth;
    }
    case Goal::Kind::out:
      return depth < start.depth;
    case Goal::Kind::barrier:
      return moved && info.barrier;
    default:
      return false;
  }
}

}  // namespace

Stop BlockStepper::State::stop_here(Why why, uint32_t warp, std::string message) const {
  return {.why = why, .position = engine->index(), .warp = warp, .message = std::move(message)};
}

Stop BlockStepper::State::end_stop(uint32_t warp) const {
  const Why why = engine->end() == End::finished ? Why::finished
                  : engine->end() == End::fault  ? Why::fault
                  : engine->end() == End::waits  ? Why::waits
                                                 : Why::no_memory;
  Stop stop = stop_here(why, warp, engine->end_message());
  if (engine->end() == End::fault) stop.warp = engine->block().fault().warp;
  return stop;
}

Stop BlockStepper::State::hit_stop(Why why, const Hit& hit, uint32_t warp) const {
  Stop stop =
      stop_here(why, warp,
                fmt::format("{} {}: warp {}, {} {}.", why == Why::breakpoint ? "Breakpoint" : "Watchpoint",
                            hit.breakpoint, warp, std::popcount(hit.lanes) == 1 ? "lane" : "lanes",
                            lanes_text(hit.lanes)));
  stop.breakpoint = hit.breakpoint;
  stop.lanes = hit.lanes;
  return stop;
}

std::optional<Stop> BlockStepper::State::advance(uint32_t warp) {
  if (engine->end() != End::none) return end_stop(warp);
  TraceEntry entry;
  const bool watched = !breakpoints.empty();
  if (watched) {
    entry = engine->next_entry();
    breakpoints.keep(entry);
  }
  engine->advance();
  if (engine->end() == End::no_memory) return end_stop(warp);
  if (watched) {
    if (const auto hit = breakpoints.behind(entry)) return hit_stop(Why::watchpoint, *hit, entry.warp);
  }
  if (engine->end() != End::none) return end_stop(warp);
  if (watched) {
    const TraceEntry next = engine->next_entry();
    if (const auto hit = breakpoints.before(next)) return hit_stop(Why::breakpoint, *hit, next.warp);
  }
  return std::nullopt;
}

Stop BlockStepper::run(const Goal& goal, const std::stop_token& stop, uint64_t most) {
  const Engine& engine = *m_state->engine;
  const bool of_block = goal.kind == Goal::Kind::end || goal.kind == Goal::Kind::instructions;
  if (!of_block && goal.warp >= warps())
    return m_state->stop_here(Why::finished, goal.warp, fmt::format("The block has no warp {}.", goal.warp));
  const Start start = of_block ? Start{} : start_of(engine, goal.warp);
  if (goal.kind == Goal::Kind::out && start.known && start.depth == 0)
    return m_state->stop_here(Why::stepped, goal.warp,
                              "The warp is in the kernel itself, which has no caller to return to.");
  if (goal.kind == Goal::Kind::instructions) most = std::min(most, goal.count);
  for (uint64_t done = 0; done < most; ++done) {
    if (done % look_for_stop_each == 0 && stop.stop_requested())
      return m_state->stop_here(Why::cancelled, goal.warp, "Stepping was cancelled.");
    if (!of_block && engine.block().state(goal.warp) == exec::WarpState::finished)
      return m_state->stop_here(Why::finished, goal.warp, fmt::format("Warp {} has finished.", goal.warp));
    const bool ran = engine.end() == End::none && engine.steps().warp() == goal.warp;
    if (const std::optional<Stop> stopped = m_state->advance(goal.warp)) return *stopped;
    if (!of_block && is_reached(engine, goal, start, ran)) return m_state->stop_here(Why::stepped, goal.warp);
  }
  if (goal.kind == Goal::Kind::instructions) return m_state->stop_here(Why::stepped, goal.warp);
  return m_state->stop_here(Why::limit, goal.warp,
                            fmt::format("Stopped after {} instructions; run on from here.", most));
}

Stop BlockStepper::run_to_line(Breakpoint::Kind kind, uint32_t line, std::optional<uint32_t> warp,
                               const std::stop_token& stop) {
  const Result<uint32_t> added = add({.kind = kind, .line = line, .warp = warp});
  if (!added) return m_state->stop_here(Why::stepped, warp.value_or(0), added.error().message);
  Stop stopped = run({}, stop);
  remove(*added);
  if (stopped.why == Why::breakpoint && stopped.breakpoint == *added) {
    stopped.why = Why::stepped;
    stopped.message.clear();
  }
  return stopped;
}

std::optional<Stop> BlockStepper::here() const {
  const std::optional<TraceEntry> entry = next();
  if (!entry) return std::nullopt;
  const std::optional<Hit> hit = m_state->breakpoints.before(*entry);
  if (!hit) return std::nullopt;
  return m_state->hit_stop(Why::breakpoint, *hit, entry->warp);
}

std::vector<Stop> BlockStepper::all_here() const {
  std::vector<Stop> stops;
  const std::optional<TraceEntry> entry = next();
  if (!entry) return stops;
  for (const Hit& hit : m_state->breakpoints.all_before(*entry))
    stops.push_back(m_state->hit_stop(Why::breakpoint, hit, entry->warp));
  return stops;
}

Stop BlockStepper::step_warp(uint32_t warp, const std::stop_token& stop) {
  Engine& engine = *m_state->engine;
  if (warp >= warps() || engine.block().state(warp) == exec::WarpState::finished)
    return m_state->stop_here(Why::finished, warp, fmt::format("Warp {} has finished.", warp));
  if (engine.end() != End::none) return m_state->end_stop(warp);
  engine.turn_to(warp);
  if (engine.end() == End::no_memory) return m_state->end_stop(warp);
  return run({.kind = Goal::Kind::instruction, .warp = warp}, stop);
}

Stop BlockStepper::back(uint64_t count) {
  Engine& engine = *m_state->engine;
  engine.go_to(engine.index() - std::min(count, engine.index()));
  if (engine.end() == End::no_memory) return m_state->end_stop(0);
  const bool ended = engine.end() != End::none;
  return m_state->stop_here(Why::stepped, ended ? 0 : engine.steps().warp());
}

Stop BlockStepper::jump(uint64_t position, const std::stop_token& stop) {
  Engine& engine = *m_state->engine;
  engine.go_to(std::min(position, engine.recorded()));
  for (uint64_t done = 0; engine.index() < position && engine.end() == End::none; ++done) {
    if (done % look_for_stop_each == 0 && stop.stop_requested())
      return m_state->stop_here(Why::cancelled, 0, "The jump was cancelled.");
    engine.advance();
  }
  if (engine.end() != End::none) return m_state->end_stop(0);
  return m_state->stop_here(Why::stepped, engine.steps().warp());
}

uint64_t BlockStepper::position() const { return m_state->engine->index(); }
uint64_t BlockStepper::recorded() const { return m_state->engine->recorded(); }
std::optional<uint64_t> BlockStepper::length() const { return m_state->engine->length(); }
End BlockStepper::end() const { return m_state->engine->end(); }
std::optional<Incident> BlockStepper::incident() const { return m_state->engine->incident(); }
std::string BlockStepper::end_message() const { return m_state->engine->end_message(); }

std::optional<TraceEntry> BlockStepper::next() const {
  if (end() != End::none) return std::nullopt;
  return m_state->engine->next_entry();
}

std::span<const TraceEntry> BlockStepper::trace() const { return m_state->engine->entries(); }
std::span<const SteppedAccess> BlockStepper::accesses() const { return m_state->engine->accesses(); }

Result<uint32_t> BlockStepper::add(const Breakpoint& breakpoint) {
  return m_state->breakpoints.add(breakpoint);
}
void BlockStepper::remove(uint32_t number) { m_state->breakpoints.remove(number); }
std::vector<uint32_t> BlockStepper::breakpoints() const { return m_state->breakpoints.numbers(); }

uint32_t BlockStepper::warps() const {
  return static_cast<uint32_t>(m_state->engine->block().warps().size());
}
WarpView BlockStepper::warp(uint32_t number) const { return view_warp(*m_state->engine, number); }
std::vector<BarrierView> BlockStepper::barriers() const { return view_barriers(*m_state->engine); }

std::vector<RegisterView> BlockStepper::registers(uint32_t warp) const {
  const Engine& engine = *m_state->engine;
  const exec::Path* path = engine.steps().next_path(warp);
  if (path == nullptr && !engine.block().warps()[warp].paths.empty())
    path = &engine.block().warps()[warp].paths.back();
  return registers(warp, path == nullptr ? 0 : table().instruction(path->next->instruction).function);
}

std::vector<RegisterView> BlockStepper::registers(uint32_t warp, uint32_t function) const {
  return view_registers(*m_state->engine, warp, function);
}

std::vector<RegisterView> BlockStepper::written(const TraceEntry& entry) const {
  const InstructionInfo& info = table().instruction(entry.instruction);
  std::vector<RegisterView> views;
  for (const uint32_t r : info.writes)
    view_register(*m_state->engine, entry.warp, table().first_register(info.function) + r, views);
  return views;
}

std::optional<RegisterView> BlockStepper::find_register(uint32_t warp, std::string_view name) const {
  for (RegisterView& view : registers(warp)) {
    if (view.name == name || (view.name.starts_with('%') && view.name.substr(1) == name))
      return std::move(view);
  }
  return std::nullopt;
}

std::vector<VariableView> BlockStepper::variables(uint32_t warp, uint32_t lanes) const {
  return view_variables(*m_state->engine, warp, lanes);
}
std::vector<CallerView> BlockStepper::callers(uint32_t warp, uint32_t lanes) const {
  return view_callers(*m_state->engine, warp, lanes);
}
std::vector<StackView> BlockStepper::stacks(uint32_t warp) const {
  return view_stacks(*m_state->engine, warp);
}
std::vector<VariableView> BlockStepper::variables(uint32_t warp, const FrameView& frame) const {
  return frame_variables(*m_state->engine, warp, frame);
}
std::vector<VariableView> BlockStepper::common_variables(uint32_t warp) const {
  return view_common_variables(*m_state->engine, warp);
}
const std::string& BlockStepper::no_variables() const { return m_state->engine->variable_table().reason(); }
std::vector<VariableView> BlockStepper::parts(uint32_t warp, const VariableView& view, uint64_t first,
                                              uint64_t count) const {
  return view_parts(*m_state->engine, warp, view, first, count);
}
uint64_t BlockStepper::count_of_parts(const VariableView& view) const {
  return stepping::count_of_parts(*m_state->engine, view);
}
std::string BlockStepper::text_of(uint32_t warp, const VariableView& view, uint32_t lane) const {
  return value_text(*m_state->engine, warp, view, lane);
}
std::optional<VariableView> BlockStepper::find_variable(uint32_t warp, std::string_view name,
                                                        uint32_t lanes) const {
  return stepping::find_variable(*m_state->engine, warp, name, lanes);
}
std::optional<VariableView> BlockStepper::find_part(uint32_t warp, std::string_view path, uint32_t lanes,
                                                    const FrameView* frame) const {
  if (m_state->engine->variables() == nullptr) return std::nullopt;
  const Result<VariablePath> parsed = parse_path(path);
  return parsed ? find_path(*m_state->engine, warp, *parsed, lanes, frame) : std::nullopt;
}
Result<std::vector<expression::Value>> BlockStepper::evaluate(uint32_t warp, std::string_view text,
                                                              uint32_t lanes, const FrameView* frame) const {
  return m_state->breakpoints.evaluate(text, warp, lanes, frame);
}
const VariableTable& BlockStepper::variable_table() const { return m_state->engine->variable_table(); }
const std::vector<SharedArray>& BlockStepper::shared_arrays() const {
  return m_state->engine->shared_arrays();
}

std::span<const uint8_t> BlockStepper::shared_writers() const { return m_state->engine->shared_writers(); }

uint64_t BlockStepper::bytes_of(Space space) const {
  const exec::BlockContext& context = m_state->engine->block().context();
  return space == Space::shared ? context.shared_bytes : space == Space::local ? context.local_bytes : 0;
}

Result<Bytes> BlockStepper::read(Space space, uint64_t address, uint64_t bytes, uint32_t thread) const {
  const Engine& engine = *m_state->engine;
  const std::byte* from = nullptr;
  uint64_t size = 0, at = address;
  const exec::BlockContext& context = engine.block().context();
  if (space == Space::shared) {
    from = context.shared;
    size = context.shared_bytes;
  } else if (space == Space::local) {
    if (thread >= launch().block.count())
      return bad_input(fmt::format("The block has no thread {}.", thread));
    const exec::Warp& warp = engine.block().warps()[thread / warp_lanes];
    from = warp.local + uint64_t{thread % warp_lanes} * context.local_bytes;
    size = context.local_bytes;
  } else if (space == Space::parameter) {
    from = context.parameters;
    size = context.parameter_bytes;
  } else {
    const exec::Allocation* allocation = engine.memory().find(address);
    if (allocation != nullptr) {
      from = allocation->host;
      size = allocation->end - allocation->begin;
      at = address - allocation->begin;
    }
  }
  if (at > size || size - at < bytes) {
    return bad_input(
        fmt::format("There are no {} bytes of {} memory at 0x{:x}.", bytes, to_string(space), address));
  }
  return or_no_memory([&]() -> Result<Bytes> { return Bytes(from + at, from + at + bytes); },
                      "There is not enough memory on this machine for a copy of the bytes. Read fewer.");
}

std::vector<DeviceMemory> BlockStepper::device_memory() const {
  std::vector<DeviceMemory> all;
  for (const exec::Allocation* allocation : m_state->engine->memory().allocations())
    all.push_back(
        {allocation->name, allocation->begin, allocation->end - allocation->begin, allocation->buffer});
  return all;
}

const std::string& BlockStepper::console() const { return m_state->engine->block().console().text; }
const ProgramTable& BlockStepper::table() const { return m_state->engine->table(); }

std::string BlockStepper::text_of(uint32_t instruction) const {
  const program::Program& program = table().program();
  return ptx::print_instruction(*program.module, *program.code_of(instruction).function,
                                program.instruction(instruction));
}

Dim3 BlockStepper::block() const { return m_state->engine->position(); }
const LaunchStep& BlockStepper::launch() const { return m_state->engine->step(); }
const LaunchRequest& BlockStepper::request() const { return m_state->engine->request(); }

Counters BlockStepper::counters() const {
  const Engine& engine = *m_state->engine;
  exec::GridOutcome outcome;
  outcome.counts = engine.counts();
  outcome.memory_ops = engine.memory_ops();
  if (engine.end() == End::fault && engine.steps().state() == exec::StepState::fault) {
    outcome.end = exec::GridOutcome::End::fault;
    outcome.fault = engine.block().fault();
  }
  Counters counters;
  InstructionMix mix;
  std::vector<LineCounters> lines;
  tally(outcome, table().program(), engine.launch().count_memory, counters, mix, lines);
  return counters;
}

uint64_t BlockStepper::hash() const { return m_state->engine->hash(); }
size_t BlockStepper::checkpoints() const { return m_state->engine->checkpoints(); }
size_t BlockStepper::checkpoint_bytes() const { return m_state->engine->checkpoint_bytes(); }

}  // namespace warplens::stepping
