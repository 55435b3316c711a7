// Loads, stores and atomics of the reference interpreter, a thread and an element at a time.
#include <algorithm>
#include <cstring>
#include <utility>

#include "tests/core/reference/arithmetic.h"
#include "tests/core/reference/machine.h"

namespace warplens::reference {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;
using ptx::SymbolKind;

// Calls use(offset) for each variable of the shared space; the end of them all.
template <class Use>
uint64_t lay_out_shared(const ptx::Module& module, Use use) {
  uint64_t end = 0;
  const auto place = [&](const ptx::Variable& variable) {
    if (variable.space != StateSpace::shared) return;
    end = (end + variable.alignment - 1) / variable.alignment * variable.alignment;
    use(variable, end);
    end += variable.bytes;
  };
  for (const ptx::Variable& variable : module.variables) place(variable);
  for (const ptx::Function& function : module.functions)
    for (const ptx::Variable& variable : function.variables) place(variable);
  return end;
}

std::span<std::byte> checked(std::span<std::byte> memory, uint64_t offset, uint64_t bytes,
                             const ptx::Instruction& at) {
  if (offset > memory.size() || bytes > memory.size() - offset)
    stop(End::fault, at, "an access outside of its memory");
  return memory.subspan(offset, bytes);
}

Bytes& variable_of(Thread& thread, const ptx::Instruction& at, const Operand& address) {
  if (address.base != ptx::OperandKind::symbol) stop(End::not_covered, at, "an address in a register");
  switch (address.symbol_kind) {
    case SymbolKind::parameter:
      return thread.frame().parameters[address.index];
    case SymbolKind::return_value:
      return thread.frame().returns[address.index];
    case SymbolKind::function_variable:
      return thread.frame().variables[address.index];
    default:
      stop(End::not_covered, at, "a symbol of the module");
  }
}

uint64_t address_of(const Block& block, const Thread& thread, const ptx::Instruction& at,
                    const Operand& address) {
  const auto offset = static_cast<uint64_t>(address.offset);
  if (address.base == ptx::OperandKind::immediate) return address.bits + offset;
  if (address.base == ptx::OperandKind::reg) return thread.frame().registers[address.index] + offset;
  const ptx::Module& module = *block.launch->module;
  if (address.symbol_kind == SymbolKind::module_variable)
    return shared_offset(module, module.variables[address.index]) + offset;
  if (address.symbol_kind == SymbolKind::function_variable)
    return shared_offset(module, thread.frame().function->variables[address.index]) + offset;
  stop(End::not_covered, at, "this address");
}

// The bytes that the instruction's address names.
std::span<std::byte> memory_at(Block& block, Thread& thread, const ptx::Instruction& at,
                               const Operand& address, uint64_t bytes) {
  const Frame& frame = thread.frame();
  if (has(frame, at, Modifier::param) || has(frame, at, Modifier::local))
    return checked(variable_of(thread, at, address), static_cast<uint64_t>(address.offset), bytes, at);
  const uint64_t from = address_of(block, thread, at, address);
  if (has(frame, at, Modifier::shared)) return checked(block.shared, low_bits(from, 32), bytes, at);
  if (!has(frame, at, Modifier::global)) stop(End::not_covered, at, "a generic address");
  for (const Buffer& buffer : block.launch->buffers)
    if (from >= buffer.address && from - buffer.address < buffer.bytes.size())
      return checked(buffer.bytes, from - buffer.address, bytes, at);
  stop(End::fault, at, "an access outside of all buffers");
}

uint64_t loaded(std::span<const std::byte> bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

void store(std::span<std::byte> bytes, uint64_t value) { std::memcpy(bytes.data(), &value, bytes.size()); }

void move(Block& block, Thread& thread, const ptx::Instruction& at) {
  const Frame& frame = thread.frame();
  const auto operands = frame.function->operands_of(at);
  const bool load = at.opcode == Opcode::ld;
  const Operand& address = operands[load ? 1 : 0];
  const Operand& data = operands[load ? 0 : 1];
  const std::span<const Operand> elements =
      data.kind == ptx::OperandKind::vector ? frame.function->children_of(data) : std::span(&data, 1);
  const Modifier type = type_of(frame, at);
  const uint64_t each = ptx::bits_of(type) / 8;
  const std::span<std::byte> bytes = memory_at(block, thread, at, address, each * elements.size());
  // Operands first: a load may overwrite the register that holds its address.
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::span<std::byte> element = bytes.subspan(i * each, each);
    if (load)
      write(thread, at, elements[i], number_of(loaded(element), type));
    else
      store(element, read(block, thread, at, elements[i]));
  }
}

void change(Block& block, Thread& thread, const ptx::Instruction& at) {
  const Frame& frame = thread.frame();
  const auto operands = frame.function->operands_of(at);
  const size_t first = at.opcode == Opcode::atom ? 1 : 0;
  const Modifier type = type_of(frame, at);
  const std::span<std::byte> bytes = memory_at(block, thread, at, operands[first], ptx::bits_of(type) / 8);
  const uint64_t old_value = loaded(bytes), operand = read(block, thread, at, operands[first + 1]);
  if (has(frame, at, Modifier::cas)) {
    if (old_value == low_bits(operand, ptx::bits_of(type)))
      store(bytes, read(block, thread, at, operands[first + 2]));
  } else {
    std::optional<uint64_t> next;
    for (const Modifier m : frame.function->modifiers_of(at))
      if (!next) next = combine(m, type, old_value, low_bits(operand, ptx::bits_of(type)));
    if (!next) stop(End::not_covered, at, "this operation");
    store(bytes, *next);
  }
  if (first == 1) write(thread, at, operands[0], old_value);
}

}  // namespace

uint64_t shared_offset(const ptx::Module& module, const ptx::Variable& variable) {
  uint64_t found = 0;
  lay_out_shared(module, [&](const ptx::Variable& each, uint64_t offset) {
    if (&each == &variable) found = offset;
  });
  return found;
}

uint64_t shared_bytes(const ptx::Module& module) {
  return lay_out_shared(module, [](const ptx::Variable&, uint64_t) {});
}

bool is_memory_access(Opcode opcode) {
  return opcode == Opcode::ld || opcode == Opcode::st || opcode == Opcode::atom || opcode == Opcode::red;
}

void access_memory(Block& block, Thread& thread, const ptx::Instruction& at) {
  for (const Modifier m : thread.frame().function->modifiers_of(at))
    if (kind_of(m) == ptx::ModifierKind::cache || kind_of(m) == ptx::ModifierKind::flag)
      stop(End::not_covered, at, "a cache policy");
  if (at.opcode == Opcode::ld || at.opcode == Opcode::st) return move(block, thread, at);
  change(block, thread, at);
}

}  // namespace warplens::reference
