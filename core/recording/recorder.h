// Writes what a process launches so that it can be run again: the driver's side of a recording. Chunks are
// appended at once, so that nothing but the last one is lost where the process is killed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/dim3.h"
#include "core/recording/chunks.h"

namespace warplens::recording {

// Which launches: the first ones of each kernel, or those of ranges, counted from 1 in each process.
struct Selection {
  static constexpr uint64_t first_of_each = 3;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;  // empty: the first of each kernel

  // `number`: of the launch in this process; `of_kernel`: of the launch of this kernel; both from 1.
  bool takes(uint64_t number, uint64_t of_kernel) const;
};
// "3", "1-10", "1-3,8,20-25". Empty: it is none of these.
std::optional<Selection> parse_selection(std::string_view text);

// A piece of device memory before the launch.
struct MemoryNote {
  std::string_view name, kind;  // "array 3"; "device", "pinned", "managed", "variable"
  std::string_view symbol;      // of a variable of the launch's own module
  uint64_t address = 0;
  std::span<const std::byte> bytes;
};

struct ParameterNote {
  bool floating = false;  // its type is f16, f32 or f64
  std::span<const std::byte> bytes;
};

struct LaunchRecording {
  uint64_t number = 0;  // in this process, from 1
  std::string_view kernel, entry;
  std::string_view ptx;
  uint64_t place_global = 0, place_constant = 0;  // where the module's variables begin
  Dim3 grid, block;
  uint32_t shared_bytes = 0;  // dynamic
  bool cooperative = false;
  std::vector<ParameterNote> parameters;
  uint32_t max_registers = 0;  // of a thread, as the program asked; 0: no limit
  std::vector<MemoryNote> memory;
  bool all_memory = false;   // else what the parameters lead to
  std::string_view lacking;  // why it cannot be run again; empty: it can
};

class Recorder {
 public:
  Recorder() = default;
  // Appends to a file of this process in the folder; without a folder, nothing is written.
  Recorder(const std::string& folder, Selection selection, uint64_t limit_bytes);
  Recorder(Recorder&&) = delete;

  bool wants(uint64_t number, uint64_t of_kernel) const {
    return m_file >= 0 && room() != 0 && m_selection.takes(number, of_kernel);
  }
  uint64_t room() const { return m_limit - m_written; }
  // Before the launch.
  void note(const LaunchRecording& launch);
  // Behind the one that was noted last: what its memory holds now, so that a run can be compared with it.
  void note_end(const std::vector<MemoryNote>& memory, bool fault);

 private:
  bool append(ChunkKind kind, const std::string& head, std::span<const std::byte> body);

  int m_file = -1;
  uint64_t m_limit = 0, m_written = 0, m_noted = 0;
  Selection m_selection;
  std::set<ContentName> m_data, m_modules;
};

}  // namespace warplens::recording
