#include "core/recording/managed_arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/pages/time.h"
#include "core/recording/recording.h"

namespace warplens::recording {

void ManagedArrays::add(const Event& event, size_t index) {
  const std::pair key{event.process, event.address};
  if (event.kind == Event::Kind::release) m_alive.erase(key);
  if (event.kind == Event::Kind::allocate && event.name == "managed") {
    m_alive[key] = m_arrays.size();
    ManagedArray array;
    array.process = event.process;
    array.address = event.address;
    array.bytes = event.bytes;
    array.place = event.place;
    m_arrays.push_back(std::move(array));
  }
  if (event.kind != Event::Kind::pages) return;
  if (event.pages == nullptr) {
    m_ended = true;
    return;
  }
  const auto at = m_alive.find(key);
  if (at == m_alive.end()) return;
  ManagedArray& array = m_arrays[at->second];
  const PageMoves& moves = *event.pages;
  const bool to_host = moves.to == pages::Side::host, is_prefetch = event.name == "prefetch";
  (to_host ? array.to_host : array.to_device) += event.bytes;
  array.mapped += moves.mapped_bytes;
  (to_host ? array.host_misses : array.device_misses) += moves.misses;
  if (!is_prefetch) (to_host ? array.host_us : array.device_us) += event.device_us.value_or(0);
  if (!is_prefetch && !to_host) {
    array.missed += event.bytes;
    pages::Moves fetched;
    fetched.bytes = event.bytes;
    array.fetched_us += pages::prefetch_us(pages::Side::device, fetched);
  }
  array.events.push_back(index);
}

std::vector<ManagedArray> ManagedArrays::arrays() const {
  std::vector<ManagedArray> used = m_arrays;
  std::erase_if(used, [](const ManagedArray& array) { return array.events.empty(); });
  return used;
}

std::vector<ManagedArray> managed_arrays_of(const Recording& recording) {
  ManagedArrays arrays;
  for (size_t i = 0; i < recording.events.size(); ++i) arrays.add(recording.events[i], i);
  return arrays.arrays();
}

std::string name_of(const ManagedArray& array) {
  const std::string size = byte_size_text(array.bytes);
  return array.place == nullptr ? size : fmt::format("{}, {}", place_text(*array.place), size);
}

}  // namespace warplens::recording
