// Calls, what they pass, jump tables, and the stack (PTX ISA 7.1, 9.7.12.4 to 9.7.12.6, 9.7.17).
#include <fmt/format.h>

#include "core/program/decode/decoder.h"
#include "core/program/flow/liveness.h"

namespace warplens::program {

namespace {

constexpr uint32_t row_bytes = 4 * warp_lanes;

// How a variable lies in the frame: .param ones as rows of words, .reg ones as registers do.
Piece piece_of(const ptx::Variable& variable, uint32_t slot) {
  if (variable.space == ptx::StateSpace::reg) {
    const uint32_t bytes = is_predicate(variable.type) ? 0 : register_bits(variable.type) / 8;
    return {slot, static_cast<uint8_t>(bytes), variable.vector};
  }
  return {slot, 4, std::max<uint32_t>(1, static_cast<uint32_t>((variable.bytes + 3) / 4))};
}

uint32_t rows_for(Frame& frame, const ptx::Variable& variable) {
  const uint32_t rows = piece_of(variable, 0).rows;
  const uint32_t first = frame.lanes(32);
  for (uint32_t row = 1; row < rows; ++row) frame.lanes(32);  // they lie side by side
  return first;
}

struct LibraryShape {
  std::optional<Routine> routine;  // empty: no function of the driver
  size_t results, arguments;
};

LibraryShape shape_of(LibraryFunction function) {
  switch (function) {
    case LibraryFunction::vprintf:
      return {Routine::vprintf, 1, 2};
    case LibraryFunction::malloc:
      return {Routine::malloc, 1, 1};
    case LibraryFunction::free:
      return {Routine::free, 0, 1};
    case LibraryFunction::assert_fail:
      return {Routine::assert_fail, 0, 5};
    default:
      return {std::nullopt, 0, 0};
  }
}

std::string why_undefined(std::string_view name) {
  if (name.starts_with("cuda")) {
    return fmt::format(
        "{} is of the CUDA runtime for kernels, which the virtual GPU does not have: do this on the host, "
        "before the launch.",
        name);
  }
  return fmt::format(
      "{} is declared here and defined nowhere: add the code that defines it to this module, or make it a "
      "function that the compiler sees.",
      name);
}

}  // namespace

// Registers and rows for what a call passes, and for the .param variables of the body.
void Decoder::give_signature_slots() {
  m_variable_slots.assign(m_function.variables.size(), no_slot);
  for (size_t i = 0; i < m_function.variables.size(); ++i) {
    const ptx::Variable& variable = m_function.variables[i];
    if (variable.space == ptx::StateSpace::param) m_variable_slots[i] = rows_for(m_frame, variable);
  }
  if (m_function.is_entry) return;
  uint32_t next_register = 0;  // .reg ones are the function's first registers, results first
  const auto give = [&](const std::vector<ptx::Variable>& variables, std::vector<Piece>& pieces) {
    for (const ptx::Variable& variable : variables) {
      const bool in_register = variable.space == ptx::StateSpace::reg;
      pieces.push_back(
          piece_of(variable, in_register ? m_register_slots[next_register++] : rows_for(m_frame, variable)));
    }
  };
  give(m_function.returns, m_code.returns);
  give(m_function.parameters, m_code.parameters);
  for (uint32_t r = 0; r < next_register; ++r) ++m_definitions[r];  // a call writes them, or reads them
  if (m_code.on_stack) m_code.base_slot = m_frame.lanes(64);
}

// Parameters whose address is taken go to local memory first of all.
void Decoder::spill_parameters() {
  for (uint32_t i = 0; i < m_layout.spilled.size(); ++i) {
    const Piece& piece = m_code.parameters[i];
    if (m_layout.spilled[i].space != ptx::StateSpace::local || piece.lane_bytes != 4) continue;
    append(0, {.handlers = m_table.both(Routine::spill),
               .d = m_code.on_stack ? m_code.base_slot : no_slot,
               .a = piece.slot,
               .b = piece.rows,
               .immediate = static_cast<int64_t>(m_layout.spilled[i].address)});
  }
}

// The rows of a .param variable that a call passes; empty: none of those.
std::optional<Piece> Decoder::passed_variable(const Operand& symbol) const {
  switch (symbol.symbol_kind) {
    case ptx::SymbolKind::function_variable: {
      const ptx::Variable& variable = m_function.variables[symbol.index];
      if (variable.space != ptx::StateSpace::param || variable.unsized) return std::nullopt;
      return piece_of(variable, m_variable_slots[symbol.index]);
    }
    case ptx::SymbolKind::return_value:
      if (m_function.is_entry) return std::nullopt;
      return m_code.returns[symbol.index];
    case ptx::SymbolKind::parameter:
      if (m_function.is_entry) return std::nullopt;
      return m_code.parameters[symbol.index];
    default:
      return std::nullopt;
  }
}

// ld.param and st.param of what a call passes: op.a is the row, the immediate the place in it. False: the
// address is another one, or the access reaches over the variable's end.
bool Decoder::set_passed_address(Op& op, const Operand& address, uint32_t element_bytes) const {
  if (address.base != OperandKind::symbol) return false;
  const std::optional<Piece> piece = passed_variable(address);
  if (m_layout.space_of(address) == ptx::StateSpace::local) return false;  // it may have changed there
  if (!piece || piece->lane_bytes != 4) return false;
  const bool inside = address.offset >= 0 && address.offset + op.bytes <= int64_t{4} * piece->rows;
  if (!inside || address.offset % std::min<int64_t>(element_bytes, 4) != 0) return false;
  op.a = piece->slot + static_cast<uint32_t>(address.offset / 4) * row_bytes;
  op.immediate = address.offset % 4;
  return true;
}

bool Decoder::move_passed(uint32_t index, const Operand& value, const ptx::Variable& formal, uint32_t row,
                          bool store) {
  if (formal.vector != 1 || formal.bytes > 8) return false;
  Selector s;
  s.opcode = store ? Opcode::st : Opcode::ld;
  s.type = formal.type;
  s.operation = Modifier::param_func;
  const uint32_t width = std::max(register_bits(formal.type), bits_of_register(value));
  s.destination_bits = static_cast<uint8_t>(width);
  Op op{.d = store ? source(value, width) : destination(value),
        .a = row,
        .b = no_slot,
        .c = no_slot,
        .e = no_slot};
  return op.d != no_slot && emit(index, s, op);
}

// Where the caller keeps what it passes for `formal`, or wants the result. Registers that are passed as
// .param go through rows of their own: `moves` collects results that are to be loaded behind the call.
std::optional<Piece> Decoder::passed_value(uint32_t index, const Operand& value, const ptx::Variable& formal,
                                           std::vector<PassedResult>* moves) {
  Piece piece = piece_of(formal, no_slot);
  const bool is_result = moves != nullptr;
  if (formal.unsized) return std::nullopt;
  if (value.kind == OperandKind::sink) return piece;
  if (value.kind == OperandKind::symbol) {
    const std::optional<Piece> variable = passed_variable(value);
    return variable && variable->lane_bytes == piece.lane_bytes ? variable : std::nullopt;
  }
  if (formal.space == ptx::StateSpace::reg) {
    if (is_predicate(formal.type)) {
      if (value.kind != OperandKind::reg) return std::nullopt;
      piece.slot = component_slot(value.index, 255);
    } else {
      piece.slot = is_result ? destination(value) : source(value, register_bits(formal.type));
    }
    return piece.slot == no_slot ? std::nullopt : std::optional(piece);
  }
  piece.slot = rows_for(m_frame, formal);
  if (is_result) {
    moves->push_back({value, &formal, piece.slot});
  } else if (!move_passed(index, value, formal, piece.slot, true)) {
    return std::nullopt;
  }
  return piece;
}

// What this function reads after the call, where the callee may run over it.
std::vector<Piece> Decoder::saved_over(uint32_t index) {
  const auto& live = live_at_start();
  const uint32_t next = m_flow.block_of[index] + 1;
  std::vector<Piece> saved;
  for (uint32_t r = 0; r < m_function.registers.size(); ++r) {
    if (m_alias[r] != no_slot || m_constant_register[r]) continue;  // the same in every activation
    const bool known = !live.empty() && next < live.size();
    if (known && !(live[next][r / 64] >> (r % 64) & 1)) continue;
    const ptx::Register& reg = m_function.registers[r];
    const uint32_t bytes = is_predicate(reg.type) ? 0 : register_bits(reg.type) / 8;
    saved.push_back({m_register_slots[r], static_cast<uint8_t>(bytes), reg.vector});
  }
  for (const auto* pieces : {&m_code.returns, &m_code.parameters}) {
    for (const Piece& piece : *pieces) {
      if (piece.lane_bytes == 4 && piece.rows != 0) saved.push_back(piece);
    }
  }
  saved.push_back({m_code.base_slot, 8, 1});
  return saved;
}

// The results and parameters of what is called: of the function, or of the table behind the call.
Decoder::Signature Decoder::signature_of(const Instruction& instruction) const {
  const auto operands = m_function.operands_of(instruction);
  const ptx::Function* function = nullptr;
  if (operands[1].kind == OperandKind::symbol) {
    function = &m_module.functions[operands[1].index];
  } else if (operands.size() > 3) {
    const ptx::Label& table = m_function.labels[operands[3].index];
    if (table.prototype) {
      const ptx::Prototype& prototype = m_function.prototypes[*table.prototype];
      return {&prototype.returns, &prototype.parameters};
    }
    if (!table.call_targets.empty()) function = &m_module.functions[table.call_targets[0]];
  }
  if (function == nullptr) return {};
  return {&function->returns, &function->parameters};
}

bool Decoder::may_come_back(uint32_t callee) const {
  if (m_place == 0) return false;  // nobody calls a kernel
  if (callee != no_function) return callee == m_place || m_graph.reaches[callee][m_place];
  return std::any_of(m_graph.address_taken.begin(), m_graph.address_taken.end(),
                     [&](uint32_t f) { return f == m_place || m_graph.reaches[f][m_place]; });
}

void Decoder::decode_call(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const Signature signature = signature_of(instruction);
  if (signature.returns == nullptr)
    return refuse(instruction, "a call by address needs a .callprototype or .calltargets.");
  const auto results = m_function.children_of(operands[0]), arguments = m_function.children_of(operands[2]);
  if (results.size() != signature.returns->size() || arguments.size() != signature.parameters->size())
    return refuse(instruction, "it passes other values than the prototype says.");
  branch_around(index, instruction);
  CallSite site;
  std::vector<PassedResult> moves;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto piece = passed_value(index, arguments[i], (*signature.parameters)[i], nullptr);
    if (!piece) return refuse(instruction, fmt::format("argument {} cannot be passed in this way.", i + 1));
    site.arguments.push_back(*piece);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const auto piece = passed_value(index, results[i], (*signature.returns)[i], &moves);
    if (!piece) return refuse(instruction, "the result cannot be taken in this way.");
    site.results.push_back(*piece);
  }
  if (!append_call(index, instruction, std::move(site))) return;
  for (const PassedResult& move : moves) {
    if (!move_passed(index, move.value, *move.formal, move.row, false)) return refuse(instruction);
  }
}

// The op itself. False: refused.
bool Decoder::append_call(uint32_t index, const Instruction& instruction, CallSite site) {
  const Operand& callee = m_function.operands_of(instruction)[1];
  Op op{.state = static_cast<uint32_t>(m_program.calls.size())};
  Routine routine = Routine::call;
  const bool by_address = callee.kind != OperandKind::symbol;
  if (by_address) {
    routine = Routine::indirect_call;
    op.a = component_slot(callee.index, callee.component);
    if (bits_of_register(callee) == 32) op.flags |= flag_address32;
    op.b = counted(index, CountedOp::Kind::branch);
    op.meet = 1;
  } else {
    site.callee = m_program.function_places[callee.index];
    const ptx::Function& function = m_module.functions[callee.index];
    if (site.callee == no_function) {
      const LibraryFunction library = library_function(function.name);
      const LibraryShape shape = shape_of(library);
      if (!shape.routine || site.results.size() != shape.results ||
          site.arguments.size() != shape.arguments) {
        refuse(instruction, why_undefined(function.name));
        return false;
      }
      routine = *shape.routine;
      // What malloc gives depends on who asks first.
      if (library == LibraryFunction::malloc || library == LibraryFunction::free)
        m_program.order_dependent = true;
    }
  }
  const bool defined = by_address || site.callee != no_function;
  if (defined && may_come_back(site.callee)) site.saved = saved_over(index);
  m_program.calls.push_back(std::move(site));
  op.handlers = m_table.both(routine);
  append(index, op);
  if (by_address) append(index, {.handlers = m_table.both(Routine::meet)});
  return true;
}

// brx.idx index, table
void Decoder::decode_branch_table(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  branch_around(index, instruction);
  Op op{.handlers = m_table.both(Routine::branch_table), .a = source(operands[0], 32)};
  if (op.a == no_slot) return refuse(instruction);
  op.b = counted(index, CountedOp::Kind::branch);
  op.state = static_cast<uint32_t>(m_program.branch_tables.size());
  std::vector<uint32_t> targets;  // blocks, until patch_branches knows their ops
  for (uint32_t label : m_function.labels[operands[1].index].branch_targets) {
    const uint32_t target = m_function.labels[label].instruction;
    targets.push_back(target < m_flow.block_of.size() ? m_flow.block_of[target] : no_block);
  }
  m_program.branch_tables.push_back(std::move(targets));
  append(index, op);
  m_tables.push_back(
      {m_program.ops.size() - 1, op.state, m_flow.blocks[m_flow.block_of[index]].post_dominator});
}

void Decoder::decode_stack(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const uint32_t bits = register_bits(selector_of(instruction, m_function.modifiers_of(instruction)).type);
  Op op{.immediate = 8};  // alloca's own alignment, PTX ISA 9.7.17.3
  Routine routine = Routine::alloca;
  if (instruction.opcode == Opcode::stackrestore) {
    routine = Routine::stack_restore;
    op.a = source(operands[0], bits);
  } else {
    op.d = destination(operands[0]);
    if (instruction.opcode == Opcode::stacksave) routine = Routine::stack_save;
    if (operands.size() > 1) op.a = source(operands[1], bits);
    if (operands.size() > 2) op.immediate = static_cast<int64_t>(operands[2].bits);
  }
  const bool power = op.immediate > 0 && (op.immediate & (op.immediate - 1)) == 0 && op.immediate <= 65536;
  if (op.a == no_slot || op.d == no_slot || !power) return refuse(instruction);
  if (bits == 32) op.flags |= flag_address32;
  op.handlers = m_table.both(routine);
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

}  // namespace warplens::program
