// What a whole program does on the device, and what to change: the sentence above its time line, sums, and
// warnings with the time that they would save. `warplens program`, recordings and the window use the same
// rules.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/provenance.h"
#include "core/recording/array_rules.h"
#include "core/recording/event.h"
#include "core/recording/managed_arrays.h"
#include "core/recording/program_warning.h"

namespace warplens::recording {

struct Recording;

// The figures of the device that the rules need. Unknown ones are 0 or empty, and their rules give no
// warning.
struct DeviceFigures {
  uint32_t sms = 0;
  std::optional<double> launch_us;  // the cost of a launch before its first instruction (core/gpu/timing)
};

struct ProgramTotals {
  uint64_t launches = 0, kernels = 0, copies = 0, copied_bytes = 0;  // copies between host and device
  uint64_t libraries = 0;                                            // calls of cuBLAS and cuRAND
  // Device times, one after the other: kernels with library calls, copies between host and device, and those
  // inside the device.
  double kernel_us = 0, copy_us = 0, inside_us = 0;
  uint64_t launches_without_time = 0;
  double host_us = 0;  // the host time of the launches, by this machine's clock
  double device_us() const { return kernel_us + copy_us + inside_us; }
};

struct ProgramReport {
  // The worst finding, then where the time goes: "Race in launch 2 of blur. Copying takes 93 % of the time on
  // the GPU."
  std::string title;
  ProgramTotals totals;
  std::vector<ProgramWarning> warnings;  // the most important first
  std::vector<ManagedArray> managed;     // arrays whose pages were used
  bool managed_ended = false;            // not to the end
};

// Linear in the number of events.
ProgramReport report_of(const Recording& recording, const DeviceFigures& device);
ReportJson warnings_json(const ProgramReport& report);

// Applies the rules to each event. Only the order within a process matters.
class ProgramRules {
 public:
  // `index`: of the event in the recording.
  void add(const Event& event, size_t index);
  // Launches or copies without events of their own: they are only added to the totals.
  void add_sum(const Event& sum);
  ProgramReport take(const DeviceFigures& device) const;

 private:
  // Events that a warning is about: their number, their time, and the first of them.
  struct Group {
    uint64_t count = 0, bytes = 0;
    double us = 0;
    std::vector<size_t> events;
    std::vector<uint64_t> launches;
    Places places;
    void add(const Event& event, size_t index);
    void add(const Group& other);
  };
  // Bytes that were copied between host and device.
  struct Content {
    uint64_t crossings = 0, again = 0, bytes = 0;
    uint64_t launches = 0;  // of the process, at the last copy
    bool in = false;        // whether that copy was to the device
  };
  struct Process {
    std::unordered_map<uint64_t, Content> contents;
    std::map<std::pair<uint64_t, uint64_t>, Group> places;  // address and bytes, if contents are not known
    std::map<uint64_t, Group> allocations;                  // by bytes, each after a launch
    uint64_t launches = 0;
    bool launched_since = false;
    uint64_t launch = 0;  // the newest one's number, and its kernel
    std::string kernel;
    Group waiting, waiting_since;  // copies between launches; those after the last launch
  };
  struct Launch {
    uint64_t number = 0, blocks = 0;
    size_t index = 0;
    std::optional<double> us;
    std::shared_ptr<const HostPlace> place;
    bool by_kernel = false;
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
  void note_finding(const Event& event, const Process& process);
  void add_warning(const Event& event, size_t index);
  bool has_crossed(const Event& copy, Process& process);
  double work_us() const { return m_totals.device_us(); }
  void warn_of_bytes(std::vector<ProgramWarning>& list) const;
  void warn_of_copies(std::vector<ProgramWarning>& list) const;
  void warn_of_allocations(std::vector<ProgramWarning>& list) const;
  void warn_of_launches(std::vector<ProgramWarning>& list, const DeviceFigures& device) const;
  void warn_of_waiting(std::vector<ProgramWarning>& list) const;
  void warn_of_pages(std::vector<ProgramWarning>& list) const;
  ProgramWarning warning_of(ProgramWarning::Kind kind, const Group& group) const;
  std::string title(const std::vector<ProgramWarning>& warnings) const;
  std::string times_title(const std::vector<ProgramWarning>& warnings) const;

  ProgramTotals m_totals;
  std::string m_fault;    // the sentence of the first one
  std::string m_finding;  // the same of the first finding that ended nothing, or of the first refused launch
  bool m_is_refused = false;
  std::map<uint64_t, Process> m_processes;
  std::map<std::string, Kernel, std::less<>> m_kernels;
  std::vector<Launch> m_launches;
  ArrayRules m_arrays;
  ManagedArrays m_managed;
  std::vector<ProgramWarning> m_told;
  Group m_again, m_crossing;  // copies of bytes that were copied before; all copies between host and device
  bool m_all_known = true;    // whether the times of all copies and launches are known
};

}  // namespace warplens::recording
