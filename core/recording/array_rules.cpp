#include "core/recording/array_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/recording/engine.h"
#include "core/recording/size_of_pointer.h"

namespace warplens::recording {

namespace {

constexpr size_t most_named = 100;

// Python frees memory automatically, and nothing can be said about a program whose lines are not known.
bool is_cpp(const std::shared_ptr<const HostPlace>& place) {
  return place != nullptr && !place->file.ends_with(".py");
}

// The element size of 4 or 8 bytes if elements were counted in place of bytes.
uint64_t element_of(uint64_t copied, uint64_t bytes) {
  for (const uint64_t element : {4, 8})
    if (copied > 1 && copied * element == bytes) return element;
  return 0;
}

const char* plural(uint64_t count) { return count == 1 ? "" : "s"; }

}  // namespace

void ArrayRules::end_of(const Array& array, Process& process) const {
  const auto is_at = [](const HostPlace& a, const HostPlace& b) {
    return a.line == b.line && a.file == b.file;
  };
  const auto is_told = [&](const HostPlace& place) {
    return std::any_of(process.told.begin(), process.told.end(),
                       [&](const auto& other) { return is_at(*other, place); });
  };
  const bool few = is_cpp(array.copy_place) && array.copied < array.bytes && !is_told(*array.copy_place) &&
                   (element_of(array.copied, array.bytes) != 0 ||
                    !size_of_pointer(array.copy_place.get(), array.copied).empty());
  if (few) process.few.push_back(array);
  if (!is_cpp(array.back_place) || array.copied_back >= array.bytes || is_told(*array.back_place) ||
      (few && is_at(*array.back_place, *array.copy_place)) ||
      size_of_pointer(array.back_place.get(), array.copied_back).empty())
    return;
  Array back = array;
  back.copied = array.copied_back;
  back.copy = array.copy_back;
  back.copy_place = array.back_place;
  process.few.push_back(std::move(back));
}

void ArrayRules::add(const Event& event, size_t index) {
  Process& process = m_processes[event.process];
  switch (event.kind) {
    case Event::Kind::launch:
      ++process.launches;
      if (process.numbers.size() < most_named) process.numbers.push_back(event.number);
      process.launch_places.add(event.place);
      process.host_sees = process.host_sees || event.prints;
      return;
    case Event::Kind::copy: {
      if (engine_of(event) == Engine::out) ++process.back;
      const auto after = process.arrays.upper_bound(event.address);
      if (after == process.arrays.begin()) return;
      auto& [begin, array] = *std::prev(after);
      const uint64_t end = event.address - begin + event.bytes;
      if (end > array.bytes) return;
      if (engine_of(event) == Engine::out && end > array.copied_back) {
        array.copied_back = end;
        array.copy_back = index;
        array.back_place = event.place;
      }
      if (end <= array.copied) return;
      array.copied = end;
      array.copy = index;
      array.copy_place = event.place;
      return;
    }
    case Event::Kind::library:
      process.host_sees = process.host_sees || event.waits;
      return;
    case Event::Kind::allocate:
      if (event.name != "device") process.host_sees = true;
      process.arrays[event.address] = {.bytes = event.bytes, .index = index, .place = event.place};
      return;
    case Event::Kind::release: {
      const auto at = process.arrays.find(event.address);
      if (at == process.arrays.end()) return;
      end_of(at->second, process);
      process.arrays.erase(at);
      return;
    }
    case Event::Kind::finding:
      process.ended_in_fault = process.ended_in_fault || event.is_fault;
      return;
    case Event::Kind::warning:
      if (event.place != nullptr && event.finding == name_of(ProgramWarning::Kind::few_bytes))
        process.told.push_back(event.place);
      return;
    case Event::Kind::module:
    case Event::Kind::pages:
      return;
    case Event::Kind::end:
      process.ended_well = event.status == 0;
      return;
  }
}

void ArrayRules::add_sum(const Event&) { m_has_sums = true; }

std::vector<ProgramWarning> ArrayRules::take() const {
  std::vector<ProgramWarning> list;
  // Sums do not say which array they belong to.
  if (m_has_sums) return list;
  using Kind = ProgramWarning::Kind;
  ProgramWarning back, few, left;
  back.kind = Kind::never_back;
  few.kind = Kind::few_bytes;
  left.kind = Kind::not_freed;
  uint64_t left_bytes = 0;
  Array example;
  for (const auto& [id, process] : m_processes) {
    if (process.ended_in_fault || !process.ended_well) continue;
    const auto& places = process.launch_places.all();
    if (process.launches != 0 && process.back == 0 && !process.host_sees && !places.empty() &&
        is_cpp(places.front())) {
      back.count += process.launches;
      back.launches.insert(back.launches.end(), process.numbers.begin(), process.numbers.end());
      back.places.add(process.launch_places);
    }
    Process ended = process;
    for (const auto& [address, array] : process.arrays) {
      end_of(array, ended);
      if (!is_cpp(array.place)) continue;
      ++left.count;
      left_bytes += array.bytes;
      if (left.events.size() < most_named) left.events.push_back(array.index);
      left.places.add(array.place);
    }
    for (const Array& array : ended.few) {
      if (few.count++ == 0) example = array;
      if (few.events.size() < most_named) few.events.push_back(array.copy);
      few.places.add(array.copy_place);
    }
  }
  if (back.count != 0) {
    back.what = "Nothing that the kernels computed came back: there is no copy from the device to the host.";
    back.advice = "Copy the result with cudaMemcpy(…, cudaMemcpyDeviceToHost) before the host reads it.";
    list.push_back(std::move(back));
  }
  if (few.count != 0) {
    few.what = fmt::format("Of an array of {} bytes only the first {} were copied.", thousands(example.bytes),
                           thousands(example.copied));
    few.advice = size_of_pointer(example.copy_place.get(), example.copied);
    if (few.advice.empty())
      few.advice = fmt::format("cudaMemcpy takes bytes: {} elements are {} * sizeof(element) bytes.",
                               thousands(example.copied), thousands(example.copied));
    list.push_back(std::move(few));
  }
  if (left.count != 0) {
    left.what = fmt::format("{} array{} of {} {} not freed.", thousands(left.count), plural(left.count),
                            byte_size_text(left_bytes), left.count == 1 ? "was" : "together were");
    left.advice = "Call cudaFree for each cudaMalloc.";
    list.push_back(std::move(left));
  }
  return list;
}

}  // namespace warplens::recording
