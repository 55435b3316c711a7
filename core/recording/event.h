// One thing that a program did on the driver, as its journal has it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/dim3.h"
#include "core/base/json/json.h"
#include "core/recording/journal.h"

namespace warplens::recording {

struct RecordedLaunch;

struct Event {
  enum class Kind : uint8_t {
    launch,
    copy,
    library,
    allocate,
    release,
    finding,
    module,
    end
  } kind = Kind::launch;
  uint64_t process = 0, number = 0;           // `number`: a launch's, from 1, in the whole recording
  double at_us = 0, host_us = 0;              // this machine's clock, from the first event on
  std::optional<double> begin_us, device_us;  // the device's, each process from its own begin
  // Of a kernel; a copy's direction; a library's function; an allocation's kind; a finding's sentence.
  std::string name;
  std::string shape;      // of a library's call: "512 × 512 × 512"
  std::string finding;    // of a finding: what it is, as reports have it ("out_of_bounds")
  bool is_fault = false;  // of a finding: it ended the program's work on the device
  uint64_t bytes = 0, address = 0, stream = 0;
  uint64_t content = 0;  // of a copy: equal bytes have the same number; 0: not known
  bool waits = false;    // the program waits until the copy or the library's call is done
  bool prints = false;   // of a launch: it wrote with printf
  int status = 0;        // of the end
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  uint64_t count = 1;  // more only in sums
  std::string file;    // a kernel's source, or where a finding is; empty if it is not known
  uint32_t line = 0;
  std::shared_ptr<const HostPlace> place;        // the program's line that called; null: not known
  std::shared_ptr<const RecordedLaunch> launch;  // null: it was not recorded
};

// Whether it took the device's time.
inline bool is_device_work(const Event& event) {
  return event.kind == Event::Kind::launch || event.kind == Event::Kind::copy ||
         event.kind == Event::Kind::library;
}

// How far a journal was read. A process that has replaced itself (exec) begins its device clock anew: that
// goes on where it was.
struct JournalPlace {
  double last_us = 0;                        // this machine's clock at the line before
  double device_from_us = 0, device_us = 0;  // where the device's clock began, and the latest end so far
  std::map<uint64_t, std::shared_ptr<const HostPlace>> places;  // of the host program, by their numbers
};
// "main.cu:25": the folder is left out.
std::string place_text(std::string_view file, uint32_t line);
std::string place_text(const HostPlace& place);
ReportJson place_json(const HostPlace& place);
// " (launched at main.cu:25)", behind what is found in a kernel; empty where that is not known.
std::string launched_at(const HostPlace* place);

// The next line of a journal. Launches have no number yet. Empty where it is of no kind that a time line has.
// Sums have a count, and no time at which they were.
std::optional<Event> event_of(const Json& line, uint64_t process, JournalPlace& place);
bool is_sum(const Json& line);

}  // namespace warplens::recording
