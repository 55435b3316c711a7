#include "core/gpu/stepping/variables/variable_state.h"

#include <algorithm>
#include <bit>

namespace warplens::stepping {

namespace {

// Bytes of local memory past this limit count as set, so that large stacks need no memory here.
constexpr uint32_t most_shadow_bytes = 8192;

}  // namespace

VariableState::VariableState(const VariableTable& table, const exec::Block& block, MemoryHistory& history)
    : m_table(table), m_block(block) {
  const size_t warps = block.warps().size();
  m_places.assign(warps * table.variables().size() * warp_lanes, 0);
  const auto is_local = [](const NamedVariable& variable) {
    return std::ranges::any_of(
        variable.places, [](const VariablePlace& place) { return place.kind == VariablePlace::Kind::local; });
  };
  if (std::ranges::any_of(table.variables(), is_local))
    m_shadow_bytes = std::min(block.context().local_bytes, most_shadow_bytes);
  m_shadow.assign(warps * m_shadow_bytes, 0);
  m_saved.resize(warps);
  history.watch(std::as_writable_bytes(std::span(m_places)));
  history.watch(std::as_writable_bytes(std::span(m_shadow)));
}

void VariableState::apply(std::span<const PlaceChange> changes, uint32_t warp, uint32_t lanes) {
  for (const PlaceChange& change : changes) {
    PlaceNumber* places =
        m_places.data() + (size_t{warp} * m_table.variables().size() + change.variable) * warp_lanes;
    if (lanes == ~0u && change.from == PlaceChange::any) {
      std::fill_n(places, warp_lanes, change.to);
      continue;
    }
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      PlaceNumber& place = places[std::countr_zero(rest)];
      if (change.from == PlaceChange::any || place == change.from) place = change.to;
    }
  }
}

void VariableState::wrote(uint32_t warp, uint32_t instruction, uint32_t lanes,
                          std::span<const uint32_t> set) {
  if (!m_table.acts_behind(instruction)) return;
  for (const PlaceChange& change : m_table.writing(instruction)) {
    const bool overwrites = change.from != PlaceChange::any;
    const uint32_t reg = overwrites ? m_table.variables()[change.variable].places[change.from].reg : 0;
    apply({&change, 1}, warp, overwrites ? lanes & set[reg] : lanes);
  }
}

void VariableState::stored(uint32_t warp, uint32_t lanes, const uint64_t* addresses, uint32_t bytes) {
  uint32_t* shadow = m_shadow.data() + size_t{warp} * m_shadow_bytes;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t end = std::min<uint64_t>(addresses[lane] + bytes, m_shadow_bytes);
    for (uint64_t at = addresses[lane]; at < end; ++at) shadow[at] |= 1u << lane;
  }
}

bool VariableState::is_set(uint32_t warp, uint32_t lane, uint64_t address, uint64_t bytes) const {
  const uint32_t* shadow = m_shadow.data() + size_t{warp} * m_shadow_bytes;
  for (uint64_t at = address; at < address + bytes; ++at)
    if (at >= m_shadow_bytes || (shadow[at] >> lane & 1) != 0) return true;
  return false;
}

void VariableState::unset(uint32_t warp, uint32_t lanes, const VariablePlace& place, uint64_t bytes) {
  uint32_t* shadow = m_shadow.data() + size_t{warp} * m_shadow_bytes;
  const exec::Warp& running = m_block.warps()[warp];
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t base = place.base_slot == UINT32_MAX ? 0 : running.reg<uint64_t>(place.base_slot)[lane];
    const uint64_t end = std::min<uint64_t>(base + place.address + bytes, m_shadow_bytes);
    for (uint64_t at = base + place.address; at < end; ++at) shadow[at] &= ~(1u << lane);
  }
}

void VariableState::arrive(uint32_t warp, uint32_t lanes, uint32_t from, uint32_t at) {
  if (!m_table.acts_before(at)) return;
  if (from + 1 == at) apply(m_table.falling(at), warp, lanes);
  for (const uint32_t variable : m_table.beginning(at)) {
    const NamedVariable& named = m_table.variables()[variable];
    unset(warp, lanes, named.places[1], named.bytes);
  }
  apply(m_table.arriving(at), warp, lanes);
}

// The lanes may be on several paths now, and some may wait at a point of reconvergence.
void VariableState::moved(uint32_t warp, uint32_t lanes, uint32_t from) {
  const exec::Warp& running = m_block.warps()[warp];
  if (from != UINT32_MAX && m_table.acts_behind(from)) apply(m_table.leaving(from), warp, lanes);
  for (const exec::Path& path : running.paths)
    if ((path.mask & lanes) != 0) arrive(warp, path.mask & lanes, from, path.next->instruction);
  for (const exec::Join& join : running.joins)
    if (join.op != nullptr && (join.arrived & lanes) != 0)
      arrive(warp, join.arrived & lanes, from, join.op->instruction);
}

std::span<PlaceNumber> VariableState::places_of(uint32_t warp, uint32_t function) {
  const auto [from, to] = m_table.of_function(function);
  return std::span(m_places).subspan((size_t{warp} * m_table.variables().size() + from) * warp_lanes,
                                     size_t{to - from} * warp_lanes);
}

void VariableState::called(uint32_t warp, uint32_t lanes, int32_t frame, uint32_t caller, uint32_t callee) {
  const std::span<PlaceNumber> places = places_of(warp, caller);
  auto& saved = m_saved[warp];
  if (frame >= 0 && !places.empty()) {
    if (saved.size() <= static_cast<size_t>(frame)) saved.resize(static_cast<size_t>(frame) + 1);
    saved[static_cast<size_t>(frame)] =
        std::make_shared<const std::vector<PlaceNumber>>(places.begin(), places.end());
  }
  const std::span<PlaceNumber> entered = places_of(warp, callee);
  for (size_t i = 0; i < entered.size(); ++i)
    if ((lanes >> (i % warp_lanes) & 1) != 0) entered[i] = 0;
}

void VariableState::returned(uint32_t warp, uint32_t lanes, int32_t frame, uint32_t caller) {
  auto& all = m_saved[warp];
  if (frame < 0 || static_cast<size_t>(frame) >= all.size() || !all[static_cast<size_t>(frame)]) return;
  const std::vector<PlaceNumber>& saved = *all[static_cast<size_t>(frame)];
  const std::span<PlaceNumber> places = places_of(warp, caller);
  if (saved.size() != places.size()) return;
  for (size_t i = 0; i < places.size(); ++i)
    if ((lanes >> (i % warp_lanes) & 1) != 0) places[i] = saved[i];
}

size_t VariableState::bytes_of_saved() const {
  size_t bytes = 0;
  for (const auto& warp : m_saved) {
    bytes += warp.size() * sizeof(warp[0]);
    for (const auto& frame : warp)
      if (frame) bytes += frame->size() * sizeof(PlaceNumber) / 4;  // several checkpoints share it
  }
  return bytes;
}

}  // namespace warplens::stepping
