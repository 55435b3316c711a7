// What is known of the pages of managed memory (state/managed_pages.h). Guarded by Gpu::mutex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "core/pages/pages.h"

namespace warplens::driver {

// Of a block that is watched.
struct WatchedPages {
  explicit WatchedPages(uint64_t bytes) : array(bytes) {}

  pages::Array array;
  std::vector<uint64_t> hashes;  // of its units, while it is read-mostly, when they were last looked at
};

constexpr int not_opened = -2;

struct PageWatch {
  std::set<uint64_t> watched;                          // blocks, by their addresses
  int page_map = not_opened, own_memory = not_opened;  // /proc/self/pagemap and mem; -1: not to be had
  double began_us = 0, spent_us = 0;                   // when looking began, and how long it has taken so far
};

}  // namespace warplens::driver
