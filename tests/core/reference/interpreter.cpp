// The reference interpreter's control flow: each thread runs until it has to wait for others, or exits.
#include "tests/core/reference/interpreter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tests/core/reference/arithmetic.h"
#include "tests/core/reference/machine.h"

namespace warplens::reference {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::SpecialRegister;

uint32_t part(Dim3 dim, uint32_t component) {
  return component == 0 ? dim.x : component == 1 ? dim.y : dim.z;
}

uint64_t special_value(const Block& block, const Thread& thread, const Instruction& at,
                       const Operand& operand) {
  const uint32_t component = operand.component;
  switch (static_cast<SpecialRegister>(operand.index)) {
    case SpecialRegister::tid:
      return part(thread.index, component);
    case SpecialRegister::ntid:
      return part(block.launch->block, component);
    case SpecialRegister::ctaid:
      return part(block.index, component);
    case SpecialRegister::nctaid:
      return part(block.launch->grid, component);
    case SpecialRegister::laneid:
      return thread.lane();
    case SpecialRegister::lanemask_eq:
      return uint64_t{1} << thread.lane();
    case SpecialRegister::lanemask_lt:
      return (uint64_t{1} << thread.lane()) - 1;
    case SpecialRegister::lanemask_le:
      return (uint64_t{2} << thread.lane()) - 1;
    case SpecialRegister::lanemask_gt:
      return low_bits(~uint64_t{0} << (thread.lane() + 1), 32);
    case SpecialRegister::lanemask_ge:
      return low_bits(~uint64_t{0} << thread.lane(), 32);
    default:
      stop(End::not_covered, at, "this special register");
  }
}

Frame frame_for(const ptx::Function& function) {
  Frame frame;
  frame.function = &function;
  frame.registers.resize(function.registers.size());
  const auto hold = [](const std::vector<ptx::Variable>& variables, std::vector<Bytes>& into) {
    for (const ptx::Variable& variable : variables) into.emplace_back(variable.bytes);
  };
  hold(function.parameters, frame.parameters);
  hold(function.returns, frame.returns);
  hold(function.variables, frame.variables);
  return frame;
}

class BlockRun {
 public:
  explicit BlockRun(Block& block) : m_block(block) {}

  void run() {
    for (;;) {
      bool moved = false, left = false;
      for (Thread& thread : m_block.threads) {
        while (!thread.exited() && !thread.waits) {
          step(thread);
          moved = true;
        }
        left |= !thread.exited();
      }
      if (!left) return;
      if (!release(m_block) && !moved) stop(End::deadlock, first_waiting(), "nobody can go on");
    }
  }

 private:
  const Instruction& first_waiting() const {
    return std::ranges::find_if(m_block.threads, [](const Thread& t) { return !t.exited(); })
        ->frame()
        .instruction();
  }

  static std::span<const Operand> operands_of(const Thread& thread, const Instruction& at) {
    return thread.frame().function->operands_of(at);
  }
  uint64_t value(const Thread& thread, const Instruction& at, const Operand& operand) const {
    return read(m_block, thread, at, operand);
  }

  void step(Thread& thread) {
    Frame& frame = thread.frame();
    if (frame.next >= frame.function->instructions.size()) return leave(thread);
    const Instruction& at = frame.instruction();
    if (m_block.instructions_left-- == 0) stop(End::too_long, at, "too many instructions");
    if (at.guarded && (frame.registers[at.guard] != 0) == at.guard_negated) {
      ++frame.next;
      return;
    }
    if (is_together(at.opcode)) {
      thread.waits = true;
      return;
    }
    if (jumps(thread, at)) return;
    ++frame.next;
    calculate(thread, at);
  }

  bool jumps(Thread& thread, const Instruction& at) {
    const auto operands = operands_of(thread, at);
    Frame& frame = thread.frame();
    switch (at.opcode) {
      case Opcode::bra:
        frame.next = frame.function->labels[operands[0].index].instruction;
        return true;
      case Opcode::brx: {
        const auto& table = frame.function->labels[operands[1].index].branch_targets;
        const uint64_t index = value(thread, at, operands[0]);
        if (index >= table.size()) stop(End::fault, at, "an index outside of the table");
        frame.next = frame.function->labels[table[index]].instruction;
        return true;
      }
      case Opcode::exit:
        thread.frames.clear();
        return true;
      case Opcode::ret:
        leave(thread);
        return true;
      case Opcode::call:
        call(thread, at);
        return true;
      default:
        return false;
    }
  }

  void call(Thread& thread, const Instruction& at) {
    const auto operands = operands_of(thread, at);
    const ptx::Function* caller = thread.frame().function;
    if (operands.size() != 3 || operands[1].kind != OperandKind::symbol)
      stop(End::not_covered, at, "a call through a register");
    const ptx::Function& callee = m_block.launch->module->functions[operands[1].index];
    if (!callee.has_body) stop(End::not_covered, at, "a function without a body");
    Frame frame = frame_for(callee);
    frame.called_by = &at;
    const auto given = caller->children_of(operands[2]);
    for (size_t i = 0; i < given.size() && i < frame.parameters.size(); ++i)
      frame.parameters[i] = passed(thread, at, given[i]);
    ++thread.frame().next;
    thread.frames.push_back(std::move(frame));
  }

  static Bytes& passed(Thread& thread, const Instruction& at, const Operand& operand) {
    if (operand.kind != OperandKind::symbol || operand.symbol_kind != ptx::SymbolKind::function_variable)
      stop(End::not_covered, at, "an argument in a register");
    return thread.frame().variables[operand.index];
  }

  static void leave(Thread& thread) {
    const Frame done = std::move(thread.frames.back());
    thread.frames.pop_back();
    if (thread.exited()) return;
    const ptx::Function* caller = thread.frame().function;
    const auto results = caller->children_of(caller->operands_of(*done.called_by)[0]);
    for (size_t i = 0; i < results.size() && i < done.returns.size(); ++i)
      passed(thread, *done.called_by, results[i]) = done.returns[i];
  }

  void calculate(Thread& thread, const Instruction& at) {
    if (is_memory_access(at.opcode)) return access_memory(m_block, thread, at);
    const auto operands = operands_of(thread, at);
    switch (at.opcode) {
      case Opcode::membar:
      case Opcode::fence:
        return;
      case Opcode::setp:
        return set_predicate(thread, at, operands);
      case Opcode::selp:
        return write(thread, at, operands[0],
                     value(thread, at, operands[value(thread, at, operands[3]) != 0 ? 1 : 2]));
      case Opcode::mov:
        if (operands[0].kind == OperandKind::vector || operands[1].kind == OperandKind::vector)
          return repack(thread, at, operands);
        break;
      default:
        break;
    }
    std::vector<uint64_t> sources;
    for (const Operand& operand : operands.subspan(1)) sources.push_back(value(thread, at, operand));
    if (at.opcode == Opcode::mov && type_of(thread.frame(), at) == Modifier::pred)
      return write(thread, at, operands[0], sources[0]);
    const auto result = compute(at, thread.frame().function->modifiers_of(at), sources);
    if (!result) stop(End::not_covered, at, "this form, or its value");
    write(thread, at, operands[0], *result);
  }

  // PTX ISA 9.7.6.2: p = how(a, b) [op c]; q the same with the comparison's opposite.
  void set_predicate(Thread& thread, const Instruction& at, std::span<const Operand> operands) {
    std::optional<bool> holds;
    for (const Modifier m : thread.frame().function->modifiers_of(at))
      if (!holds && kind_of(m) == ptx::ModifierKind::compare)
        holds = compare(m, type_of(thread.frame(), at), value(thread, at, operands[1]),
                        value(thread, at, operands[2]));
    if (!holds) stop(End::not_covered, at, "this comparison");
    bool p = *holds, q = !*holds;
    if (operands.size() > 3) {
      const bool c = value(thread, at, operands[3]) != 0;
      if (has(thread.frame(), at, Modifier::and_)) {
        p = p && c;
        q = q && c;
      } else if (has(thread.frame(), at, Modifier::or_)) {
        p = p || c;
        q = q || c;
      } else {
        p = p != c;
        q = q != c;
      }
    }
    if (operands[0].kind != OperandKind::pair) return write(thread, at, operands[0], p ? 1 : 0);
    const auto both = thread.frame().function->children_of(operands[0]);
    write(thread, at, both[0], p ? 1 : 0);
    write(thread, at, both[1], q ? 1 : 0);
  }

  // mov.b64 d, {a, b} and back.
  void repack(Thread& thread, const Instruction& at, std::span<const Operand> operands) {
    const ptx::Function& function = *thread.frame().function;
    const bool packs = operands[1].kind == OperandKind::vector;
    const auto parts = function.children_of(operands[packs ? 1 : 0]);
    const uint32_t bits = ptx::bits_of(type_of(thread.frame(), at)) / static_cast<uint32_t>(parts.size());
    uint64_t whole = packs ? 0 : value(thread, at, operands[1]);
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto shift = static_cast<uint32_t>(i) * bits;
      if (packs)
        whole |= low_bits(value(thread, at, parts[i]), bits) << shift;
      else
        write(thread, at, parts[i], low_bits(whole >> shift, bits));
    }
    if (packs) write(thread, at, operands[0], whole);
  }

  Block& m_block;
};

Block block_at(const Launch& launch, const ptx::Function& entry, Dim3 index, uint64_t instructions_left) {
  Block block;
  block.launch = &launch;
  block.index = index;
  block.instructions_left = instructions_left;
  block.shared.resize(shared_bytes(*launch.module));
  Frame frame = frame_for(entry);
  for (size_t i = 0; i < entry.parameters.size() && i < launch.arguments.size(); ++i)
    std::memcpy(frame.parameters[i].data(), &launch.arguments[i],
                std::min<size_t>(frame.parameters[i].size(), 8));
  const Dim3 shape = launch.block;
  for (uint32_t number = 0; number < shape.count(); ++number) {
    Thread thread;
    thread.number = number;
    thread.index = {number % shape.x, number / shape.x % shape.y, number / shape.x / shape.y};
    thread.frames = {frame};
    block.threads.push_back(std::move(thread));
  }
  return block;
}

}  // namespace

void stop(End end, const Instruction& at, std::string reason) {
  throw Stop{{end, at.line, std::move(reason), 0, false}};
}

uint64_t read(const Block& block, const Thread& thread, const Instruction& at, const Operand& operand) {
  const Frame& frame = thread.frame();
  switch (operand.kind) {
    case OperandKind::reg:
      if (operand.component != 255) stop(End::not_covered, at, "a vector register");
      return operand.negated ? (frame.registers[operand.index] == 0 ? 1 : 0) : frame.registers[operand.index];
    case OperandKind::immediate:
      return operand.bits;
    case OperandKind::special:
      return special_value(block, thread, at, operand);
    case OperandKind::symbol: {
      const ptx::Module& module = *block.launch->module;
      const ptx::Variable* variable = nullptr;
      if (operand.symbol_kind == ptx::SymbolKind::module_variable)
        variable = &module.variables[operand.index];
      else if (operand.symbol_kind == ptx::SymbolKind::function_variable)
        variable = &frame.function->variables[operand.index];
      if (variable == nullptr || variable->space != ptx::StateSpace::shared)
        stop(End::not_covered, at, "the address of this symbol");
      return shared_offset(module, *variable) + static_cast<uint64_t>(operand.offset);
    }
    default:
      stop(End::not_covered, at, "this operand");
  }
}

void write(Thread& thread, const Instruction& at, const Operand& operand, uint64_t value) {
  if (operand.kind == OperandKind::sink) return;
  if (operand.kind != OperandKind::reg || operand.component != 255)
    stop(End::not_covered, at, "this destination");
  const ptx::Register& reg = thread.frame().function->registers[operand.index];
  thread.frame().registers[operand.index] = low_bits(value, ptx::bits_of(reg.type));
}

Modifier type_of(const Frame& frame, const Instruction& at) {
  for (const Modifier m : frame.function->modifiers_of(at))
    if (kind_of(m) == ptx::ModifierKind::type) return m;
  stop(End::not_covered, at, "an instruction without a type");
}

bool has(const Frame& frame, const Instruction& at, Modifier wanted) {
  const auto modifiers = frame.function->modifiers_of(at);
  return std::ranges::find(modifiers, wanted) != modifiers.end();
}

Outcome run(const Launch& launch) {
  const ptx::Function* entry = launch.module->find_entry(launch.entry);
  if (entry == nullptr) return {End::not_covered, 0, "no such entry", 0, false};
  uint64_t left = launch.most_instructions;
  bool read_absent_lane = false;
  try {
    for (uint32_t number = 0; number < launch.grid.count(); ++number) {
      const Dim3 grid = launch.grid;
      const Dim3 index{number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
      Block block = block_at(launch, *entry, index, left);
      BlockRun(block).run();
      left = block.instructions_left;
      read_absent_lane |= block.read_absent_lane;
    }
  } catch (const Stop& stopped) {
    return stopped.outcome;
  }
  return {End::finished, 0, {}, launch.most_instructions - left, read_absent_lane};
}

}  // namespace warplens::reference
