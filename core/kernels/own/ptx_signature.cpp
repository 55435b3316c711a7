#include "core/kernels/own/ptx_signature.h"

#include <algorithm>

namespace warplens {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::OperandKind;

// The set of parameters from which a register's value comes. Parameters after the 64th are left out.
using Origins = uint64_t;

DType integer_type(uint64_t bytes, bool with_sign) {
  switch (bytes) {
    case 1:
      return with_sign ? DType::i8 : DType::u8;
    case 2:
      return with_sign ? DType::i16 : DType::u16;
    case 8:
      return with_sign ? DType::i64 : DType::u64;
    default:
      return with_sign ? DType::i32 : DType::u32;
  }
}

DType scalar_type(Modifier type, uint64_t bytes) {
  if (ptx::is_float(type)) return bytes == 8 ? DType::f64 : bytes == 2 ? DType::f16 : DType::f32;
  const std::string_view text = ptx::text_of(type);
  return integer_type(bytes, !text.starts_with('u') || bytes == 4);  // NVRTC writes .u32 for int
}

// The element type of an access. An untyped access (b32) may be any type of that width; the most common one
// is used.
std::optional<DType> element_type(Modifier type) {
  const uint32_t bytes = ptx::bits_of(type) / 8;
  if (bytes == 0 || bytes > 8) return std::nullopt;
  const std::string_view text = ptx::text_of(type);
  if (text.starts_with('b'))
    return bytes == 4 ? DType::f32 : bytes == 8 ? DType::f64 : bytes == 2 ? DType::f16 : DType::u8;
  if (text == "f16x2" || text == "bf16" || text == "bf16x2") return DType::f16;
  if (ptx::is_float(type)) return scalar_type(type, bytes);
  return integer_type(bytes, ptx::is_signed(type) || (bytes == 4 && text == "u32"));
}

class Follower {
 public:
  Follower(const ptx::Function& entry, std::vector<PtxParameter>& parameters)
      : m_entry(entry), m_parameters(parameters), m_origins(entry.registers.size(), 0) {}

  void run() {
    // Sets only grow, so this ends; a loop needs a second round.
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& instruction : m_entry.instructions) changed |= step(instruction);
    }
    for (const ptx::Instruction& instruction : m_entry.instructions) note(instruction);
  }

 private:
  static bool is_access(Opcode opcode) {
    const std::string_view text = ptx::text_of(opcode);
    return text == "ld" || text == "st" || text == "atom" || text == "red" || text == "ldu";
  }

  std::optional<size_t> parameter_of(const ptx::Operand& operand) const {
    const bool symbol = operand.kind == OperandKind::symbol ||
                        (operand.kind == OperandKind::address && operand.base == OperandKind::symbol);
    if (!symbol || operand.symbol_kind != ptx::SymbolKind::parameter) return std::nullopt;
    return operand.index < m_parameters.size() && operand.index < 64 ? std::optional<size_t>(operand.index)
                                                                     : std::nullopt;
  }

  Origins origins_of(const ptx::Operand& operand) const {
    const bool reg = operand.kind == OperandKind::reg ||
                     (operand.kind == OperandKind::address && operand.base == OperandKind::reg);
    if (reg && operand.index < m_origins.size()) return m_origins[operand.index];
    Origins origins = 0;
    for (const ptx::Operand& child : m_entry.children_of(operand)) origins |= origins_of(child);
    return origins;
  }

  bool give(const ptx::Operand& destination, Origins origins) {
    if (destination.kind != OperandKind::reg || destination.index >= m_origins.size()) return false;
    Origins& known = m_origins[destination.index];
    const Origins before = known;
    known |= origins;
    return known != before;
  }

  bool step(const ptx::Instruction& instruction) {
    const auto operands = m_entry.operands_of(instruction);
    if (operands.size() < 2) return false;
    if (is_access(instruction.opcode)) {
      const std::optional<size_t> parameter = parameter_of(operands[1]);
      return parameter && m_parameters[*parameter].bytes == 8 &&
             give(operands[0], Origins{1} << *parameter);  // a loaded value is not one of our addresses
    }
    Origins origins = 0;
    for (size_t i = 1; i < operands.size(); ++i) origins |= origins_of(operands[i]);
    return give(operands[0], origins);
  }

  void note(const ptx::Instruction& instruction) {
    if (!is_access(instruction.opcode)) return;
    const auto operands = m_entry.operands_of(instruction);
    const std::string_view text = ptx::text_of(instruction.opcode);
    const bool first = text == "st" || text == "red";
    if (operands.size() < 2) return;
    const Origins origins = origins_of(operands[first ? 0 : 1]);
    Modifier type = Modifier::b8;
    uint32_t components = 1;
    for (const Modifier modifier : m_entry.modifiers_of(instruction)) {
      const std::string_view name = ptx::text_of(modifier);
      if (ptx::kind_of(modifier) == ptx::ModifierKind::type) type = modifier;
      if (name == "v2" || name == "v4") components = name == "v2" ? 2 : 4;
    }
    for (size_t i = 0; i < m_parameters.size() && i < 64; ++i)
      if (origins >> i & 1)
        use(m_parameters[i], type, components, text != "st" && text != "red", text != "ld" && text != "ldu");
  }

  static void use(PtxParameter& parameter, Modifier type, uint32_t components, bool reads, bool writes) {
    parameter.pointer = true;
    parameter.read |= reads;
    parameter.written |= writes;
    const std::optional<DType> element = element_type(type);
    if (!element) return;
    const bool wider = !parameter.element ||
                       bytes_of(*element) * components > bytes_of(*parameter.element) * parameter.components;
    if (!wider) return;
    parameter.element = element;
    parameter.components = components;
  }

  const ptx::Function& m_entry;
  std::vector<PtxParameter>& m_parameters;
  std::vector<Origins> m_origins;
};

}  // namespace

std::vector<PtxParameter> ptx_parameters(const ptx::Function& entry) {
  std::vector<PtxParameter> parameters;
  for (const ptx::Variable& variable : entry.parameters) {
    PtxParameter parameter;
    parameter.name = std::string(variable.name);
    parameter.bytes = variable.bytes;
    parameter.dtype = scalar_type(variable.type, variable.bytes);
    parameters.push_back(std::move(parameter));
  }
  Follower(entry, parameters).run();
  return parameters;
}

}  // namespace warplens
