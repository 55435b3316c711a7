// Chooses the remedy for a race. Between blocks, no barrier of the kernel helps. If each thread changes a
// word that others also change, only an atomic helps. The advice depends on both sides, on how far apart
// their threads are, and on the code between the two.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/gpu/machine/incident.h"
#include "core/gpu/sanitize/findings.h"
#include "core/gpu/sanitize/update.h"

namespace warplens::sanitize {

namespace {

using ptx::Modifier;
using ptx::Opcode;

// The two sides in the order of the code.
struct InOrder {
  const Side *first, *second;
};

InOrder in_order(const Finding& finding) {
  const bool swapped = finding.other.instruction < finding.side.instruction;
  return swapped ? InOrder{&finding.other, &finding.side} : InOrder{&finding.side, &finding.other};
}

bool only_writes(const Finding& finding) {
  return finding.side.access == AccessKind::store && finding.other.access == AccessKind::store;
}

// Whether the kernel takes locks: an atomic exchange, or compare and swap.
bool takes_locks(const program::Program& program) {
  for (uint32_t i = 0; i < program.instructions(); ++i) {
    const ptx::Instruction& instruction = program.instruction(i);
    if (instruction.opcode != Opcode::atom) continue;
    const auto modifiers = program.code_of(i).function->modifiers_of(instruction);
    if (std::ranges::any_of(modifiers, [](Modifier m) { return m == Modifier::cas || m == Modifier::exch; }))
      return true;
  }
  return false;
}

// The update that both sides are a part of. `none` if one of them is not.
Update update_of_both(const Finding& finding) {
  const program::Program& program = finding.places->program();
  const auto part = [&](const Side& side) {
    return side.access == AccessKind::atomic ? Update::none : update_of(program, side.instruction);
  };
  const Update a = part(finding.side), b = part(finding.other);
  const bool one_is_atomic =
      finding.side.access == AccessKind::atomic || finding.other.access == AccessKind::atomic;
  if (one_is_atomic) return std::max(a, b);
  if (a == Update::none || b == Update::none) return Update::none;
  return a == b ? a : Update::other;
}

std::string update_remedy(const Finding& finding, Update update) {
  std::string text =
      update == Update::test
          ? fmt::format("Testing and writing are two steps, and other threads come between: use {}.",
                        atomic_of(update))
          : fmt::format(
                "Reading, changing and writing back are three steps, and other threads come between: "
                "use {}, or let each thread have an element of its own.",
                atomic_of(update));
  if (finding.reach == Reach::grid && takes_locks(finding.places->program()))
    text += " If a lock guards it: __threadfence() after taking the lock and before giving it back.";
  return text;
}

std::string between_blocks(const Finding& finding) {
  if (only_writes(finding))
    return "Blocks run in any order, so either value may stay: let each block write elements of its own.";
  const bool any_atomic =
      finding.side.access == AccessKind::atomic || finding.other.access == AccessKind::atomic;
  if (any_atomic && (finding.side.access == AccessKind::store || finding.other.access == AccessKind::store))
    return "Blocks run in any order: set it before the launch, as with cudaMemset, or write it with an "
           "atomic too.";
  return "Blocks run in any order, and __syncthreads() waits for one block only: write to a second array, "
         "launch a second kernel, wait with grid.sync(), or publish with __threadfence() and an atomic flag.";
}

// --- Within a block ---------------------------------------------------------------------------------------

// The sides as instructions of one function; empty if they are in two.
struct Span {
  const ptx::Function* function = nullptr;
  uint32_t first = 0, last = 0;
};

Span span_of(const Finding& finding) {
  const program::Program& program = finding.places->program();
  const auto [first, second] = in_order(finding);
  const program::FunctionCode& code = program.code_of(first->instruction);
  if (&code != &program.code_of(second->instruction)) return {};
  return {code.function, first->instruction - code.first_instruction,
          second->instruction - code.first_instruction};
}

bool has_barrier(const Span& span, Reach reach) {
  if (span.function == nullptr) return false;
  for (uint32_t i = span.first + 1; i < span.last; ++i) {
    const ptx::Instruction& instruction = span.function->instructions[i];
    if (program::is_block_barrier(*span.function, instruction)) return true;
    if (reach == Reach::warp && instruction.opcode == Opcode::bar) return true;
  }
  return false;
}

// How the code gets from the second place back to the first one.
enum class WayBack : uint8_t { none, through_a_barrier, open };

WayBack way_back(const Span& span) {
  if (span.function == nullptr) return WayBack::none;
  const program::ControlFlow flow = program::control_flow_of(*span.function);
  const uint32_t goal = flow.block_of[span.first];
  const auto reaches_goal = [&](bool past_barriers) {
    std::vector<bool> seen(flow.blocks.size());
    std::vector<uint32_t> open = {flow.block_of[span.last]};
    while (!open.empty()) {
      const program::BasicBlock& block = flow.blocks[open.back()];
      open.pop_back();
      // A barrier ends its basic block.
      const ptx::Instruction& last = span.function->instructions[block.first + block.count - 1];
      if (!past_barriers && program::is_block_barrier(*span.function, last)) continue;
      for (const uint32_t next : block.successors) {
        if (next == goal) return true;
        if (!seen[next]) open.push_back(next);
        seen[next] = true;
      }
    }
    return false;
  };
  if (reaches_goal(false)) return WayBack::open;
  return reaches_goal(true) ? WayBack::through_a_barrier : WayBack::none;
}

const char* who_reaches(Reach reach) {
  return reach == Reach::warp ? "where all lanes of the warp reach it"
                              : "where all threads of the block reach it";
}

// For a line that reads what other threads write on the same line.
std::string on_one_line(const Finding& finding, const char* barrier, WayBack back) {
  const std::string line = line_text(finding, finding.side);
  if (back == WayBack::open)
    return fmt::format(
        "Put {0} at the end of each iteration of the loop around {1}, {2}; and one between reading "
        "and writing, if threads read in an iteration what others write in it.",
        barrier, line, who_reaches(finding.reach));
  return fmt::format("In {}, read into a variable first, then {}, {}, then write.", line, barrier,
                     who_reaches(finding.reach));
}

std::string within_block(const Finding& finding) {
  const bool one_warp = finding.reach == Reach::warp;
  const char* barrier = one_warp ? "__syncwarp()" : "__syncthreads()";
  if (only_writes(finding) && finding.side.instruction == finding.other.instruction)
    return "Let one thread write, use an atomic, or give each thread an element of its own.";
  const auto [first, second] = in_order(finding);
  const std::string from = line_text(finding, *first), to = line_text(finding, *second);
  const Span span = span_of(finding);
  const WayBack back = way_back(span);
  if (from == to) return on_one_line(finding, barrier, back);
  if (has_barrier(span, finding.reach)) {
    if (back == WayBack::open)
      return fmt::format(
          "The loop needs a second {} at its end: the barrier between {} and {} does not hold "
          "back the next iteration.",
          barrier, from, to);
    return fmt::format("The barrier between {} and {} does not hold back all of them: put {} there, {}.",
                       from, to, barrier, who_reaches(finding.reach));
  }
  return fmt::format("Put {} between {} and {}, {}{}{}.", barrier, from, to, who_reaches(finding.reach),
                     back == WayBack::open ? ", and another one at the end of the loop" : "",
                     one_warp ? ": lanes of a warp need not run in step" : "");
}

}  // namespace

std::string line_text(const Finding& finding, const Side& side) {
  const program::Program& program = finding.places->program();
  const SourcePlace source = message_place(program, side.instruction).place;
  const SourcePlace named = message_place(program, finding.side.instruction).place;
  if (source.line != 0 && source.file != named.file)
    return fmt::format("line {} of {}", source.line, std::filesystem::path(source.file).filename().string());
  if (source.line != 0) return fmt::format("line {}", source.line);
  return fmt::format("line {} of the PTX", program.instruction(side.instruction).line);
}

std::string race_remedy(const Finding& finding) {
  if (finding.side.through_texture)
    return "A texture need not see what its own launch writes, not even after a barrier: read through the "
           "pointer or a surface, or launch a second kernel.";
  if (finding.side.is_pending || finding.other.is_pending)
    return "Wait for the copy first (__pipeline_wait_prior(), cp.async.wait_group, the barrier of a copy in "
           "bulk), then __syncthreads().";
  if (const Update update = update_of_both(finding); update != Update::none)
    return update_remedy(finding, update);
  return finding.reach == Reach::grid ? between_blocks(finding) : within_block(finding);
}

}  // namespace warplens::sanitize
