// A summary of a program from the journals of its processes: launches by kernel, copies by direction,
// findings, and what to change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/launch/run_result.h"
#include "core/recording/process_lines.h"
#include "core/recording/program_warnings.h"

namespace warplens::recording {

// 256, 16 × 16 or 8 × 8 × 4.
std::string shape_text(Dim3 of);
// "391 blocks of 256".
std::string blocks_text(Dim3 grid, Dim3 block);

struct KernelRow {
  std::string name;
  uint64_t launches = 0;
  std::optional<double> device_us = 0.0;  // of all launches; empty if one is not known
  double host_us = 0;
  Dim3 grid, block;                               // of the last launch
  std::optional<Counters> counters = Counters{};  // of all launches; empty if those of one are not known
};
struct CopyRow {
  std::string direction;
  uint64_t copies = 0, bytes = 0;
  double device_us = 0;
};
struct LibraryRow {
  std::string call;  // "cublasSgemm"
  uint64_t calls = 0, bytes = 0;
  std::optional<double> device_us = 0.0;  // of all calls; empty if one is not known
  double host_us = 0;
  std::string shape;  // of the last call
};
struct DeviceRow {
  std::string id;
  uint64_t launches = 0, copies = 0;
  double busy_us = 0;  // of its launches, copies and library calls
};
struct FindingRow {
  std::string kind, message, kernel, file;
  uint32_t line = 0;
  int code = 0;  // CUDA's error; 0 if nothing stopped
  uint64_t processes = 1;
  bool said = false;                       // when it happened, on the launcher's standard error
  std::shared_ptr<const HostPlace> place;  // the program's line that called; null if not known
};

struct ProgramSummary {
  std::string device, device_name, clock;
  std::string searched;  // for what kernels were searched: "off", "memory", "all"; empty on a real GPU
  uint64_t processes = 0, allocations = 0, allocated_bytes = 0, most_bytes = 0;
  std::vector<KernelRow> kernels;     // the longest first
  std::vector<LibraryRow> libraries;  // the longest first
  std::vector<CopyRow> copies;
  std::vector<DeviceRow> devices;    // if there are several; work that only sums have is not in them
  std::vector<FindingRow> findings;  // faults first
  std::vector<std::string> missing;  // calls that are not provided
  std::vector<ProcessLine> lines;    // one for each process
  ProgramReport report;
  std::vector<std::string> advice;  // its warnings, one line each
  uint64_t unreadable_lines = 0;
  bool cut = false;  // a journal could not be written completely
};

// Modelled, or measured on a real GPU.
Provenance times_of(const ProgramSummary& summary);

// Reads journals line by line. An incomplete line, from a process that was killed, is counted and skipped.
class SummaryReader {
 public:
  void add(std::string_view journal);
  ProgramSummary take(const DeviceFigures& device);

 private:
  void read_line(std::string_view line);
  void note(const Json& json);
  void read_start(const Json& json);
  void read_launch(const Json& json);
  void read_counts(const Json& json);
  void read_library(const Json& json);
  void read_copy(const Json& json);
  void read_allocate(const Json& json);
  void read_allocations(const Json& json);
  void read_free(const Json& json);
  void read_finding(const Json& json);
  void read_missing(const Json& json);

  ProgramSummary m_summary;
  std::map<std::string, KernelRow> m_kernels;
  std::map<uint64_t, Counters> m_counts;  // of the journal being read, by its number
  std::map<std::string, LibraryRow> m_libraries;
  std::map<std::string, CopyRow> m_copies;
  std::map<uint64_t, uint64_t> m_alive;  // address → bytes, of the process being read
  std::set<std::string> m_missing;
  uint64_t m_alive_bytes = 0;
  ProgramRules m_rules;
  ProcessLines m_lines;
  uint64_t m_process = 0, m_events = 0, m_launches = 0;
  JournalPlace m_place;
};

// Whether the lines follow the program's own output, which has the findings that were said there.
enum class Follows : uint8_t { nothing, the_program };
// Lines for people. Empty if the program did nothing on the device.
std::string summary_text(const ProgramSummary& summary, Follows follows = Follows::nothing);
std::string summary_json(const ProgramSummary& summary, int exit_status, double wall_ms);

}  // namespace warplens::recording
