// The lines of the host program that made calls, and what they did: the origins of its launches, copies and
// arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/recording/recording.h"

namespace warplens::recording {

struct HostLine {
  uint32_t line = 0;
  uint64_t launches = 0, copies = 0, libraries = 0, allocations = 0, frees = 0, findings = 0;
  uint64_t crossed_bytes = 0, allocated_bytes = 0;  // between host and device
  std::optional<double> device_us =
      0.0;  // of all its launches, copies and library calls; empty if one is not known
  std::vector<std::string> kernels;  // each once
  std::vector<size_t> events;        // as indices of Recording::events; the first 1,000
};
// "2 launches of add"; "1 copy of 3.91 KiB in"; "1 array of 4 KiB".
std::string calls_text(const HostLine& line);

struct HostSource {
  std::string file;
  std::vector<HostLine> lines;  // those that made calls, by number
};
// The file with the most calls first. Empty if no line is known. Linear in the number of events.
std::vector<HostSource> host_sources(const Recording& recording);

}  // namespace warplens::recording
