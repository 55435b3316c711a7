// Something that a program did on the driver, as recorded in its journal.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/json/json.h"
#include "core/recording/journal.h"

namespace warplens::recording {

struct RecordedLaunch;

// Of an array of managed memory, whose address is the event's.
struct PageMoves {
  pages::Side to{};
  uint64_t mapped_bytes = 0, misses = 0;
  std::vector<pages::PageRun> changed;
  bool is_cut = false;  // more changed
};

struct Event {
  enum class Kind : uint8_t {
    launch,
    copy,
    library,
    allocate,
    release,
    finding,
    warning,
    module,
    pages,
    end
  } kind = Kind::launch;
  uint64_t process = 0, number = 0;           // `number`: of a launch, from 1, in the whole recording
  double at_us = 0, host_us = 0;              // this machine's clock, from the first event on
  std::optional<double> begin_us, device_us;  // the device's clock, which starts with each process
  // The name of a kernel, a copy's direction, a library's function, an allocation's kind, the sentence of a
  // finding or warning, or what moved pages: "host", "kernel", "copy", "prefetch".
  std::string name;
  std::string shape;      // of a library's call: "512 × 512 × 512"
  std::string finding;    // of a finding or warning: what it is, as reports have it ("out_of_bounds")
  std::string advice;     // of a warning
  bool is_fault = false;  // of a finding: it ended the program's work on the device
  uint64_t bytes = 0, address = 0, stream = 0;
  uint32_t device = 0;             // of a stream's work or an allocation: an index in Recording::devices
  bool on_default_stream = false;  // of another device than the first, whose default stream is 0
  uint64_t content = 0;            // of a copy: equal bytes have the same number; 0 if not known
  bool waits = false;              // the program waits until the copy or the library's call is done
  bool prints = false;             // of a launch: it printed with printf
  int status = 0;                  // of the end
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  std::string launched_by;  // of a launch by a kernel: that one's name
  uint32_t depth = 0;       // of a launch: how far below one of the host
  uint64_t work = 0;        // a number of each launch, copy and library's call, from 1 in its process; else 0
  std::vector<uint64_t>
      after;  // the work of other streams that it waits for; of missing_wait, the work that nothing orders
  uint64_t count = 1;  // above 1 only in sums
  std::string file;    // a kernel's source, or where a finding is; empty if it is not known
  uint32_t line = 0;
  std::shared_ptr<const PageMoves> pages;        // of pages; null: they are followed no more
  std::shared_ptr<const HostPlace> place;        // the program's line that called; null if not known
  std::shared_ptr<const RecordedLaunch> launch;  // null if it was not recorded
};

// Whether it took time on the device.
inline bool is_device_work(const Event& event) {
  return event.kind == Event::Kind::launch || event.kind == Event::Kind::copy ||
         event.kind == Event::Kind::library;
}

// ", launched by parent", and its depth if it is above 1; empty for launches of the host.
std::string launched_by_text(const Event& event);

// How far a journal was read. If a process has replaced itself (exec), its device clock starts again from 0:
// its times are then shifted to continue the old ones.
struct JournalPlace {
  double last_us = 0;                        // this machine's clock at the line before
  double device_from_us = 0, device_us = 0;  // where the device's clock began, and the latest end so far
  std::map<uint64_t, std::shared_ptr<const HostPlace>> places;  // of the host program, by their numbers
  uint64_t works = 0;                                           // so far
  uint64_t first_work = 0,
           works_before = 0;  // numbers above the first are of this journal, so many higher here
  std::map<uint64_t, std::vector<uint64_t>> waits;  // what the next work of a stream waits for
  struct Stream {
    uint32_t device = 0;
    bool is_default = false;
  };
  std::map<uint64_t, Stream> streams;  // of other devices than the first, by their numbers
};
// "main.cu:25"; without the folder.
std::string place_text(std::string_view file, uint32_t line);
std::string place_text(const HostPlace& place);
ReportJson place_json(const HostPlace& place);
// " (launched at main.cu:25)", appended to findings in a kernel; empty if that is not known.
std::string launched_at(const HostPlace* place);

// The event in the next line of a journal. Launches have no number yet. Empty if its kind is not in the time
// line. Sums have a count, and no time.
std::optional<Event> event_of(const Json& line, uint64_t process, JournalPlace& place);
bool is_sum(const Json& line);

}  // namespace warplens::recording
