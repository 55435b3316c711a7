#include "cuda/stand_in/driver/calls/written.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/figures.h"
#include "core/recording/numba_name.h"
#include "core/recording/parameter_names.h"
#include "core/recording/size_of_pointer.h"
#include "core/recording/unwritten.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

constexpr size_t most_ranges = 4096;  // of the program's copies to one array
constexpr uint64_t most_searches = 8;
constexpr size_t most_fresh = 1024;  // arrays that no launch has seen yet

// The numbers among a kernel's parameters, in 4 or 8 bytes; of a structure, its words.
std::vector<uint64_t> numbers_of(const Gpu& device, const Function& function,
                                 std::span<const std::byte> parameters) {
  constexpr uint32_t largest_structure = 64;
  std::vector<uint64_t> numbers;
  for (size_t i = 0; i < function.code->parameters.size(); ++i) {
    const uint32_t bytes = function.code->parameters[i].bytes;
    const std::byte* at = parameters.data() + function.program->parameter_offsets[i];
    uint64_t value = 0;
    if (bytes == 8) std::memcpy(&value, at, 8);
    if (bytes == 8 && device.memory.find(value) == nullptr) numbers.push_back(value);
    for (uint32_t word = 0; bytes != 8 && bytes <= largest_structure && word + 4 <= bytes; word += 4) {
      value = 0;
      std::memcpy(&value, at + word, 4);
      numbers.push_back(value);
    }
  }
  return numbers;
}

// The size of the elements that parameter i points to; 0: not known.
uint32_t element_bytes_of(const Function& function, size_t i, std::span<const uint64_t> values) {
  for (const recording::NumbaArgument& argument : recording::numba_arguments(function.code->name))
    if (argument.is_array && argument.first + recording::data_of_array == i)
      return static_cast<uint32_t>(values[i - 1]);
  const auto type = recording::pointed_type(function.code->name, i);
  return type ? type->bytes : 0;
}

void note_arguments(WrittenBytes& array, const Function& function, std::span<const uint64_t> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (array.was_given || values[i] - array.allocation->begin >= array.bytes) continue;
    array.was_given = true;  // names are read once
    array.element_bytes = element_bytes_of(function, i, values);
  }
}

std::vector<uint64_t> pointers_of(const Function& function, std::span<const std::byte> parameters) {
  std::vector<uint64_t> values(function.code->parameters.size());
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], parameters.data() + function.program->parameter_offsets[i],
                std::min<size_t>(function.code->parameters[i].bytes, 8));
  return values;
}

uint64_t bytes_by_host(const WrittenBytes& array) {
  uint64_t sum = 0;
  for (const auto& [begin, end] : array.by_host.all()) sum += end - begin;
  return sum;
}

// A kernel reads what the program forgot to copy. One that reads a little more than there is, such as the
// rest of a tile, may never use it: there has to be a sign of the mistake.
void warn_of_few_bytes(Gpu& device, const WrittenBytes& array, const Function& function,
                       std::span<const uint64_t> values) {
  const uint64_t written = bytes_by_host(array), element = array.element_bytes;
  const bool is_told = element != 0 && std::ranges::count(values, array.bytes / element) != 0;
  const bool in_elements = element > 1 && written * element == array.bytes;
  std::string advice = recording::size_of_pointer(array.host_place, written);
  if (!is_told && !in_elements && advice.empty()) return;
  if (advice.empty())
    advice = fmt::format("Sizes are in bytes: n elements are n * sizeof(element), and this array has {}.",
                         thousands(array.bytes));
  device.journal.warning(
      "few_bytes",
      fmt::format("{} of {} bytes were {} an array, and the kernel {} reads more.", thousands(written),
                  thousands(array.bytes), array.was_set ? "set in" : "copied to", function.name),
      advice, array.host_place);
}

void begin_notes(FollowedArrays& all, WrittenBytes& array) {
  all.bytes_left -= array.bytes;
  array.notes.reset(static_cast<uint8_t*>(std::calloc(array.bytes, 1)));
  if (array.notes == nullptr) return array.stop(false);
  array.allocation->stored = array.notes.get();
  if (array.by_host.all().empty() || array.by_host.holds(0, array.bytes)) return;
  for (const auto& [begin, end] : array.by_host.all())
    std::memset(array.notes.get() + begin, recording::written_by_host, end - begin);
  array.allocation->read_unwritten = &array.read_unwritten;
}

// The first byte from `at` on that no kernel has written.
uint64_t advance(const WrittenBytes& array, uint64_t at) {
  constexpr uint64_t eight = 0x0101010101010101;
  const uint8_t* notes = array.notes.get();
  for (uint64_t word = 0; at + 8 <= array.bytes; at += 8) {
    std::memcpy(&word, notes + at, 8);
    if (word != eight) break;
  }
  while (at < array.bytes && notes[at] == recording::written_by_kernel) ++at;
  return at;
}

std::vector<uint8_t> notes_of(const WrittenBytes& array) {
  std::vector<uint8_t> notes(array.bytes);
  if (array.notes != nullptr) std::memcpy(notes.data(), array.notes.get(), array.bytes);
  for (const auto& [begin, end] : array.by_host.all())
    for (uint64_t i = begin; i < end; ++i) notes[i] |= recording::written_by_host;
  return notes;
}

}  // namespace

void ByteRanges::add(uint64_t begin, uint64_t end) {
  auto at = m_ends.upper_bound(begin);
  if (at != m_ends.begin() && std::prev(at)->second >= begin) {
    --at;
    if (at->second >= end) return;
    begin = at->first;
  }
  while (at != m_ends.end() && at->first <= end) {
    end = std::max(end, at->second);
    at = m_ends.erase(at);
  }
  m_ends.emplace(begin, end);
}

bool ByteRanges::holds(uint64_t begin, uint64_t end) const {
  const auto after = m_ends.upper_bound(begin);
  return after != m_ends.begin() && std::prev(after)->second >= end;
}

void WrittenBytes::stop(bool complete) {
  if (allocation != nullptr) {
    allocation->stored = nullptr;
    allocation->read_unwritten = nullptr;
  }
  allocation = nullptr;
  notes.reset();
  is_known = false;
  if (complete) first_unwritten = bytes;
}

void follow(Gpu& device, Block& block) {
  if (!device.journal.writes()) return;
  auto& fresh = device.followed.fresh;
  if (fresh.size() >= most_fresh) {
    std::erase_if(fresh, [](const auto& array) { return array->allocation == nullptr; });
    if (fresh.size() >= most_fresh) return;
  }
  block.written = std::make_shared<WrittenBytes>(*block.allocation, block.bytes);
  fresh.push_back(block.written);
}

void note_host_write(Block& block, uint64_t address, uint64_t bytes, bool set) {
  if (block.written == nullptr || !block.written->is_known) return;
  WrittenBytes& array = *block.written;
  const uint64_t begin = address - block.allocation->begin;
  array.by_host.add(begin, begin + bytes);
  array.host_place = host_place();
  array.was_set = set;
  if (array.by_host.all().size() > most_ranges) return array.stop(false);
  if (block.allocation->read_unwritten == nullptr) return;
  if (array.by_host.holds(0, array.bytes)) block.allocation->read_unwritten = nullptr;
  for (uint64_t i = begin; i < begin + bytes; ++i)
    if (array.notes.get()[i] == 0) array.notes.get()[i] = recording::written_by_host;
}

// An array is followed in its first launch, and after it as long as launches are small.
void begin_following(Gpu& device, uint64_t threads) {
  FollowedArrays& all = device.followed;
  if (all.fresh.empty() && all.followed.empty()) return;
  if (threads > all.threads_left) {
    for (const auto& array : all.followed) array->stop(false);
    all.followed.clear();
  }
  all.threads_left -= std::min(threads, all.threads_left);
  for (auto& array : all.fresh) {
    if (array->allocation == nullptr) continue;
    if (array->bytes > all.bytes_left || all.followed.size() == FollowedArrays::most_arrays) {
      array->stop(false);
      continue;
    }
    begin_notes(all, *array);
    if (array->is_known) all.followed.push_back(std::move(array));
  }
  all.fresh.clear();
}

void note_stores(Gpu& device, const Function& function, Dim3 grid, Dim3 block,
                 std::span<const std::byte> parameters) {
  FollowedArrays& all = device.followed;
  if (all.followed.empty()) return;
  const std::vector<uint64_t> values = pointers_of(function, parameters);
  for (const auto& array : all.followed) {
    if (array->allocation == nullptr) continue;
    note_arguments(*array, function, values);
    const uint64_t end = advance(*array, array->first_unwritten);
    if (end != array->first_unwritten) {
      array->has_one_writer = array->first_unwritten == 0;
      array->first_unwritten = end;
      if (array->has_one_writer)
        array->writer = recording::ArrayWriter{grid, block, numbers_of(device, function, parameters)};
    }
    if (array->read_unwritten != 0) {
      warn_of_few_bytes(device, *array, function, values);
      array->read_unwritten = 0;
      array->allocation->read_unwritten = nullptr;
    }
    if (end == array->bytes) array->stop(true);
  }
  std::erase_if(all.followed, [](const auto& array) { return array->allocation == nullptr; });
}

void note_copied_back(Gpu& device, uint64_t address, uint64_t width, uint64_t rows, uint64_t pitch) {
  const Block* block = device.block_of(address);
  if (block == nullptr || block->written == nullptr || !block->written->is_known) return;
  WrittenBytes& array = *block->written;
  const uint64_t begin = address - block->allocation->begin;
  const bool has_edge = array.writer.has_value() && array.has_one_writer;
  const bool is_whole = rows == 1 && array.by_host.holds(begin, begin + width);
  if (is_whole && !has_edge) return;
  if (array.searches == most_searches || (array.searches != 0 && array.searched_at == device.launches))
    return;
  ++array.searches;
  array.searched_at = device.launches;
  const recording::HostPlace* place = host_place();
  const std::vector<uint8_t> notes = notes_of(array);
  const auto text = recording::unwritten_text({.written = notes,
                                               .begin = begin,
                                               .width = width,
                                               .rows = rows,
                                               .pitch = pitch,
                                               .element_bytes = array.element_bytes,
                                               .writer = has_edge ? &*array.writer : nullptr,
                                               .was_given = array.was_given,
                                               .tell_all = device.settings.sanitize == Sanitize::all,
                                               .line = place == nullptr ? 0 : place->line});
  if (!text) return;
  array.searches = most_searches;
  device.journal.warning("unwritten", text->what, text->advice, place);
}

}  // namespace warplens::driver
