#include "core/gpu/sanitize/places.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "core/gpu/exec/state/warp.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/sanitize/update.h"
#include "core/program/op/memory_op.h"
#include "core/program/provenance.h"

namespace warplens::sanitize {

namespace {

using ptx::Modifier;
using ptx::Opcode;

bool is_strong(Modifier m) {
  switch (m) {
    case Modifier::volatile_:
    case Modifier::relaxed:
    case Modifier::acquire:
    case Modifier::release:
    case Modifier::acq_rel:
    case Modifier::mmio:
      return true;
    default:
      return false;
  }
}

}  // namespace

Places::Places(const program::Program& program) : m_program(program) {
  const std::vector<uint64_t> origins = program::provenance_of(program);
  m_places.reserve(program.instructions());
  for (uint32_t i = 0; i < program.instructions(); ++i) {
    m_places.push_back(place_of(i));
    m_places.back().parameters = origins[i];
  }
  for (uint32_t i = 0; i < program.instructions(); ++i)
    for (const uint32_t load : guesses_for(program, i)) m_places[load].guesses = true;
  find_exchanges();
}

Place Places::place_of(uint32_t instruction) {
  const ptx::Instruction& text = m_program.instruction(instruction);
  const ptx::Function& function = *m_program.code_of(instruction).function;
  Place place;
  place.atomic = text.opcode == Opcode::atom || text.opcode == Opcode::red || text.opcode == Opcode::sured;
  place.strong = place.atomic;
  place.device_scope = true;
  for (const Modifier m : function.modifiers_of(text)) {
    place.strong = place.strong || is_strong(m);
    place.releases = place.releases || m == Modifier::release || m == Modifier::acq_rel;
    place.device_scope = place.device_scope && m != Modifier::cta;
    if (ptx::kind_of(m) == ptx::ModifierKind::type) place.type = m;
  }
  place.updates = place.strong && !place.atomic && update_of(m_program, instruction) != Update::none;
  const auto has = [&](Modifier wanted) {
    const auto modifiers = function.modifiers_of(text);
    return std::ranges::find(modifiers, wanted) != modifiers.end();
  };
  if (place.strong && !has(Modifier::shared) && !has(Modifier::shared_cta)) {
    m_signals = m_signals || text.opcode != Opcode::ld;
    m_polls = m_polls || text.opcode == Opcode::ld || text.opcode == Opcode::atom;
  }
  m_publishes =
      m_publishes || place.releases || text.opcode == Opcode::membar || text.opcode == Opcode::fence;
  const SourcePlace source = message_place(m_program, instruction).place;
  if (source.line == 0) {
    place.line_key = text.line;
  } else {
    auto file = std::find(m_files.begin(), m_files.end(), source.file);
    if (file == m_files.end()) file = m_files.insert(file, source.file);
    place.line_key = static_cast<uint64_t>(file - m_files.begin() + 1) << 32 | source.line;
  }
  return place;
}

namespace {

// The type of the instruction, changed to that of the array's elements if these have the same width.
Modifier element_type(Modifier type, std::optional<DType> element, uint32_t bytes) {
  if (!element || bytes_of(*element) != bytes) return type;
  switch (*element) {
    case DType::i8:
      return Modifier::s8;
    case DType::i16:
      return Modifier::s16;
    case DType::i32:
      return Modifier::s32;
    case DType::i64:
      return Modifier::s64;
    case DType::f32:
      return Modifier::f32;
    case DType::f64:
      return Modifier::f64;
    default:
      return type;
  }
}

template <class Signed>
std::string integer_text(uint64_t value, uint32_t bytes, bool is_known) {
  const auto negative = static_cast<Signed>(value);
  if (negative >= 0 || is_known || bytes != sizeof negative) return fmt::format("{}", value);
  return fmt::format("{} (unsigned: {})", int64_t{negative}, value);
}

}  // namespace

std::string value_text(Modifier type, std::optional<DType> element, const void* value, uint32_t bytes) {
  // A buffer of bytes usually means that its element type was not given.
  const bool is_known = element && *element != DType::u8 && bytes_of(*element) == bytes;
  type = element_type(type, element, bytes);
  const auto as = [&]<class T>(T initial) {
    std::memcpy(&initial, value, std::min<size_t>(sizeof initial, bytes));
    return initial;
  };
  switch (type) {
    case Modifier::f32:
      return fmt::format("{}", as(0.0f));
    case Modifier::f64:
      return fmt::format("{}", as(0.0));
    case Modifier::s8:
      return fmt::format("{}", int{as(int8_t{0})});
    case Modifier::s16:
      return fmt::format("{}", as(int16_t{0}));
    case Modifier::s32:
      return fmt::format("{}", as(int32_t{0}));
    case Modifier::s64:
      return fmt::format("{}", as(int64_t{0}));
    case Modifier::u8:
      return fmt::format("{}", as(uint64_t{0}));
    case Modifier::u16:
      return integer_text<int16_t>(as(uint64_t{0}), bytes, is_known);
    case Modifier::u32:
      return integer_text<int32_t>(as(uint64_t{0}), bytes, is_known);
    case Modifier::u64:
      return integer_text<int64_t>(as(uint64_t{0}), bytes, is_known);
    default:
      return fmt::format("0x{:0{}x}", as(uint64_t{0}), 2 * std::min(bytes, 8u));
  }
}

bool stored_value(const exec::Op& op, const exec::Warp& warp, uint32_t lane, std::byte (&value)[16]) {
  const auto access = exec::AccessOp::of(op);
  if (access.kind == AccessKind::atomic) {
    if (op.b == exec::no_slot || op.bytes > 8) return false;
    std::memcpy(value, warp.frame + op.b + size_t{lane} * op.bytes, op.bytes);
    return true;
  }
  // For ld and st, the width of the registers is known; other instructions that store do not have it.
  const uint32_t width = access.register_bytes;
  if (access.kind != AccessKind::store || width < 2 || width > 16 || op.handlers.move == nullptr)
    return false;
  const uint32_t slots[4] = {op.d, op.b, op.c, op.e};
  const auto count = static_cast<uint32_t>(
      std::count_if(std::begin(slots), std::end(slots), [](uint32_t slot) { return slot != exec::no_slot; }));
  if (count == 0) return false;
  const uint32_t element = op.bytes / count;
  if (element == 0 || element > width) return false;
  for (uint32_t i = 0; i < count; ++i)
    std::memcpy(value + i * element, warp.frame + slots[i] + size_t{lane} * width, element);
  return true;
}

std::string short_name(std::string_view name) {
  std::string text(name);
  if (!name.starts_with("_Z")) return text;
  int status = 0;
  char* demangled = abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status);
  if (demangled == nullptr) return text;
  text = demangled;
  std::free(demangled);
  const size_t colons = text.rfind("::");
  return colons == std::string::npos ? text : text.substr(colons + 2);
}

}  // namespace warplens::sanitize
