#include "core/gpu/stepping/variable_reader.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/gpu/stepping/stops/lane_names.h"
#include "core/program/op/address_space.h"

namespace warplens::stepping {

namespace {

using debug::Type;
using Where = VariableView::Where;
using Kind = VariablePlace::Kind;

bool is_of_block(const NamedVariable& variable) {
  return variable.places.size() > 1 && variable.places[1].kind == VariablePlace::Kind::shared;
}

}  // namespace

bool is_scalar(const Type& type) {
  return type.kind != Type::Kind::array && type.kind != Type::Kind::structure &&
         type.kind != Type::Kind::none;
}

std::optional<ptx::Modifier> half_type(const Type& type) {
  if (type.kind != Type::Kind::structure || type.bytes != 2) return std::nullopt;
  if (type.name == "__half") return ptx::Modifier::f16;
  if (type.name == "__nv_bfloat16") return ptx::Modifier::bf16;
  return std::nullopt;
}

uint64_t bytes_of(const debug::DebugInfo& info, const VariableView& view) {
  uint64_t bytes = debug::type_bytes(info, view.type_index);
  const Type& type = debug::plain_type(info, view.type_index);
  for (uint32_t i = 0; i < view.row && i < type.extents.size(); ++i)
    bytes /= std::max<uint64_t>(type.extents[i], 1);
  return bytes;
}

void VariableReader::find_saved() {
  const program::CallSite& site = m_engine.table().program().calls[m_frame->call->state];
  if (site.saved.empty()) return;
  m_saved = &site;
  m_caller = m_engine.table().instruction(m_frame->call->instruction).function;
  const auto frame = static_cast<size_t>(m_frame - m_warp.frames.data());
  m_saved_set = m_engine.saved_set(m_number, frame);
  m_saved_places = m_engine.variables()->saved(m_number, frame);
}

// The rows of a register. Registers that are the same in every activation are never saved.
const std::byte* VariableReader::rows_at(uint32_t slot) const {
  if (m_saved != nullptr) {
    size_t at = 0;
    for (const program::SlotRange& piece : m_saved->saved) {
      if (piece.slot == slot && at + piece.bytes() <= m_frame->saved.size())
        return m_frame->saved.data() + at;
      at += piece.bytes();
    }
  }
  return m_warp.frame + slot;
}

bool VariableReader::is_set(uint32_t reg, uint32_t lane) const {
  const uint32_t first = m_engine.table().first_register(m_caller);
  const bool saved = m_saved_set != nullptr && reg >= first && reg - first < m_saved_set->size();
  return ((saved ? (*m_saved_set)[reg - first] : m_engine.set(m_number)[reg]) >> lane & 1) != 0;
}

// Host memory of these bytes; null if there are none.
const std::byte* VariableReader::find(Where where, uint32_t lane, uint64_t address, uint64_t bytes) const {
  const exec::BlockContext& context = m_engine.block().context();
  const auto in = [&](const std::byte* from, uint64_t size) {
    return from != nullptr && address <= size && bytes <= size - address ? from + address : nullptr;
  };
  switch (where) {
    case Where::shared:
      return in(context.shared, context.shared_bytes);
    case Where::local:
      return in(m_warp.local + uint64_t{lane} * context.local_bytes, context.local_bytes);
    case Where::parameter:
      return in(context.parameters, context.parameter_bytes);
    case Where::global: {
      const exec::Allocation* allocation = m_engine.memory().find(address);
      if (allocation == nullptr || bytes > allocation->end - address) return nullptr;
      return allocation->host + (address - allocation->begin);
    }
    case Where::bits:
      break;
  }
  return nullptr;
}

void VariableReader::read(VariableView& view, uint32_t lane, Where where, uint64_t address) const {
  const uint32_t bit = 1u << lane;
  const uint64_t bytes = bytes_of(info(), view);
  view.where[lane] = where;
  view.address[lane] = address;
  const std::byte* from = find(where, lane, address, bytes);
  if (from == nullptr) {
    view.unreadable |= bit;
    if (view.reason.empty())
      view.reason = where == Where::global ? fmt::format("there is no memory at 0x{:x}", address)
                                           : "its place is outside of the memory";
    return;
  }
  if (where == Where::local && !m_engine.variables()->is_set(m_number, lane, address, bytes)) {
    view.not_set |= bit;
    return;
  }
  view.has |= bit;
  if (bytes <= 8) {
    std::memcpy(&view.bits[lane].low, from, static_cast<size_t>(bytes));
  } else if (bytes <= 16) {
    std::memcpy(&view.bits[lane], from, static_cast<size_t>(bytes));
  }
}

void VariableReader::read_generic(VariableView& view, uint32_t lane, uint64_t address) const {
  using namespace program;
  const uint64_t offset = address % window_bytes;
  switch (address / window_bytes * window_bytes) {
    case shared_window:
      return read(view, lane, Where::shared, offset);
    case local_window:
      return read(view, lane, Where::local, offset);
    case parameter_window:
      return read(view, lane, Where::parameter, offset);
    default:
      return read(view, lane, Where::global, address);
  }
}

// The place of a variable in a lane. Until a kernel has loaded a parameter, it is where the launch put it.
const VariablePlace& VariableReader::first_or(const NamedVariable& named, uint32_t lane,
                                              const VariablePlace& place) const {
  const bool loads = place.kind == Kind::reg && named.first_value.kind != Kind::none;
  return loads && !is_set(place.reg, lane) ? named.first_value : place;
}

void VariableReader::read_place(VariableView& view, uint32_t lane, const VariablePlace& place) const {
  const uint32_t bit = 1u << lane;
  switch (place.kind) {
    case Kind::none:
      view.no_place |= bit;
      return;
    case Kind::reg:
    case Kind::pointed: {
      if (!is_set(place.reg, lane)) {
        view.not_set |= bit;
        return;
      }
      const RegisterInfo& info = m_engine.table().reg(place.reg);
      const LaneBits bits = lane_bits_at(info, rows_at(info.slot), lane);
      if (place.kind == Kind::pointed) return read_generic(view, lane, bits.low + place.address);
      view.bits[lane] = bits;
      view.has |= bit;
      return;
    }
    case Kind::constant:
      view.bits[lane].low = place.value;
      view.has |= bit;
      return;
    case Kind::local: {
      uint64_t base = 0;
      if (place.base_slot != UINT32_MAX)
        std::memcpy(&base, rows_at(place.base_slot) + size_t{lane} * sizeof base, sizeof base);
      return read(view, lane, Where::local, base + place.address);
    }
    case Kind::shared:
      return read(view, lane, Where::shared, place.address);
    case Kind::parameter:
      return read(view, lane, Where::parameter, place.address);
    case Kind::global:
      return read(view, lane, Where::global, place.address);
    case Kind::unreadable:
      view.unreadable |= bit;
      view.reason = "the compiler's record of its place is not reliable";
      return;
  }
}

void VariableReader::follow_reference(VariableView& view) const {
  const Type& type = debug::plain_type(info(), view.type_index);
  if (type.kind != Type::Kind::reference) return;
  const uint32_t known = view.has;
  const auto addresses = view.bits;
  view.has = 0;
  view.type_index = type.element;
  for (uint32_t rest = known; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    view.bits[lane] = {};
    read_generic(view, lane, addresses[lane].low);
  }
}

void VariableReader::finish(VariableView& view) const {
  view.type = type_text(view);
  follow_reference(view);
  const Type& type = debug::plain_type(info(), view.type_index);
  view.opens =
      type.kind == Type::Kind::array || (type.kind == Type::Kind::structure && !is_half(type)) ||
      (type.kind == Type::Kind::pointer && debug::plain_type(info(), type.element).kind != Type::Kind::none);
  view.counts = is_scalar(type) && type.kind != Type::Kind::floating && type.kind != Type::Kind::boolean &&
                type.kind != Type::Kind::enumeration;
}

std::string VariableReader::type_text(const VariableView& view) const {
  const Type& type = debug::plain_type(info(), view.type_index);
  if (view.row == 0) return debug::type_name(info(), view.type_index);
  std::string text = debug::type_name(info(), type.element);
  for (size_t i = view.row; i < type.extents.size(); ++i) text += fmt::format("[{}]", type.extents[i]);
  return text;
}

std::string VariableReader::place_text(const VariablePlace& place) const {
  switch (place.kind) {
    case Kind::reg:
      return std::string(m_engine.table().reg(place.reg).name);
    case Kind::local:
      return fmt::format("local memory + {}", place.address);
    case Kind::shared:
      return fmt::format("shared memory + {}", place.address);
    case Kind::global:
      return fmt::format("memory at 0x{:x}", place.address);
    case Kind::parameter:
      return fmt::format("parameters + {}", place.address);
    case Kind::pointed:
      return fmt::format("memory at {}", m_engine.table().reg(place.reg).name);
    case Kind::constant:
      return "a constant";
    default:
      return {};
  }
}

PlaceNumber VariableReader::place_number(const NamedVariable& named, uint32_t variable, uint32_t lane) const {
  if (named.always) return 1;
  if (m_saved_places != nullptr) {
    const size_t from = m_engine.variable_table().of_function(m_caller).first;
    const size_t at = (variable - from) * warp_lanes + lane;
    if (variable >= from && at < m_saved_places->size()) return (*m_saved_places)[at];
  }
  return m_engine.variables()->place(m_number, variable, lane);
}

VariableView VariableReader::view(const CommonVariable& variable, uint32_t lanes) const {
  VariableView made;
  made.name = variable.from->name.empty() ? "unnamed" : variable.from->name;
  made.space = variable.space;
  made.line = variable.from->line;
  made.type_index = variable.from->type;
  made.in_scope = lanes;
  made.place = place_text(variable.place);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    read_place(made, static_cast<uint32_t>(std::countr_zero(rest)), variable.place);
  finish(made);
  return made;
}

VariableView VariableReader::view(uint32_t variable, uint32_t lanes) const {
  const VariableTable& table = m_engine.variable_table();
  const NamedVariable& named = table.variables()[variable];
  VariableView made;
  made.name = named.from->name.empty() ? "unnamed" : named.from->name;
  made.line = named.from->line;
  made.parameter = named.from->parameter;
  made.variable = variable;
  made.type_index = named.from->type;
  made.in_scope = lanes;
  for (uint32_t s = named.scope; s != UINT32_MAX && made.within.empty(); s = table.scopes()[s].parent)
    made.within = table.scopes()[s].from->inlined;
  std::optional<PlaceNumber> same;
  bool differs = false;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const bool kept = named.places.size() > 1;
    const PlaceNumber number = kept ? place_number(named, variable, lane) : PlaceNumber{0};
    if (kept && number == no_place_yet) {
      // A parameter that the kernel never loads still has the value from the launch.
      if (named.first_value.kind != Kind::none) {
        read_place(made, lane, named.first_value);
      } else {
        made.not_set |= 1u << lane;
      }
      continue;
    }
    if (number == place_lost) {
      made.no_place |= 1u << lane;
      continue;
    }
    differs = differs || (same && *same != number);
    same = number;
    read_place(made, lane, first_or(named, lane, named.places[number]));
  }
  if (same && !differs) made.place = place_text(named.places[*same]);
  finish(made);
  return made;
}

void VariableReader::add(uint32_t scope_number, uint32_t lanes, std::optional<std::string_view> name,
                         std::vector<VariableView>& views) const {
  const VariableTable& table = m_engine.variable_table();
  const CodeScope& scope = table.scopes()[scope_number];
  for (uint32_t i = 0; i < scope.variables; ++i) {
    const NamedVariable& named = table.variables()[scope.first_variable + i];
    if (is_of_block(named) || (name && named.from->name != *name)) continue;
    views.push_back(view(scope.first_variable + i, lanes));
  }
}

}  // namespace warplens::stepping
