// Prepares a block for stepping: runs the steps of its request up to its launch.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/system/no_memory.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/no_memory.h"
#include "core/gpu/stepping/engine/engine.h"
#include "core/launch/steps.h"

namespace warplens::stepping {

namespace {

// Whether the program writes memory without telling a recorder: with surfaces, bulk copies, or calls of the
// runtime for kernels.
bool writes_unheard(const program::Program& program) {
  if (program.calls_runtime) return true;
  for (uint32_t i = 0; i < program.instructions(); ++i) {
    const ptx::Opcode opcode = program.instruction(i).opcode;
    if (opcode == ptx::Opcode::sust || opcode == ptx::Opcode::sured || opcode == ptx::Opcode::cp) return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(std::shared_ptr<const LaunchRequest> request, Dim3 block,
                                             const Options& options, const std::stop_token& stop) {
  return or_no_memory(
      [&] { return open_there(request, block, options, stop); },
      "There is not enough memory on this machine to step through the block. Choose smaller buffers "
      "or blocks, or less local memory.");
}

Result<std::unique_ptr<Engine>> Engine::open_there(const std::shared_ptr<const LaunchRequest>& request,
                                                   Dim3 block, const Options& options,
                                                   const std::stop_token& stop) {
  if (const Result<void> fine = check_request(*request); !fine) return fine.error();
  std::unique_ptr<Engine> engine(new Engine);
  // The recordings that the request asks for are not needed here.
  LaunchRequest own = *request;
  own.record_writers = own.record_blocks = own.model_caches = false;
  own.trace_limit = 0;
  engine->m_request = std::make_shared<const LaunchRequest>(std::move(own));
  engine->m_options = options;
  if (const Result<void> done = engine->prepare(block, options, stop); !done) return done.error();
  return engine;
}

Result<void> Engine::prepare(Dim3 block, const Options& options, const std::stop_token& stop) {
  m_step = nth_launch(*m_request, options.launch);
  if (m_step == nullptr)
    return bad_input(fmt::format("The request has no launch number {}; the first one is 0.", options.launch));
  const Dim3 grid = m_step->grid;
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
    return bad_input(fmt::format("The grid has no block ({},{},{}): it has {} × {} × {} of them.", block.x,
                                 block.y, block.z, grid.x, grid.y, grid.z));
  }
  m_position = block;
  Result<Programs> programs = load_programs(*m_request, program::DecodeMode::for_stepping);
  if (!programs) return programs.error();
  m_programs = std::move(programs).value();
  Result<Machine> machine = Machine::create(*m_request, m_programs);
  if (!machine) return machine.error();
  m_machine.emplace(std::move(machine).value());
  if (Result<void> done = run_steps_before(options, stop); !done) return done;
  const auto program = m_programs.by_entry.find(m_step->entry)->second;
  Result<exec::GridLaunch> launch = m_machine->prepare(*m_step, *program, 1);
  if (!launch) return launch.error();
  m_launch = std::move(launch).value();
  m_launch.record_blocks = false;
  m_launch.turn_steps = std::max<int64_t>(1, options.turn_steps);
  if (options.earlier_blocks) {
    if (m_step->cooperative)
      return bad_input(
          "The blocks of a cooperative launch wait for each other: none can run before another.");
    exec::GridLaunch earlier = m_launch;
    earlier.end_block = linear_index(block, grid);
    if (Result<void> done = run_before(earlier, *m_step, stop); !done) return done;
  }
  m_table = std::make_unique<ProgramTable>(program);
  m_variable_table =
      std::make_unique<VariableTable>(*m_table, m_request->module->source, m_request->module->source_name);
  start_block();
  return {};
}

Result<void> Engine::run_steps_before(const Options& options, const std::stop_token& stop) {
  std::map<uint32_t, std::shared_ptr<const Bytes>> host;  // arrays after they were copied out
  uint32_t launches = 0;
  for (const Step& step : all_steps(*m_request)) {
    Result<void> done;
    if (const auto* launch = std::get_if<LaunchStep>(&step)) {
      if (launches++ == options.launch) return {};
      const program::Program& program = *m_programs.by_entry.find(launch->entry)->second;
      Result<exec::GridLaunch> ready = m_machine->prepare(*launch, program, 1);
      if (!ready) return ready.error();
      ready->record_blocks = false;
      done = run_before(*ready, *launch, stop);
    } else if (const auto* allocate = std::get_if<AllocateStep>(&step)) {
      done = m_machine->allocate(allocate->buffer);
    } else if (const auto* in = std::get_if<CopyInStep>(&step)) {
      done = m_machine->copy_in(in->buffer, host[in->buffer].get());
    } else if (const auto* out = std::get_if<CopyOutStep>(&step)) {
      host[out->buffer] = m_machine->copy_out(out->buffer);
    } else if (const auto* free = std::get_if<FreeStep>(&step)) {
      m_machine->free(free->buffer);
    }
    if (!done) return done;
  }
  return {};
}

Result<void> Engine::run_before(const exec::GridLaunch& launch, const LaunchStep& step,
                                const std::stop_token& stop) {
  const exec::GridOutcome outcome = exec::run_grid(launch, stop, nullptr);
  if (outcome.end == exec::GridOutcome::End::cancelled)
    return Error{ErrorKind::cancelled, "Running what comes before the block was cancelled."};
  if (outcome.end == exec::GridOutcome::End::out_of_memory) return no_memory_for(launch, step.entry);
  if (outcome.end == exec::GridOutcome::End::finished) return {};
  const Incident incident =
      describe(outcome.fault, *launch.program, m_machine->memory(), outcome.fault_block, step.block);
  return failed(fmt::format("What comes before the block does not run to its end: {}", incident.message));
}

void Engine::start_block() {
  const program::Program& program = m_table->program();
  m_launch.recorder = this;
  m_counts.resize(program.flow.blocks.size());
  m_memory_ops.resize(program.counted.size());
  m_block = std::make_unique<exec::Block>(m_launch, m_counts.data(), m_memory_ops.data());
  const uint64_t index = linear_index(m_position, m_step->grid);
  m_block->start(index, index);
  m_shared_arrays = shared_arrays_of(*m_table, *m_variable_table, m_request->module->source,
                                     m_block->context().shared_bytes);
  m_variable_table->add_declared(m_shared_arrays);
  const size_t warps = m_block->warps().size();
  m_set.assign(warps * m_table->registers(), 0);
  m_saved_sets.resize(warps);
  m_watched_local.assign(warps, 0);
  m_spacing = std::max<uint64_t>(1, m_options.spacing);
  m_history.watch(m_block->frames());
  m_history.watch(m_block->shared());
  m_shared_writers.assign(m_block->context().shared_bytes, 0);
  m_history.watch(std::as_writable_bytes(std::span(m_shared_writers)));
  m_history.watch(std::as_writable_bytes(std::span(m_set)));
  if (!m_variable_table->empty()) {
    m_variables = std::make_unique<VariableState>(*m_variable_table, *m_block, m_history);
    for (uint32_t warp = 0; warp < warps; ++warp) m_variables->begin(warp);
  }
  if (writes_unheard(program)) {
    for (const exec::Allocation* allocation : m_machine->memory().allocations())
      m_history.watch_device(*allocation);
  }
  m_steps = std::make_unique<exec::BlockSteps>(*m_block, m_table->starts());
  m_granted = exec::slice_steps_of(m_launch);
  m_steps->give(m_granted);
  refill();
  note_end();
  m_looked_round = m_steps->rounds();
  if (m_end != End::none) m_length = 0;
  take_checkpoint();
}

}  // namespace warplens::stepping
