// What is ordered before what among the operations of a program: the relation "happens before", by vector
// clocks (Fidge and Mattern). CUDA C++ Programming Guide, "Streams", "Events" and "Implicit Synchronization";
// CUDA Runtime API, "Stream synchronization behavior".
//
// The host is one line of events: calls of several threads count as ordered in the order in which they came,
// since how a program orders its threads is not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::streams {

// A line of events, each of which is ordered after the one before: the host or a stream.
using Line = uint32_t;
constexpr Line host_line = 0, default_line = 1;  // that of the first device's legacy default stream

// An event of a line: the number of events of its line until it, counted from 1.
struct Stamp {
  Line line = host_line;
  uint32_t number = 0;
};

// For each line, how many of its events are ordered before.
class VectorClock {
 public:
  uint32_t at(Line line) const { return line < m_numbers.size() ? m_numbers[line] : 0; }
  bool holds(Stamp stamp) const { return at(stamp.line) >= stamp.number; }
  void join(const VectorClock& other);
  uint32_t step(Line line);  // its next event, whose number is returned

 private:
  std::vector<uint32_t> m_numbers;
};

class Order {
 public:
  Order();

  // The line of a further device's legacy default stream; the first one's is there from the beginning.
  Line add_default();
  // `blocking`: it waits for its device's legacy default stream, and that one for it.
  Line add_stream(bool blocking, Line its_default = default_line);
  // The line may be that of a later stream, which then counts as ordered after it.
  void remove_stream(Line line);

  // The next operation of a stream: it comes after all that its caller has waited for, and after all before
  // it in its stream. A caller is the host, or a stream that calls a function of the host
  // (cudaLaunchHostFunc).
  Stamp begin(Line stream, Line caller = host_line);
  // What cudaEventRecord takes, for cudaStreamWaitEvent and cudaEventSynchronize.
  VectorClock record(Line stream);
  void wait(Line stream, const VectorClock& event) { m_lines[stream].clock.join(event); }
  void call_waits(Line stream, Line caller = host_line);
  void call_waits(const VectorClock& event, Line caller = host_line) { m_lines[caller].clock.join(event); }
  void call_waits_for_all(Line caller = host_line);
  void call_waits_for_device(Line its_default, Line caller = host_line);
  // A function of the host has run in a stream: the host may wait for what it does without a call that is
  // seen (a condition variable). From here on its own accesses count as ordered after it, and nothing else
  // does.
  void may_be_heard(Line stream) { m_heard.join(record(stream)); }

  // Everything so far on these devices, given by their default lines, is ordered before what they are given
  // next (cudaMemcpyPeer).
  void meet(const std::vector<Line>& defaults);

  // How many streams have work that the host has not waited for.
  size_t streams_under_way() const;
  size_t streams_under_way(Line its_default) const;  // of one device
  // Whether an event is over when the newest event of this line begins, or the host accesses memory.
  bool is_before(Stamp earlier, Line line) const {
    return clock_of(line).holds(earlier) || (line == host_line && m_heard.holds(earlier));
  }

 private:
  struct Stream {
    VectorClock clock;
    bool used = true, blocking = true;
    Line its_default = default_line;  // of the same device
  };
  const VectorClock& clock_of(Line line) const { return m_lines[line].clock; }
  void meet_default(Line stream);

  std::vector<Stream> m_lines;
  VectorClock m_heard;
  std::vector<Line> m_free;
};

}  // namespace warplens::streams
