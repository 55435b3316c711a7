// Pages of the host's memory that work of the device may still use: an access of the program to them faults,
// and the handler of host_faults.cpp opens them again and looks for a missing wait. Only pages that such work
// uses whole are guarded, so that no access without a conflict faults.
#pragma once

#include <cstdint>

namespace warplens::driver {

enum class Guard : uint8_t { none, against_writes, against_all };

// Guards [begin, end), which are whole pages; true if it could. With the device locked.
bool guard_pages(uint64_t begin, uint64_t end, Guard guard);
// Opens guarded pages that touch [begin, end).
void open_pages(uint64_t begin, uint64_t end);
void open_all_pages();

// For the handler, in any thread: opens the guarded pages around an address. They end at 0 if none are
// guarded there.
struct OpenedPages {
  uint64_t begin = 0, end = 0;
};
OpenedPages open_pages_at(uint64_t address);

// The first address in [begin, end) that may not be read, or written; 0: none. In any thread.
uint64_t guarded_in(uint64_t begin, uint64_t end, bool writes);

// Whether the program may read and write all of [begin, end), and it is not on this thread's or the first
// thread's stack: there no handler could run. Reads /proc/self/maps.
bool may_be_guarded(uint64_t begin, uint64_t end);

constexpr uint64_t guard_page_bytes = 4096;

}  // namespace warplens::driver
