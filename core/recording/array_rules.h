// Checks what a program does with its arrays: whether results were copied back, whether copies had the size
// of their arrays, and what was not freed. For C++, whose author does all of that.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/recording/event.h"
#include "core/recording/program_warning.h"

namespace warplens::recording {

class ArrayRules {
 public:
  void add(const Event& event, size_t index);
  void add_sum(const Event& sum);
  std::vector<ProgramWarning> take() const;

 private:
  struct Array {
    uint64_t bytes = 0, copied = 0;  // from its start, by the copy that reached farthest
    size_t index = 0, copy = 0;      // of the events that allocated and copied it
    std::shared_ptr<const HostPlace> place = nullptr, copy_place = nullptr;
    // The same for copies to the host alone.
    uint64_t copied_back = 0;
    size_t copy_back = 0;
    std::shared_ptr<const HostPlace> back_place = nullptr;
  };
  struct Process {
    std::map<uint64_t, Array> arrays;                    // those allocated now, by address
    std::vector<Array> few;                              // those of which only a few bytes were copied
    std::vector<std::shared_ptr<const HostPlace>> told;  // where the driver has warned of few bytes itself
    uint64_t launches = 0, back = 0;
    std::vector<uint64_t> numbers;  // of the first launches
    Places launch_places;
    bool host_sees = false;  // managed, pinned or registered memory, or printf: results come without a copy
    bool ended_in_fault = false, ended_well = false;
  };
  void end_of(const Array& array, Process& process) const;

  std::map<uint64_t, Process> m_processes;
  bool m_has_sums = false;
};

}  // namespace warplens::recording
