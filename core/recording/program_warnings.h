// What a whole program does on the device, and what to change: the sentence above its time line, sums, and
// warnings with what they would save. One rule for `warplens program`, for recordings and for the window.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/recording/recording.h"

namespace warplens::recording {

// What the rules ask of the device. What is not known is 0 or empty, and its rule says nothing.
struct DeviceFigures {
  uint32_t sms = 0;
  std::optional<double> launch_us;  // what a launch costs before its first instruction (core/timing)
};

struct ProgramWarning {
  enum class Kind : uint8_t {
    same_bytes,       // copied again although they had crossed before
    copies_dominate,  // longer than the kernels
    allocations,      // of equal size, again and again between launches
    small_launches,   // fewer blocks than SMs
    short_launches,   // over sooner than a launch costs
    waiting_copies    // the program waits at copies between launches
  } kind = Kind::same_bytes;
  std::string what;    // a sentence
  std::string where;   // "launches 1 to 4", "events 3, 5 and 7"; counted from 1
  std::string advice;  // a sentence
  uint64_t count = 0;  // how often
  // Modelled device times, copies and kernels one after the other: now, and with the advice. Only where
  // they follow exactly from the recorded ones.
  std::optional<double> now_us, then_us;
  std::vector<size_t> events;      // the first of them, as indices of Recording::events; at most 100
  std::vector<uint64_t> launches;  // numbers of the first of them; at most 100
};
const char* name_of(ProgramWarning::Kind kind);  // "same_bytes"
// "4.1 ms → 1.2 ms"; empty where there is no estimate.
std::string estimate_text(const ProgramWarning& warning);
// What, where, advice and estimate as one line.
std::string line_of(const ProgramWarning& warning);

struct ProgramTotals {
  uint64_t launches = 0, kernels = 0, copies = 0, copied_bytes = 0;  // copies between host and device
  double kernel_us = 0, copy_us = 0;                                 // modelled, one after the other
  uint64_t launches_without_time = 0;
  double host_us = 0;  // what the launches took here, by this machine's clock
  double device_us() const { return kernel_us + copy_us; }
};

struct ProgramReport {
  std::string title;  // "Copying takes 93 % of the time on the GPU: …"
  ProgramTotals totals;
  std::vector<ProgramWarning> warnings;  // the most important first
};

// Linear in the number of events.
ProgramReport report_of(const Recording& recording, const DeviceFigures& device);

}  // namespace warplens::recording
