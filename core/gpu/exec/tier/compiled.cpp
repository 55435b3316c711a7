#include "core/gpu/exec/tier/compiled.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/trace_log.h"
#include "core/gpu/exec/tier/executable_pages.h"
#include "core/program/op/flow_op.h"
#include "core/program/op/memory_op.h"

namespace warplens::exec {

namespace {

// What is compiled in one go, so that a launch of few blocks does not wait for long. In ops.
constexpr size_t most_ops_at_once = 256;

}  // namespace

Tier wished_tier() {
  const char* wish = std::getenv("WARPLENS_TIER");
  const std::string_view text = wish != nullptr ? wish : "";
  return text == "off"        ? Tier::off
         : text == "always"   ? Tier::always
         : text == "executor" ? Tier::executor
                              : Tier::hot;
}

Lookers lookers_of(const BlockContext& block) {
  Lookers lookers(block.count_memory, block.block_extent);
  lookers.recorded = block.recorder != nullptr || block.watch != nullptr;
  lookers.traced = block.trace != nullptr;
  lookers.global = lookers.traced ? block.trace->global : block.global_recorder != nullptr;
  lookers.shared = lookers.traced ? block.trace->shared : block.shared_recorder != nullptr;
  return lookers;
}

CompiledProgram::CompiledProgram(const program::Program& program, const Op* ops, const Lookers& lookers,
                                 const jit::Target& target)
    : m_program(program), m_ops(ops), m_lookers(lookers), m_target(target) {
  for (Code& code : m_codes) {
    code.entries = std::make_unique<std::atomic<const void*>[]>(program.ops.size());
    code.tried.resize(program.ops.size());
  }
  for (uint32_t at = 0; at < program.ops.size(); ++at)
    if (program.ops[at].handlers.run[all_lanes] == &run_enter) m_starts.push_back(at);
}

template <class EntriesOf>
void CompiledProgram::compile_often_entered(Mode mode, EntriesOf entries_of) {
  constexpr uint64_t cold = many_entries / 16;
  std::vector<uint32_t> starts;
  size_t ops = 0;
  for (size_t i = 0; i < m_starts.size() && ops < most_ops_at_once; ++i) {
    const uint32_t start = m_starts[i];
    if (m_codes[mode].tried[start] || entries_of(program::entered_block(m_ops[start])) < cold) continue;
    starts.push_back(start);
    ops += (i + 1 < m_starts.size() ? m_starts[i + 1] : m_program.ops.size()) - start;
  }
  compile(mode, starts, false);
}

void CompiledProgram::compile_hot(std::span<const BlockCount> counts) {
  // Others go on without, while one thread compiles.
  const std::unique_lock lock(m_mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  compile_often_entered(all_lanes, [&](uint32_t block) { return counts[block].warps; });
  // There were at least as many entries with lanes missing as whole warps of lanes are.
  compile_often_entered(
      some_lanes, [&](uint32_t block) { return counts[block].warps - counts[block].threads / warp_lanes; });
}

void CompiledProgram::compile_all() {
  const std::scoped_lock lock(m_mutex);
  for (const Mode mode : {all_lanes, some_lanes}) {
    std::vector<uint32_t> starts;
    std::ranges::copy_if(m_starts, std::back_inserter(starts),
                         [&](uint32_t start) { return !m_codes[mode].tried[start]; });
    compile(mode, starts, true);
  }
}

uint32_t CompiledProgram::refused() {
  const std::scoped_lock lock(m_mutex);
  return m_refused;
}

// The encoder may refuse an instruction, and the system memory that can be executed, or any: then all goes on
// as before.
void CompiledProgram::compile(Mode mode, const std::vector<uint32_t>& starts, bool checks) {
  Code& made = m_codes[mode];
  for (const uint32_t start : starts) made.tried[start] = true;
  if (starts.empty()) return;
  m_refused += static_cast<uint32_t>(starts.size());
  try {
    jit::Made code = m_target.compile({.program = &m_program,
                                       .ops = m_ops,
                                       .starts = &starts,
                                       .mode = mode,
                                       .lookers = &m_lookers,
                                       .checks = checks,
                                       .entries = made.entries.get(),
                                       .steps_of_shapes = &made.steps_of_shapes});
    if (code.enter == nullptr) return;
    m_kept.push_back(std::move(code.kept));
    // Every piece of code of a mode begins with the same way in.
    if (made.enter.load() == nullptr) made.enter = code.enter;
    for (const auto& [op, place] : code.entered) made.entries[op].store(place, std::memory_order_release);
    m_refused -= static_cast<uint32_t>(starts.size());
  } catch (const std::bad_alloc&) {
  }
}

void CompiledProgram::throw_again(BlockContext& block) {
  std::rethrow_exception(std::exchange(block.thrown, nullptr));
}

CompiledProgram* compiled_program(const program::Program& program, const Lookers& lookers, Tier tier,
                                  const TraceLog* trace) {
  if (tier == Tier::off || (program.for_stepping && trace == nullptr)) return nullptr;
  const bool slow = tier == Tier::executor;
  const jit::Target* const target = slow ? &jit::executor_target() : jit::target_beside(program.table);
  if (target == nullptr || (trace != nullptr && !target->traces)) return nullptr;
  const auto make = [&] {
    return std::make_shared<CompiledProgram>(trace != nullptr ? *trace->untraced : program,
                                             program.ops.data(), lookers, *target);
  };
  constexpr size_t executor_bit = 1 << 8;
  CompiledProgram* const compiled =
      program.companions.get(lookers.number() | (slow ? executor_bit : 0), make).get();
  if (tier != Tier::hot) compiled->compile_all();
  return compiled;
}

namespace tier {

jit::Made compile_for_avx512(const jit::CompileRequest& request) {
  const Compiled compiled =
      compile_blocks(*request.program, request.ops, *request.starts, request.mode, *request.lookers,
                     request.checks, request.entries, *request.steps_of_shapes);
  if (compiled.bytes.empty()) return {};
  auto pages = std::make_shared<ExecutablePages>(compiled.bytes);
  if (pages->data() == nullptr) return {};
  const std::byte* const code = pages->data();
  jit::Made made{reinterpret_cast<jit::Enter>(reinterpret_cast<uintptr_t>(code)), {}, std::move(pages)};
  for (const auto& [op, offset] : compiled.entered) made.entered.emplace_back(op, code + offset);
  return made;
}

const Op* run_and_catch(const Op* op, Warp& warp, Handler handler) noexcept {
  try {
    return handler(op, warp);
  } catch (...) {
    warp.block->thrown = std::current_exception();
    return nullptr;
  }
}

namespace {

// Where compiled code may go on by itself: not in memory that a kernel can free.
void note_reach(const Op& op, const BlockContext& block, MemoryOpState& state, bool global) {
  const AccessShape* const shape = state.shape.get();
  const Allocation* const allocation = state.allocation;
  if (shape == nullptr) return;
  const bool narrow = program::has_narrow_address(op);
  Reach reach;
  if (!global) {
    reach = Reach::of(*shape, 0, block.shared_bytes, narrow, program::address_offset(op));
  } else if (allocation != nullptr && allocation->begin < program::kernel_heap_base &&
             !(program::writes_memory(op) && (allocation->read_only || allocation->writers != nullptr))) {
    reach = Reach::of(*shape, allocation->begin, allocation->end, narrow, program::address_offset(op));
    reach.origin = allocation->origin();
  }
  state.shape.set_reach(reach);
}

void gather(const Op& op, const Warp& warp, std::array<uint64_t, warp_lanes>& addresses) {
  const uint64_t offset = program::address_offset(op);
  if (program::has_known_address(op)) {
    addresses.fill(offset);
  } else if (program::has_narrow_address(op)) {
    const auto* const base = warp.reg<uint32_t>(program::address_base(op));
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = base[lane] + offset;
  } else {
    const auto* const base = warp.reg<uint64_t>(program::address_base(op));
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = base[lane] + offset;
  }
}

// By the first and the last lane, neither as the shape says nor side by side. Accesses that lie otherwise
// each time are not worth a look at all lanes.
bool lies_otherwise(const Op& op, const Warp& warp, const AccessShape& shape) {
  if (program::has_known_address(op)) return false;
  constexpr uint32_t last = warp_lanes - 1;
  if (program::has_narrow_address(op)) {
    const auto* const base = warp.reg<uint32_t>(program::address_base(op));
    const uint32_t far = base[last] - base[0];
    return far != shape.narrow[last] && far != last * op.bytes;
  }
  const auto* const base = warp.reg<uint64_t>(program::address_base(op));
  const uint64_t far = base[last] - base[0];
  return far != shape.relative[last] && far != last * op.bytes;
}

}  // namespace

const Op* run_and_learn_shape(const Op* op, Warp& warp) {
  BlockContext& block = *warp.block;
  MemoryOpState& state = block.memory_ops[program::access_counter(*op)];
  AccessShape* const before = state.shape.get();
  const bool global = block.program->counted[program::access_counter(*op)].space == Space::global;
  if (before != nullptr && lies_otherwise(*op, warp, *before)) {
    // The handler sees that too, and learns when it is time to.
    const Op* const next = op->handlers.run[all_lanes](op, warp);
    if (next != nullptr && state.shape.get() != before) note_reach(*op, block, state, global);
    return next;
  }
  std::array<uint64_t, warp_lanes> addresses{};
  gather(*op, warp, addresses);
  const Op* const next = op->handlers.run[all_lanes](op, warp);
  if (next == nullptr || block.shapes == nullptr) return next;
  // That of shared memory learns by itself, also where its lanes lie side by side.
  if (global) {
    AccessShape* const known = state.shape.get();
    if (known == nullptr || !known->is_of(addresses.data())) {
      state.shape.learn(*block.shapes, addresses.data(), op->bytes);
    } else if (block.count_memory) {
      known->cost_at(addresses[0]);
    }
  }
  note_reach(*op, block, state, global);
  return next;
}

}  // namespace tier

}  // namespace warplens::exec
