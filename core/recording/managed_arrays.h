// The arrays of managed memory of a program, whose pages move between host and device (core/pages).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/recording/event.h"

namespace warplens::recording {

struct Recording;

struct ManagedArray {
  uint64_t process = 0, address = 0, bytes = 0;
  std::shared_ptr<const HostPlace> place;           // that allocated it; null: not known
  uint64_t to_device = 0, to_host = 0, mapped = 0;  // bytes
  uint64_t missed = 0;                              // of to_device, those that work of the device waited for
  uint64_t device_misses = 0, host_misses = 0;
  // Modelled: what work of the device and what the host waits for pages, and what prefetches of all that the
  // device waited for would take.
  double device_us = 0, host_us = 0, fetched_us = 0;
  std::vector<size_t> events;  // that moved its pages, as indices of Recording::events
};

class ManagedArrays {
 public:
  // `index`: of the event in the recording.
  void add(const Event& event, size_t index);
  // In the order of their allocations; only arrays whose pages were used.
  std::vector<ManagedArray> arrays() const;
  bool ended() const { return m_ended; }  // pages were not followed to the end: it took too long

 private:
  std::vector<ManagedArray> m_arrays;
  std::map<std::pair<uint64_t, uint64_t>, size_t> m_alive;  // process and address → index
  bool m_ended = false;
};

std::vector<ManagedArray> managed_arrays_of(const Recording& recording);
// "main.cu:12, 16 MiB".
std::string name_of(const ManagedArray& array);

}  // namespace warplens::recording
