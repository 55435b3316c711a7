// Which pages of managed memory the host and the device use, and which ones would move on a GPU. Linux tells
// which pages a process has touched since they were last taken out of its page table (madvise,
// /proc/self/pagemap): no access faults in the program, and system calls work. A read counts for the 64 KiB
// around it, which are what moves as well.
#pragma once

#include <cstdint>
#include <vector>

#include "core/pages/pages.h"
#include "core/recording/journal.h"
#include "cuda/stand_in/driver/state/gpu.h"
#include "cuda/stand_in/driver/state/order.h"

namespace warplens::driver {

// Memory for it, at an address where pages move as on a GPU; null if there is none.
void* map_managed(uint64_t bytes);
// A new block is watched, if the program is recorded and its pages can be.
void watch_pages(Gpu& device, Block& block);

// What the host has used since it was last asked goes into the journal. Call it before work of the device,
// and before memory is freed.
void note_host_pages(Gpu& device);
// What our own code has touched is nobody's use.
void forget_page_uses(Gpu& device);

// What work of the device has moved: `us` of the device's time, and notes for the journal.
struct DevicePages {
  double us = 0;
  std::vector<recording::PagesNote> notes;
};
// After work that ran on this machine: what was touched was used by the device.
DevicePages end_device_pages(Gpu& device);
// For the work that the journal has had last.
void note_device_pages(Gpu& device, const Stream* stream, double begin_us, DevicePages pages);

// Before a copy or a memset: it finds managed bytes on the device, as on a GPU.
void move_pages_of(Gpu& device, Stream* stream, const OrderedCopy& copy);
// cudaMemPrefetchAsync of bytes in one block.
void prefetch_pages(Gpu& device, Stream* stream, Block& block, uint64_t address, uint64_t bytes,
                    pages::Side to);

}  // namespace warplens::driver
