// What each process of a program did. Each process has its own device clock, which starts with its first
// call. So the modelled times of two processes are not one queue, and do not say what overlapped.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/base/json/json.h"
#include "core/recording/event.h"

namespace warplens::recording {

struct ProcessLine {
  uint64_t process = 0;
  uint64_t launches = 0, copies = 0;
  double busy_us = 0;               // modelled, of all launches, copies and library calls
  double device_end_us = 0;         // when the last of them ended, on its own modelled clock
  double begin_us = 0, end_us = 0;  // this machine's clock, from the first event of the program on
};

class ProcessLines {
 public:
  void add(const Event& event);      // with its time
  void add_sum(const Event& event);  // several events, without a time
  // Sorted by the time at which they began.
  std::vector<ProcessLine> take() const;

 private:
  struct Seen {
    ProcessLine line;
    bool has_begun = false;
  };
  void count(const Event& event, ProcessLine& line);
  std::map<uint64_t, Seen> m_seen;
};

ReportJson process_lines_json(const std::vector<ProcessLine>& lines);

}  // namespace warplens::recording
