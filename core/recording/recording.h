// A recording that was read: what the program did, in order, and the launches that can be run again.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/provenance.h"
#include "core/base/result.h"
#include "core/recording/chunks.h"
#include "core/recording/event.h"
#include "core/recording/summary.h"

namespace warplens::recording {

// The largest file that is read.
constexpr uint64_t max_recording_bytes = uint64_t{4} << 30;

struct RecordedPiece {
  std::string name, kind, symbol;
  uint64_t address = 0, bytes = 0;
  std::string before;                // the name of its contents; empty for zeros
  std::optional<std::string> after;  // empty if the program ended before the launch did
};
struct RecordedParameter {
  bool floating = false;
  std::vector<std::byte> bytes;
};

// Everything that is needed to run a launch again.
struct RecordedLaunch {
  std::string entry, module;
  uint64_t place_global = 0, place_constant = 0;
  Dim3 grid, block;
  uint32_t shared_bytes = 0, max_registers = 0;
  bool cooperative = false, all_memory = false, fault = false;
  std::vector<RecordedParameter> parameters;
  std::vector<RecordedPiece> memory;  // by address
  std::string lacking;                // why it cannot be run again; empty if it can
};

// Device times are modelled, or measured on a real GPU.
struct Recording {
  std::shared_ptr<const std::vector<std::byte>> file;
  std::vector<std::string> command;
  std::string device;                   // the id of the virtual one, or of the one that replaces a real GPU
  std::string device_name;              // of a real GPU; empty for the virtual one
  std::vector<std::string> devices;     // the ids of all, if the program found several; else empty
  std::optional<uint64_t> exit_status;  // empty if not known
  double wall_ms = 0;
  bool cut = false;                    // it had reached its limit, or is incomplete
  std::vector<Event> events;           // by this machine's clock
  std::vector<const Event*> launches;  // those of `events`, in order
  std::vector<Event> sums;             // of launches and copies without a line of their own
  std::vector<std::string> journals;   // for the summary
  std::unordered_map<std::string, std::span<const std::byte>> data, modules;  // by name, in `file`

  // The id of an event's device.
  const std::string& device_of(const Event& event) const {
    return event.device < devices.size() ? devices[event.device] : device;
  }
  Provenance times() const { return device_name.empty() ? Provenance::modelled : Provenance::measured; }

  Recording() = default;
  Recording(Recording&&) = default;
  Recording& operator=(Recording&&) = default;
};

bool is_recording(std::span<const std::byte> bytes);
// Messages call it by `name`. For a truncated file, returns the complete part.
Result<Recording> parse_recording(std::shared_ptr<const std::vector<std::byte>> file,
                                  const std::string& name);
Result<Recording> read_recording(const std::string& path);
ProgramSummary summary_of(const Recording& recording, const DeviceFigures& device);
std::string recording_json(const Recording& recording, const DeviceFigures& device);
std::string recording_text(const Recording& recording, const DeviceFigures& device);

// How a program was started and ended.
struct ProgramEnd {
  std::vector<std::string> command;
  std::string device;
  std::optional<int> exit_status = {};  // empty if it is not known
  double wall_ms = 0;
};
// Joins the files of the processes (*.journal, *.launches) into one file of at most this size, journals
// first. Returns whether something had to be left out.
Result<bool> join_recording(const std::string& journals, const std::string& launches, const ProgramEnd& end,
                            uint64_t limit_bytes, const std::string& path);

}  // namespace warplens::recording
