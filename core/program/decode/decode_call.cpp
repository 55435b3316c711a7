// call, PTX ISA 9.7.12.5: the values that are passed and saved.
#include <fmt/format.h>

#include <algorithm>

#include "core/program/decode/families.h"
#include "core/program/decode/passed.h"
#include "core/program/op/call_op.h"

namespace warplens::program {

namespace {

struct LibraryShape {
  std::optional<Routine> routine;  // empty if it is not a function of the driver
  size_t results, arguments;
};

LibraryShape library_shape(LibraryFunction function) {
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
  if (name.find("DeviceSynchronize") != name.npos) {
    return fmt::format(
        "{} is not there since CUDA 12: what needs the results of kernels that this one launches goes into a "
        "kernel that is launched after them, in the same stream or in cudaStreamTailLaunch.",
        name);
  }
  constexpr std::string_view since_12 = "__cudaCDP2";
  if (name.starts_with("cuda") || name.starts_with(since_12)) {
    // As programs write it.
    return fmt::format(
        "{}{} is a part of the CUDA runtime for kernels that the virtual GPU does not have: do this on the "
        "host, before the launch.",
        name.starts_with(since_12) ? "cuda" : "",
        name.substr(name.starts_with(since_12) ? since_12.size() : 0));
  }
  return fmt::format(
      "{} is declared here and defined nowhere: add the code that defines it to this module, or make it a "
      "function that the compiler sees.",
      name);
}

// The routine of a function that is declared and not defined. Empty if it is refused.
std::optional<Routine> routine_of(Emitter& emitter, std::string_view name, CallSite& site) {
  const LibraryFunction library = library_function(name);
  const LibraryShape shape = library_shape(library);
  if (shape.routine) {
    if (site.results.size() != shape.results || site.arguments.size() != shape.arguments) return {};
    // The result of malloc depends on the order of the calls.
    if (library == LibraryFunction::malloc || library == LibraryFunction::free)
      emitter.program().order_dependent = true;
    return shape.routine;
  }
  const auto call = device_call(name);
  if (!call || site.results.size() != 1 || site.arguments.size() != call->arguments) return {};
  // What kernels launch runs in the order of their blocks.
  emitter.program().order_dependent = emitter.program().calls_runtime = true;
  site.device_call = call->call;
  return Routine::device_call;
}

struct Signature {
  const std::vector<ptx::Variable>*returns = nullptr, *parameters = nullptr;
};
struct PassedResult {  // it is loaded into its register after the call
  Operand value;
  const ptx::Variable* formal;
  uint32_t row;
};

bool move_passed(Emitter& emitter, uint32_t index, const Operand& value, const ptx::Variable& formal,
                 uint32_t row, bool store) {
  if (formal.vector != 1 || formal.bytes > 8) return false;
  Selector s;
  s.opcode = store ? Opcode::st : Opcode::ld;
  s.type = formal.type;
  s.operation = Modifier::param_func;
  const uint32_t width = std::max(register_bits(formal.type), emitter.bits_of_register(value));
  s.destination_bits = static_cast<uint8_t>(width);
  Op op{.d = store ? emitter.source(value, width) : emitter.destination(value),
        .a = row,
        .b = no_slot,
        .c = no_slot,
        .e = no_slot};
  return op.d != no_slot && emitter.emit(index, s, op);
}

// Where the caller stores the value for `formal`, or expects the result. Registers that are passed as .param
// use rows of their own: `moves` collects results that are loaded after the call.
std::optional<SlotRange> passed_value(Emitter& emitter, uint32_t index, const Operand& value,
                                      const ptx::Variable& formal, std::vector<PassedResult>* moves) {
  SlotRange piece = piece_of(formal, no_slot);
  const bool is_result = moves != nullptr;
  if (formal.unsized) return std::nullopt;
  if (value.kind == OperandKind::sink) return piece;
  if (value.kind == OperandKind::symbol) {
    const std::optional<SlotRange> variable = passed_variable(emitter, value);
    return variable && variable->lane_bytes == piece.lane_bytes ? variable : std::nullopt;
  }
  if (formal.space == ptx::StateSpace::reg) {
    if (is_predicate(formal.type)) {
      if (value.kind != OperandKind::reg) return std::nullopt;
      piece.slot = emitter.component_slot(value.index, 255);
    } else {
      piece.slot = is_result ? emitter.destination(value) : emitter.source(value, register_bits(formal.type));
    }
    return piece.slot == no_slot ? std::nullopt : std::optional(piece);
  }
  piece.slot = rows_for(emitter, formal);
  if (is_result) {
    moves->push_back({value, &formal, piece.slot});
  } else if (!move_passed(emitter, index, value, formal, piece.slot, true)) {
    return std::nullopt;
  }
  return piece;
}

// Registers that this function reads after the call, if the callee may overwrite them. When stepping, all
// registers can be displayed, so all are saved.
std::vector<SlotRange> saved_over(Emitter& emitter, uint32_t index) {
  const auto& live = emitter.live_at_start();
  const uint32_t next = emitter.flow().block_of[index] + 1;
  std::vector<SlotRange> saved;
  for (uint32_t r = 0; r < emitter.function().registers.size(); ++r) {
    const DecodedRegister& at = emitter.register_at(r);
    if (at.alias != no_slot || at.is_constant) continue;  // the same in every activation
    const bool known = !emitter.program().for_stepping && !live.empty() && next < live.size();
    if (known && !(live[next][r / 64] >> (r % 64) & 1)) continue;
    const ptx::Register& reg = emitter.function().registers[r];
    const uint32_t bytes = is_predicate(reg.type) ? 0 : register_bits(reg.type) / 8;
    saved.push_back({at.slot, static_cast<uint8_t>(bytes), reg.vector});
  }
  for (const auto* pieces : {&emitter.code().returns, &emitter.code().parameters}) {
    for (const SlotRange& piece : *pieces) {
      if (piece.lane_bytes == 4 && piece.rows != 0) saved.push_back(piece);
    }
  }
  saved.push_back({emitter.code().base_slot, 8, 1});
  return saved;
}

// The results and parameters of the called function, or of the table after the call.
Signature signature_of(const Emitter& emitter, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const ptx::Function* function = nullptr;
  if (operands[1].kind == OperandKind::symbol) {
    function = &emitter.module().functions[operands[1].index];
  } else if (operands.size() > 3) {
    const ptx::Label& table = emitter.function().labels[operands[3].index];
    if (table.prototype) {
      const ptx::Prototype& prototype = emitter.function().prototypes[*table.prototype];
      return {&prototype.returns, &prototype.parameters};
    }
    if (!table.call_targets.empty()) function = &emitter.module().functions[table.call_targets[0]];
  }
  if (function == nullptr) return {};
  return {&function->returns, &function->parameters};
}

bool may_come_back(const Emitter& emitter, uint32_t callee) {
  if (emitter.place() == 0) return false;  // a kernel cannot be called
  if (callee != no_function)
    return callee == emitter.place() || emitter.graph().reaches[callee][emitter.place()];
  return std::any_of(
      emitter.graph().address_taken.begin(), emitter.graph().address_taken.end(),
      [&](uint32_t f) { return f == emitter.place() || emitter.graph().reaches[f][emitter.place()]; });
}

// Appends the op itself. False if the call is refused.
bool append_call(Emitter& emitter, uint32_t index, const Instruction& instruction, CallSite site) {
  const Operand& callee = emitter.operands(instruction)[1];
  Op op;
  const auto place = static_cast<uint32_t>(emitter.program().calls.size());
  Routine routine = Routine::call;
  const bool by_address = callee.kind != OperandKind::symbol;
  if (by_address) {
    routine = Routine::indirect_call;
    IndirectCallOp{.site = place,
                   .address = emitter.component_slot(callee.index, callee.component),
                   .is_narrow = emitter.bits_of_register(callee) == 32,
                   .counter = emitter.counted(index, CountedOp::Kind::branch)}
        .write(op);
  } else {
    CallOp{.site = place}.write(op);
    site.callee = emitter.program().function_places[callee.index];
    const ptx::Function& function = emitter.module().functions[callee.index];
    if (site.callee == no_function) {
      const auto found = routine_of(emitter, function.name, site);
      if (!found) {
        emitter.refuse(instruction, why_undefined(function.name));
        return false;
      }
      routine = *found;
    }
  }
  const bool defined = by_address || site.callee != no_function;
  if (defined && may_come_back(emitter, site.callee)) site.saved = saved_over(emitter, index);
  emitter.program().calls.push_back(std::move(site));
  op.handlers = emitter.routine(routine);
  emitter.append(index, op);
  if (by_address) emitter.append(index, {.handlers = emitter.routine(Routine::meet)});
  return true;
}

}  // namespace

void decode_call(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const Signature signature = signature_of(emitter, instruction);
  if (signature.returns == nullptr)
    return emitter.refuse(instruction, "a call by address needs a .callprototype or .calltargets.");
  const auto results = emitter.children(operands[0]), arguments = emitter.children(operands[2]);
  if (results.size() != signature.returns->size() || arguments.size() != signature.parameters->size())
    return emitter.refuse(instruction, "it passes other values than the prototype says.");
  branch_around(emitter, index, instruction);
  CallSite site;
  std::vector<PassedResult> moves;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto piece = passed_value(emitter, index, arguments[i], (*signature.parameters)[i], nullptr);
    if (!piece)
      return emitter.refuse(instruction, fmt::format("argument {} cannot be passed in this way.", i + 1));
    site.arguments.push_back(*piece);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const auto piece = passed_value(emitter, index, results[i], (*signature.returns)[i], &moves);
    if (!piece) return emitter.refuse(instruction, "the result cannot be taken in this way.");
    site.results.push_back(*piece);
  }
  if (!append_call(emitter, index, instruction, std::move(site))) return;
  for (const PassedResult& move : moves) {
    if (!move_passed(emitter, index, move.value, *move.formal, move.row, false))
      return emitter.refuse(instruction);
  }
}

}  // namespace warplens::program
