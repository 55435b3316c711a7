#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/state/counters.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include "core/gpu/exec/jit/targets.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/trace_log.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec {

namespace {

// What is compiled in one go, so that a launch of few blocks does not wait for long. In ops.
constexpr size_t most_ops_at_once = 256;

}  // namespace

Tier tier_from_environment() {
  const char* wish = std::getenv("WARPLENS_TIER");
  const std::string_view text = wish != nullptr ? wish : "";
  return text == "off"        ? Tier::off
         : text == "always"   ? Tier::always
         : text == "executor" ? Tier::executor
                              : Tier::hot;
}

Observers observers_of(const BlockContext& block) {
  Observers observers(block.count_memory, block.block_extent);
  observers.recorded = block.recorder != nullptr || block.watch != nullptr;
  observers.traced = block.trace != nullptr;
  observers.global = observers.traced ? block.trace->global : block.global_recorder != nullptr;
  observers.shared = observers.traced ? block.trace->shared : block.shared_recorder != nullptr;
  return observers;
}

CompiledProgram::CompiledProgram(const program::Program& program, const Op* ops, const Observers& observers,
                                 const jit::Target& target)
    : m_program(program),
      m_ops(ops),
      m_observers(observers),
      m_target(target),
      m_has_live(observers.has_short_warps && !is_watched(observers, program)) {
  for (Code& code : m_codes) {
    code.entries = std::make_unique<std::atomic<const void*>[]>(program.ops.size());
    code.tried.resize(program.ops.size());
  }
  for (uint32_t at = 0; at < program.ops.size(); ++at)
    if (program.ops[at].handlers.run[all_lanes] == &run_enter) m_starts.push_back(at);
}

template <class EntriesOf>
void CompiledProgram::compile_often_entered(CodeFor lanes, EntriesOf entries_of) {
  constexpr uint64_t cold = many_entries / 16;
  std::vector<uint32_t> starts;
  size_t ops = 0;
  for (size_t i = 0; i < m_starts.size() && ops < most_ops_at_once; ++i) {
    const uint32_t start = m_starts[i];
    if (of(lanes).tried[start] || entries_of(program::entered_block(m_ops[start])) < cold) continue;
    starts.push_back(start);
    ops += (i + 1 < m_starts.size() ? m_starts[i + 1] : m_program.ops.size()) - start;
  }
  compile(lanes, starts, false);
}

void CompiledProgram::compile_hot(std::span<const BlockCount> counts, CodeFor lanes) {
  // Others go on without, while one thread compiles.
  const std::unique_lock lock(m_mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  // There were at least as many entries with lanes missing as whole warps of lanes are.
  compile_often_entered(lanes, [&](uint32_t block) {
    const BlockCount& count = counts[block];
    return lanes == CodeFor::all ? count.warps : count.warps - count.threads / warp_lanes;
  });
}

void CompiledProgram::compile_all() {
  const std::scoped_lock lock(m_mutex);
  for (const CodeFor lanes : {CodeFor::all, CodeFor::some, CodeFor::live}) {
    if (lanes == CodeFor::live && !m_has_live) continue;
    std::vector<uint32_t> starts;
    std::ranges::copy_if(m_starts, std::back_inserter(starts),
                         [&](uint32_t start) { return !of(lanes).tried[start]; });
    compile(lanes, starts, true);
  }
}

uint32_t CompiledProgram::refused() {
  const std::scoped_lock lock(m_mutex);
  return m_refused;
}

// The encoder may refuse an instruction, and the system memory that can be executed, or any: then all goes on
// as before.
void CompiledProgram::compile(CodeFor lanes, const std::vector<uint32_t>& starts, bool checks) {
  Code& made = of(lanes);
  for (const uint32_t start : starts) made.tried[start] = true;
  if (starts.empty()) return;
  m_refused += static_cast<uint32_t>(starts.size());
  try {
    jit::Made code = m_target.compile({.program = &m_program,
                                       .ops = m_ops,
                                       .starts = &starts,
                                       .mode = lanes == CodeFor::some ? some_lanes : all_lanes,
                                       .live = lanes == CodeFor::live,
                                       .observers = &m_observers,
                                       .checks = checks,
                                       .entries = made.entries.get(),
                                       .steps_of_shapes = &made.steps_of_shapes,
                                       .groups = &made.groups});
    if (code.enter == nullptr) return;
    m_kept.push_back(std::move(code.kept));
    // Every piece of code for these lanes begins with the same way in.
    if (made.enter.load() == nullptr) made.enter = code.enter;
    for (const auto& [op, place] : code.entered) made.entries[op].store(place, std::memory_order_release);
    m_refused -= static_cast<uint32_t>(starts.size());
  } catch (const std::bad_alloc&) {
  }
}

void CompiledProgram::throw_again(BlockContext& block) {
  std::rethrow_exception(std::exchange(block.thrown, nullptr));
}

CompiledProgram* compiled_program(const program::Program& program, const Observers& observers, Tier tier,
                                  const TraceLog* trace) {
  if (tier == Tier::off || (program.for_stepping && trace == nullptr)) return nullptr;
  const bool slow = tier == Tier::executor;
  const jit::Target* const target = slow ? &jit::executor_for(program.table) : jit::target_for(program.table);
  if (target == nullptr || (trace != nullptr && !target->traces)) return nullptr;
  const auto make = [&] {
    return std::make_shared<CompiledProgram>(trace != nullptr ? *trace->untraced : program,
                                             program.ops.data(), observers, *target);
  };
  constexpr size_t executor_bit = 1 << 9;
  CompiledProgram* const compiled =
      program.companions.get(observers.number() | (slow ? executor_bit : 0), make).get();
  if (tier != Tier::hot) compiled->compile_all();
  return compiled;
}

}  // namespace warplens::exec
