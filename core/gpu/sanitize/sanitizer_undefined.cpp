// Values that are undefined and only copied. A structure is copied with its padding, and libraries move
// registers through shared memory that nothing reads in the end. So such a value is no mistake yet: the bytes
// to which it is stored count as undefined, and computing with them is reported.
#include <algorithm>
#include <bit>

#include "core/base/bits.h"
#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

using exec::Op;
using exec::Warp;
using ptx::Opcode;

namespace {

// The distance between the addresses of neighbouring lanes: the size of an element, if they access an array.
uint64_t distance(const uint64_t* addresses, uint32_t mask, uint32_t lane) {
  for (const uint32_t other : {lane + 1, lane - 1}) {
    if (other >= warp_lanes || (mask >> other & 1) == 0) continue;
    const uint64_t a = addresses[lane], b = addresses[other];
    return std::max(a, b) - std::min(a, b);
  }
  return 0;
}

// Whether the bytes that are missing may be the padding of a structure, or a member without a value: others
// of the same element have been written.
bool may_be_padding(const WrittenBytes& written, uint64_t offset, uint32_t bytes, uint64_t missing,
                    uint64_t element_bytes) {
  constexpr uint64_t largest_element = 256;
  if (missing != (uint64_t{1} << bytes) - 1) return true;
  if (element_bytes == 0) element_bytes = 16;  // one lane alone tells nothing of the array
  if (element_bytes <= bytes || element_bytes > largest_element) return false;
  const uint64_t reach = element_bytes - bytes;
  for (uint64_t at = offset - std::min(offset, reach); at < offset + element_bytes; ++at)
    if (written.has(at, 1)) return true;
  return false;
}

}  // namespace

// A thread reads bytes that have not been written.
void Sanitizer::read_unwritten(const Event& event, const Target& target, uint32_t lane, uint64_t missing) {
  const Opcode opcode = m_places->program().instruction(event.op.instruction).opcode;
  const bool is_copy = opcode == Opcode::cp;
  if (event.kind != AccessKind::load || (opcode != Opcode::ld && !is_copy))
    return report_uninitialized(event, target, lane, missing);
  const uint64_t offset = event.addresses[lane] - target.begin;
  const uint64_t never = missing & ~target.written->undefined(offset, missing);
  const bool copies = never == 0 || may_be_padding(*target.written, offset, event.bytes, never,
                                                   distance(event.addresses, event.mask, lane));
  if (is_copy) {
    if (!copies) report_uninitialized(event, target, lane, missing);
    return;
  }
  for (const Part& part : m_places->parts(event.op.instruction)) {
    const uint64_t bits = missing & part.mask();
    const Fate fate =
        bits == 0 ? Fate::unused : m_places->fate(event.op.instruction, part.reg, bits >> part.first);
    if (fate == Fate::unused) continue;
    if (fate == Fate::used || (!copies && (never & bits) != 0))
      return report_uninitialized(event, target, lane, bits);
    UndefinedRegister& held = m_shadow->undefined[key_of(event.op, event.warp, part.reg)];
    held.lanes |= 1u << lane;
    held.bytes[lane] = static_cast<uint16_t>(bits >> part.first);
    held.load = &event.op;
    held.space = event.space;
    held.addresses[lane] = event.addresses[lane];
  }
}

RegisterKey Sanitizer::key_of(const Op& op, const Warp& warp, uint32_t r) const {
  return {warp.index, m_places->program().code_of(op.instruction).first_instruction, r};
}

// The registers of a load get new values.
void Sanitizer::forget_registers(const Event& event) {
  for (const Part& part : m_places->parts(event.op.instruction)) {
    const auto held = m_shadow->undefined.find(key_of(event.op, event.warp, part.reg));
    if (held == m_shadow->undefined.end()) continue;
    held->second.lanes &= ~event.mask;
    if (held->second.lanes == 0) m_shadow->undefined.erase(held);
  }
}

// Whether an instruction that reads an undefined register only stores it: the store that follows decides.
bool Sanitizer::hold_register(const Op& op, const Warp& warp, uint32_t r, uint32_t lanes) {
  const program::Program& program = m_places->program();
  const ptx::Instruction& instruction = program.instruction(op.instruction);
  if (instruction.opcode != Opcode::st) return false;
  const ptx::Function& function = *program.code_of(op.instruction).function;
  const auto modifiers = function.modifiers_of(instruction);
  const ptx::Operand& address = function.operands_of(instruction)[0];
  const auto is_it = [&](const Part& part) { return part.reg == r; };
  if ((address.base == ptx::OperandKind::reg && address.index == r) ||
      std::ranges::find(modifiers, ptx::Modifier::param) != modifiers.end() ||
      std::ranges::none_of(m_places->parts(op.instruction), is_it))
    return false;
  UndefinedRegister& held = m_shadow->undefined[key_of(op, warp, r)];
  held = {.lanes = lanes};
  held.bytes.fill(0xffff);
  return true;
}

void Sanitizer::store_undefined(const Event& event) {
  for (const Part& part : m_places->parts(event.op.instruction)) {
    auto held = m_shadow->undefined.find(key_of(event.op, event.warp, part.reg));
    if (held == m_shadow->undefined.end() && part.source != Part::no_register)
      held = m_shadow->undefined.find(key_of(event.op, event.warp, part.source));
    if (held == m_shadow->undefined.end()) continue;
    const bool is_loaded = held->second.load != nullptr;
    // Where several instructions write the register, it is not known which one did.
    if (!is_loaded || part.source != Part::no_register) store_undefined(event, part, held->second);
    if (!is_loaded) held->second.lanes &= ~event.mask;
    if (held->second.lanes == 0) m_shadow->undefined.erase(held);
  }
}

void Sanitizer::store_undefined(const Event& event, const Part& part, UndefinedRegister& held) {
  for_each_bit(event.mask & held.lanes, [&](uint32_t lane) {
    const uint64_t bits = held.bytes[lane] & ((uint64_t{1} << part.bytes) - 1);
    if (bits == 0 || is_reported(event, part, held, lane)) return;
    uint64_t offset = 0;
    if (WrittenBytes* written = written_at(event, lane, offset))
      written->take_back(offset, bits << part.first);
  });
}

// What is stored to device memory is a result, so a whole value that is undefined there is reported.
bool Sanitizer::is_reported(const Event& event, const Part& part, const UndefinedRegister& held,
                            uint32_t lane) {
  if (event.space != Space::global) return false;
  if (held.load == nullptr) {
    report_register(event.op, event.warp, lane, part.reg);
    return true;
  }
  const GlobalShadow* shadow = find_shadow(event.op.instruction, event.addresses[lane]);
  const auto buffer = shadow == nullptr ? SIZE_MAX : static_cast<size_t>(shadow->buffer);
  // A number has no padding.
  if (buffer >= m_types.size() || part.bytes < 2 || bytes_of(m_types[buffer]) != part.bytes) return false;
  const Event load =
      event_of(*held.load, event.warp.index, held.lanes, held.space, AccessKind::load, held.addresses.data());
  Target target;
  if (held.space == Space::shared) target = shared_target(load);
  if (held.space == Space::local) target.written = &m_shadow->local[event.warp.index * warp_lanes + lane];
  if (held.space == Space::global && !find_target(load, lane, target)) return false;
  if (target.written == nullptr) return false;
  const uint64_t missing = target.written->missing(held.addresses[lane] - target.begin, load.bytes);
  if (missing != 0) report_uninitialized(load, target, lane, missing);
  return missing != 0;
}

// The shadow of what the lane has just written. Null if it is not followed.
WrittenBytes* Sanitizer::written_at(const Event& event, uint32_t lane, uint64_t& offset) {
  offset = event.addresses[lane];
  if (event.space == Space::shared) {
    end_interval();  // what it replays would count as written again
    return &m_shadow->written;
  }
  if (event.space == Space::local) return &m_shadow->local[event.warp.index * warp_lanes + lane];
  GlobalShadow* shadow = find_shadow(event.op.instruction, event.addresses[lane]);
  if (shadow == nullptr) return nullptr;
  offset -= shadow->begin;
  if (!shadow->tracks_written) {
    shadow->tracks_written = true;
    shadow->written.set(0, shadow->end - shadow->begin);
  }
  return &shadow->written;
}

}  // namespace warplens::sanitize
