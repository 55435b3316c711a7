// The journal that the driver (driver/) writes about a program, and that the launcher reads: one file for
// each process, one line of JSON for each event. Each line is written at once, so that nothing is lost if the
// program is killed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/dim3.h"
#include "core/launch/run_result.h"
#include "core/pages/pages.h"
#include "core/system/files.h"

namespace warplens::recording {

// This machine's clock in microseconds, the same one in all processes.
double now_us();

// Whether this process' standard error is the one of this name (name_of_errors, core/system).
bool writes_errors_to(const std::string& name);

// Marks a journal that a process could not continue, for example on a full disk, with an empty file next to
// it.
void mark_lost(const std::string& path);
bool has_lost(const std::string& folder);  // whether any of its files is marked

// A memset is listed with the copies, as in profilers.
enum class Direction : uint8_t { to_device, from_device, on_device, on_host, memset, between_devices };
constexpr size_t direction_count = 6;

// The devices that a program can have.
constexpr size_t most_devices = 16;

const char* to_string(Direction direction);  // "host to device", "memset"

// A line of the program that called.
struct HostPlace {
  std::string file, function;  // as its debug information or its interpreter has them
  uint32_t line = 0;
};

struct LaunchNote {
  std::string_view kernel;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  uint64_t stream = 0;                                  // 0 for the default stream
  std::optional<double> begin_us = {}, device_us = {};  // by the device's clock; empty if that is not known
  double at_us = 0, host_us = 0;                        // by this machine's clock: when, and how long it took
  std::string_view file = {};  // of the kernel's source; empty if its text names none
  uint32_t line = 0;
  bool prints = false;                // it wrote with printf
  std::string_view launched_by = {};  // the kernel that launched it; empty: the host did
  uint32_t depth = 0;                 // below a launch of the host
  const HostPlace* place = nullptr;
  const Counters* counters = nullptr;  // null if it is not known what it counted
};
struct CopyNote {
  Direction direction = Direction::to_device;
  uint64_t bytes = 0, device_address = 0, stream = 0;
  std::optional<double> begin_us = {}, device_us = {};
  double at_us = 0;      // by this machine's clock, when the program had it
  uint64_t content = 0;  // equal bytes have the same number; 0 if not known
  bool waits = false;    // the program waits until it is done
  const HostPlace* place = nullptr;
};
// A call of one of our own libraries, such as cublasSgemm.
struct LibraryNote {
  std::string_view call, shape;  // "cublasSgemm", "512 × 512 × 512"
  uint64_t bytes = 0;            // of device memory that it read and wrote
  uint64_t stream = 0;
  std::optional<double> begin_us = {}, device_us = {};  // as a launch's
  double at_us = 0, host_us = 0;
  bool waits = false;  // the program waits for its result
  const HostPlace* place = nullptr;
};
// Pages of one array of managed memory move to a side, or are there for the first time.
struct PagesNote {
  std::string_view why;  // "host", "kernel", "copy", "prefetch"
  pages::Side to{};
  uint64_t address = 0;                              // of the array
  uint64_t bytes = 0, mapped_bytes = 0, misses = 0;  // as pages::Moves
  std::vector<pages::PageRun> changed;
  uint64_t stream = 0;                                  // of the work that needed them
  std::optional<double> begin_us = {}, device_us = {};  // modelled; of the host, the time that it waited
  double at_us = 0;
  const HostPlace* place = nullptr;
};
struct FindingNote {
  std::string_view kind;  // "out_of_bounds"
  int code = 0;           // CUDA's
  std::string_view message = {}, kernel = {}, file = {};
  uint32_t line = 0;
  bool said = false;  // the launcher's standard error has it
  const HostPlace* place = nullptr;
  uint64_t first = 0, second = 0;  // the work (Journal::next_work) that nothing orders; 0: none
};
class Journal {
 public:
  // Without a folder, it writes nothing.
  Journal() = default;
  // `clock` says which times launches and copies have: "modelled", "host" (the interpreter's) or "measured"
  // on a real GPU. `searched` says what is looked for in kernels ("off", "memory", "all"); empty if nothing
  // can be. `devices`: the ids of all devices, if there are several.
  Journal(const std::string& folder, std::string_view device, std::string_view device_name,
          std::string_view clock, std::string_view searched = {},
          const std::vector<std::string>& devices = {});
  // At the end of the process, the pending sums are written.
  ~Journal() = default;
  Journal(Journal&&) = delete;

  // Starts a new part of the program, with a file of its own in another folder, as if the process began now.
  // Times of the device count from `device_from_us` on its clock.
  void move_to(const std::string& folder, double device_from_us);
  bool writes() const { return m_file != no_file; }
  void launch(const LaunchNote& note);
  void copy(const CopyNote& note);
  void library(const LibraryNote& note);
  void allocate(uint64_t address, uint64_t bytes, std::string_view kind, const HostPlace* place = nullptr,
                int device = 0);
  void release(uint64_t address);
  void pages(const PagesNote& note);
  void pages_end();  // from here on, pages are not followed
  void finding(const FindingNote& note);
  // The number of the launch, copy or library's call that is noted next, from 1 in this process; 0: it gets
  // no line of its own.
  uint64_t next_work() const { return writes() && !is_full() ? m_works + 1 : 0; }
  // A stream of another device than the first, before its first use. `is_default`: that device's default
  // stream.
  void stream(uint64_t number, int device, bool is_default);
  // What a stream is given next waits for this work of another stream (cudaStreamWaitEvent).
  void wait(uint64_t for_work, uint64_t stream);
  // About the whole program: `kind` is one of ProgramWarning's.
  void warning(std::string_view kind, std::string_view what, std::string_view advice, const HostPlace* place);
  void module(double at_us, double host_us, uint64_t ptx_bytes);  // a module was loaded
  void call(std::string_view name);                               // a call that is not provided
  void end(int status);                                           // the program ends by itself
  void flush();                                                   // writes the sums after the last line

  // The limit for lines of single events; after it, only sums are written.
  static constexpr uint64_t most_bytes = uint64_t{48} << 20;

 private:
  struct Sum {
    uint64_t count = 0, bytes = 0;
    double device_us = 0, host_us = 0;
    bool known = true;
  };
  void open_in(const std::string& folder);
  void write(std::string_view line);
  // `,"place":3`. If place 3 is new, first writes a line that describes it. Empty if the place is not known.
  std::string place_text(const HostPlace* place);
  std::string counts_text(const Counters* counters);
  bool is_full() const { return m_bytes >= most_bytes; }
  void note_sum();

  int m_file = no_file;
  std::string m_path, m_device;  // what the first line says of the device
  double m_device_from_us = 0;
  uint64_t m_bytes = 0, m_unwritten = 0, m_works = 0;
  std::map<const HostPlace*, size_t> m_places;
  std::map<std::string, size_t> m_counts;  // what launches counted, each written once
  std::pair<Counters, std::string> m_last_counts;
  std::map<uint64_t, std::string> m_streams;  // the lines about them, which the file of each part has
  void add_to_sum(std::map<std::string, Sum, std::less<>>& sums, std::string_view name,
                  const std::optional<double>& device_us, double host_us, uint64_t bytes);
  std::map<std::string, Sum, std::less<>> m_kernels, m_libraries;
  Sum m_copies[direction_count], m_allocations;
};

}  // namespace warplens::recording
