#include "cuda/stand_in/driver/state/managed_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/base/hash.h"
#include "core/pages/time.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

using pages::page_bytes, pages::unit_bytes, pages::pages_of_unit;

// Looking ends where it has taken this much time, and more than this share of the program's.
constexpr double free_us = 1e6, most_share = 0.2;

// The pages of a block, rounded up.
uint64_t whole_pages(uint64_t bytes) { return (bytes + page_bytes - 1) / page_bytes; }

bool is_watched(const Gpu& device) { return !device.pages.watched.empty(); }

// For findings of uninitialised reads: the program may have written these bytes.
void note_written(Gpu& device, const Block& block, uint64_t begin, uint64_t end) {
  end = std::min(end, block.bytes);
  if (device.sanitizer && begin < end) device.sanitizer->copy_to(*block.allocation, begin, end - begin);
}

// f(Block&) for each block that is watched.
template <class F>
void for_each_watched(Gpu& device, F f) {
  for (const uint64_t address : device.pages.watched) f(device.blocks.at(address));
}

// Counts the time that looking takes.
class Spends {
 public:
  explicit Spends(Gpu& device) : m_device(device), m_began_us(recording::now_us()) {}
  ~Spends() {
    const double now = recording::now_us();
    PageWatch& watch = m_device.pages;
    watch.spent_us += now - m_began_us;
    if (watch.spent_us < free_us || watch.spent_us < most_share * (now - watch.began_us)) return;
    for_each_watched(m_device, [&](Block& block) {
      note_written(m_device, block, 0, block.bytes);
      block.pages = nullptr;
    });
    watch.watched.clear();
    m_device.journal.pages_end();
  }
  Spends(Spends&&) = delete;

 private:
  Gpu& m_device;
  double m_began_us;
};

// Bits of an entry of pagemap (Linux, Documentation/admin-guide/mm/pagemap.rst).
constexpr uint64_t is_present = uint64_t{1} << 63, is_swapped = uint64_t{1} << 62;

// How many pages of each unit this process has in its page table. Empty if it cannot be read.
std::vector<pages::Use> touched(Gpu& device, const Block& block) {
  constexpr uint64_t at_once = 4096;
  std::vector<pages::Use> uses(block.pages->array.units());
  uint64_t entries[at_once];
  const uint64_t count = whole_pages(block.bytes), first = block.allocation->begin / page_bytes;
  for (uint64_t page = 0; page < count; page += at_once) {
    const uint64_t some = std::min(at_once, count - page);
    const auto bytes = static_cast<ssize_t>(some * sizeof *entries);
    if (pread(device.pages.page_map, entries, some * sizeof *entries,
              static_cast<off_t>((first + page) * sizeof *entries)) != bytes)
      return {};
    for (uint64_t i = 0; i < some; ++i)
      if ((entries[i] & (is_present | is_swapped)) != 0) ++uses[(page + i) / pages_of_unit].pages;
  }
  return uses;
}

// What was touched may have been written, by a thread of the program while a kernel ran too.
void note_written(Gpu& device, const Block& block, const std::vector<pages::Use>& uses) {
  if (!device.sanitizer) return;
  for (size_t unit = 0; unit < uses.size(); ++unit)
    if (uses[unit].pages != 0) note_written(device, block, unit * unit_bytes, (unit + 1) * unit_bytes);
}

// Out of this process's page table; what they hold stays, as the memory is shared.
void forget_touched(const Block& block) {
  madvise(block.host, whole_pages(block.bytes) * page_bytes, MADV_DONTNEED);
}

// The bytes of a unit, also where its pages are guarded.
uint64_t hash_of_unit(const Gpu& device, const Block& block, size_t unit) {
  std::string bytes(unit_bytes, '\0');
  const ssize_t got = pread(device.pages.own_memory, bytes.data(), bytes.size(),
                            static_cast<off_t>(block.allocation->begin + unit * unit_bytes));
  bytes.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
  return hash_of(bytes);
}

// A read-mostly copy ends with a write: where bytes have changed, a side wrote.
void find_writes(const Gpu& device, Block& block, std::vector<pages::Use>& uses) {
  std::vector<uint64_t>& hashes = block.pages->hashes;
  const bool has_before = hashes.size() == uses.size();
  hashes.resize(uses.size());
  for (size_t unit = 0; unit < uses.size(); ++unit) {
    if (has_before && uses[unit].pages == 0) continue;
    const uint64_t now = hash_of_unit(device, block, unit), before = std::exchange(hashes[unit], now);
    uses[unit].writes = has_before && now != before;
  }
}

pages::Advice advice_of(const Block& block) {
  return {block.placing.read_mostly,
          block.placing.preferred == CU_DEVICE_CPU || block.placing.accessed_by_devices != 0};
}

recording::PagesNote note_of(const Block& block, const pages::Moves& moves, pages::Side to, const char* why) {
  return {.why = why,
          .to = to,
          .address = block.allocation->begin,
          .bytes = moves.bytes,
          .mapped_bytes = moves.mapped_bytes,
          .misses = moves.misses,
          .changed = moves.changed,
          .at_us = recording::now_us(),
          .place = host_place()};
}

void add_moves(DevicePages& to, const Block& block, const pages::Moves& moves, pages::Side by,
               const char* why) {
  if (!moves.any()) return;
  const double us = pages::use_us(by, moves);
  to.us += us;
  to.notes.push_back(note_of(block, moves, by, why));
  to.notes.back().device_us = us;
}

// What this process has touched was used by the side.
DevicePages take_uses(Gpu& device, pages::Side by, const char* why) {
  DevicePages taken;
  for_each_watched(device, [&](Block& block) {
    std::vector<pages::Use> uses = touched(device, block);
    note_written(device, block, uses);
    if (block.placing.read_mostly) find_writes(device, block, uses);
    add_moves(taken, block, block.pages->array.use(by, uses, advice_of(block)), by, why);
  });
  return taken;
}

void forget_all(Gpu& device) {
  for_each_watched(device, [](Block& block) { forget_touched(block); });
}

}  // namespace

void* map_managed(uint64_t bytes) {
  constexpr uint64_t tree_bytes = pages::units_of_tree * unit_bytes;
  const uint64_t align = bytes >= tree_bytes ? tree_bytes : unit_bytes,
                 wanted = whole_pages(bytes) * page_bytes;
  if (wanted < bytes || wanted > SIZE_MAX - align) return nullptr;
  void* mapped = mmap(nullptr, wanted + align, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapped);
  const uint64_t before = (align - reinterpret_cast<uintptr_t>(mapped) % align) % align;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + wanted, align - before);
  madvise(begin + before, wanted, MADV_NOHUGEPAGE);  // which would count as a whole
  return begin + before;
}

void watch_pages(Gpu& device, Block& block) {
  PageWatch& watch = device.pages;
  if (!device.journal.writes() && !device.sanitizer) return;
  if (watch.page_map == not_opened) {
    watch.page_map = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    watch.own_memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    watch.began_us = recording::now_us();
  }
  if (watch.page_map < 0 || watch.own_memory < 0) return;
  block.pages = std::make_shared<WatchedPages>(block.bytes);
  watch.watched.insert(block.allocation->begin);
  if (device.sanitizer) device.sanitizer->allocate_buffer(*block.allocation);
}

void note_host_pages(Gpu& device) {
  if (!is_watched(device)) return;
  const Spends spends(device);
  const DevicePages taken = take_uses(device, pages::Side::host, "host");
  for (const recording::PagesNote& note : taken.notes) device.journal.pages(note);
  device.host_us += taken.us;
  forget_all(device);
}

void forget_page_uses(Gpu& device) {
  if (!is_watched(device)) return;
  if (device.sanitizer)
    for_each_watched(device, [&](Block& block) { note_written(device, block, touched(device, block)); });
  forget_all(device);
}

DevicePages end_device_pages(Gpu& device) {
  if (!is_watched(device)) return {};
  const Spends spends(device);
  return take_uses(device, pages::Side::device, "kernel");
}

void note_device_pages(Gpu& device, const Stream* stream, double begin_us, DevicePages pages) {
  for (recording::PagesNote& note : pages.notes) {
    note.stream = number_of(stream);
    note.begin_us = begin_us;
    begin_us += note.device_us.value_or(0);
    device.journal.pages(note);
  }
  forget_page_uses(device);
}

void move_pages_of(Gpu& device, Stream* stream, const OrderedCopy& copy) {
  if (!is_watched(device)) return;
  note_host_pages(device);
  DevicePages moved;
  for (const CopyRows* rows : {&copy.from, &copy.to}) {
    Block* block = device.block_of(rows->address);
    if (block == nullptr || block->pages == nullptr || copy.rows == 0 || copy.layers == 0) continue;
    const uint64_t bytes = (copy.layers - 1) * rows->layer + (copy.rows - 1) * rows->pitch + copy.width;
    const uint64_t begin = rows->address - block->allocation->begin,
                   end = std::min(begin + bytes, block->bytes);
    std::vector<pages::Use> uses(block->pages->array.units());
    for (uint64_t unit = begin / unit_bytes; unit * unit_bytes < end; ++unit)
      uses[unit] = {pages_of_unit, rows == &copy.to};
    add_moves(moved, *block, block->pages->array.use(pages::Side::device, uses, advice_of(*block)),
              pages::Side::device, "copy");
  }
  if (moved.notes.empty()) return;
  const Interval when = device.device_of(stream).clock.run(stream, moved.us, Engine::to_device);
  note_device_pages(device, stream, when.begin_us, std::move(moved));
}

void prefetch_pages(Gpu& device, Stream* stream, Block& block, uint64_t address, uint64_t bytes,
                    pages::Side to) {
  if (!is_watched(device) || block.pages == nullptr) return;
  note_host_pages(device);
  if (block.pages == nullptr) return;
  const uint64_t begin = address - block.allocation->begin, end = std::min(begin + bytes, block.bytes);
  const pages::Moves moves = block.pages->array.prefetch(
      to, begin / unit_bytes, (end + unit_bytes - 1) / unit_bytes, advice_of(block));
  recording::PagesNote note = note_of(block, moves, to, "prefetch");
  note.device_us = pages::prefetch_us(to, moves);
  const Interval when = device.device_of(stream).clock.run(
      stream, *note.device_us, to == pages::Side::device ? Engine::to_device : Engine::from_device);
  note.begin_us = when.begin_us;
  note.stream = number_of(stream);
  device.journal.pages(note);
}

}  // namespace warplens::driver
