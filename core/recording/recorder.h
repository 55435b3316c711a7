// Records a process's launches so that they can be run again: the driver's side of a recording. The chunks of
// a launch are appended before it runs, in a single call, so that nothing else is lost if the process is
// killed. For a launch similar to an earlier one (kernel, memory), only the differences are written, so a
// loop of launches costs little.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/dim3.h"
#include "core/recording/chunks.h"
#include "core/system/files.h"

namespace warplens::recording {

// Which launches are recorded: the first ones of each kernel, or those in ranges, counted from 1 in each
// process.
struct Selection {
  static constexpr uint64_t first_of_each = 3;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;  // empty for the first of each kernel

  // `number`: of the launch in this process; `of_kernel`: among the launches of this kernel; both from 1.
  bool takes(uint64_t number, uint64_t of_kernel) const;
};
// "3", "1-10", "1-3,8,20-25". Empty if the syntax is wrong.
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
  std::shared_ptr<const void> ptx_owner = {};     // as long as it exists, the text does not change
  uint64_t place_global = 0, place_constant = 0;  // where the module's variables begin
  Dim3 grid, block;
  uint32_t shared_bytes = 0;  // dynamic
  bool cooperative = false;
  std::vector<ParameterNote> parameters;
  uint32_t max_registers = 0;  // of a thread, as the program set it; 0 for no limit
  std::vector<MemoryNote> memory;
  bool all_memory = false;   // otherwise only what the parameters lead to
  std::string_view lacking;  // why it cannot be run again; empty if it can
};

class Recorder {
 public:
  Recorder() = default;
  // Appends to a file of this process in the folder. Without a folder, it writes nothing.
  Recorder(const std::string& folder, Selection selection, uint64_t limit_bytes);
  Recorder(Recorder&&) = delete;
  // Starts a new part of the program, with a file of its own: launches count from 1 again, and contents of
  // earlier files are written again. The limit applies to each file.
  void move_to(const std::string& folder);

  bool wants(uint64_t number, uint64_t of_kernel) const {
    return m_file != no_file && room() != 0 && m_selection.takes(number, of_kernel);
  }
  uint64_t room() const { return m_limit - m_written; }
  // Call it before the launch.
  void note(const LaunchRecording& launch);
  // Call it after the launch that was noted last. Records the contents of its memory, so that a run can be
  // compared with them. Does nothing if the memory cannot be read any more.
  void note_end(const std::vector<MemoryNote>& memory, bool fault);

 private:
  // A launch that was written in full, as the base for similar ones.
  struct Row {
    std::string name, kind, symbol;
    uint64_t address = 0, bytes = 0;
    ContentName before;
  };
  struct Described {
    uint64_t number = 0;
    std::string kernel;
    std::weak_ptr<const void> ptx_owner;
    ContentName module;
    uint64_t place_global = 0, place_constant = 0;
    uint32_t max_registers = 0;
    bool cooperative = false, all_memory = false;
    std::vector<std::pair<bool, size_t>> parameters;  // floating, bytes
    std::vector<Row> memory;
  };
  struct NameHash {
    size_t operator()(const ContentName& name) const { return static_cast<size_t>(name.low); }
  };
  using Names = std::unordered_set<ContentName, NameHash>;

  void open_in(const std::string& folder);
  ContentName module_of(const LaunchRecording& launch) const;
  const Described* described(const LaunchRecording& launch, const ContentName& module) const;
  void write_full(const LaunchRecording& launch, const ContentName& module, const std::string& lacking,
                  std::span<const Content> contents);
  void write_like(const LaunchRecording& launch, const Described& like, std::span<const Content> contents);
  void put(ChunkKind kind, std::string_view head, std::span<const std::byte> body);
  void flush();
  void write_all(std::span<const std::byte> bytes);

  int m_file = no_file;
  std::string m_path;
  long m_process = 0;
  uint64_t m_limit = 0, m_written = 0, m_noted = 0;
  Selection m_selection;
  Names m_data, m_modules;
  std::map<std::string, Described, std::less<>> m_described;  // the last one of each entry
  std::vector<ContentName> m_before;  // memory contents of the launch that was noted last
  std::vector<std::byte> m_unwritten;
  std::string m_head;
};

// The text of `lacking` for a launch that exceeds the size limit.
constexpr std::string_view over_the_limit = "the recording had reached its limit (--record-limit)";

}  // namespace warplens::recording
