// What a whole program does on the device, and what to change: the sentence above its time line, sums, and
// warnings with what they would save. One rule for `warplens program`, for recordings and for the window.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/source.h"
#include "core/recording/array_rules.h"
#include "core/recording/event.h"
#include "core/recording/program_warning.h"

namespace warplens::recording {

struct Recording;

// What the rules ask of the device. What is not known is 0 or empty, and its rule says nothing.
struct DeviceFigures {
  uint32_t sms = 0;
  std::optional<double> launch_us;  // what a launch costs before its first instruction (core/timing)
};

struct ProgramTotals {
  uint64_t launches = 0, kernels = 0, copies = 0, copied_bytes = 0;  // copies between host and device
  uint64_t libraries = 0;                                            // calls of cuBLAS and cuRAND
  // Device times, one after the other: kernels with library calls, copies between host and device, and those
  // inside the device.
  double kernel_us = 0, copy_us = 0, inside_us = 0;
  uint64_t launches_without_time = 0;
  double host_us = 0;  // what the launches took here, by this machine's clock
  double device_us() const { return kernel_us + copy_us + inside_us; }
};

struct ProgramReport {
  std::string title;  // "Copying takes 93 % of the time on the GPU: …"
  ProgramTotals totals;
  std::vector<ProgramWarning> warnings;  // the most important first
};

// Linear in the number of events.
ProgramReport report_of(const Recording& recording, const DeviceFigures& device);
ReportJson warnings_json(const ProgramReport& report);

// The rules, event after event; the order matters within a process only.
class ProgramRules {
 public:
  // index: of the event in the recording.
  void add(const Event& event, size_t index);
  // Launches or copies that have no events of their own: they count in the totals alone.
  void add_sum(const Event& sum);
  ProgramReport take(const DeviceFigures& device) const;

 private:
  // Events that a warning is about: how many, what they take, and the first of them.
  struct Group {
    uint64_t count = 0, bytes = 0;
    double us = 0;
    std::vector<size_t> events;
    std::vector<uint64_t> launches;
    Places places;
    void add(const Event& event, size_t index);
    void add(const Group& other);
  };
  // Bytes that crossed between host and device.
  struct Content {
    uint64_t crossings = 0, again = 0, bytes = 0;
    uint64_t launches = 0;  // of the process, when they crossed last
    bool in = false;        // to the device, then
  };
  struct Process {
    std::unordered_map<uint64_t, Content> contents;
    std::map<std::pair<uint64_t, uint64_t>, Group> places;  // address and bytes, where contents are not known
    std::map<uint64_t, Group> allocations;                  // by bytes, each behind a launch
    uint64_t launches = 0;
    bool launched_since = false;
    uint64_t launch = 0;  // the newest one's number, and its kernel
    std::string kernel;
    Group waiting, waiting_since;  // copies between launches; those behind the last launch
  };
  struct Launch {
    uint64_t number = 0, blocks = 0;
    size_t index = 0;
    std::optional<double> us;
    std::shared_ptr<const HostPlace> place;
  };
  struct Kernel {
    uint64_t launches = 0;
    double us = 0;
  };
  void add_copy(const Event& event, size_t index, Process& process);
  void add_launch(const Event& event, size_t index, Process& process);
  void add_library(const Event& event, Process& process);
  static void begin_work(Process& process);
  void add_finding(const Event& event, const Process& process);
  bool has_crossed(const Event& copy, Process& process);
  double work_us() const { return m_totals.device_us(); }
  void warn_of_bytes(std::vector<ProgramWarning>& list) const;
  void warn_of_copies(std::vector<ProgramWarning>& list) const;
  void warn_of_allocations(std::vector<ProgramWarning>& list) const;
  void warn_of_launches(std::vector<ProgramWarning>& list, const DeviceFigures& device) const;
  void warn_of_waiting(std::vector<ProgramWarning>& list) const;
  ProgramWarning warning_of(ProgramWarning::Kind kind, const Group& group) const;
  std::string title(const std::vector<ProgramWarning>& warnings) const;

  ProgramTotals m_totals;
  std::string m_fault;  // the first one's sentence
  std::map<uint64_t, Process> m_processes;
  std::map<std::string, Kernel, std::less<>> m_kernels;
  std::vector<Launch> m_launches;
  ArrayRules m_arrays;
  Group m_again, m_crossing;  // copies of bytes that had crossed before; all copies between host and device
  bool m_all_known = true;    // the times of all copies and launches
};

}  // namespace warplens::recording
