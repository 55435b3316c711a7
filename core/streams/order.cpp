#include "core/streams/order.h"

#include <algorithm>

namespace warplens::streams {

void VectorClock::join(const VectorClock& other) {
  if (m_numbers.size() < other.m_numbers.size()) m_numbers.resize(other.m_numbers.size());
  for (size_t i = 0; i < other.m_numbers.size(); ++i)
    m_numbers[i] = std::max(m_numbers[i], other.m_numbers[i]);
}

uint32_t VectorClock::step(Line line) {
  if (m_numbers.size() <= line) m_numbers.resize(line + 1);
  return ++m_numbers[line];
}

Order::Order() : m_lines(2) {}

Line Order::add_stream(bool blocking) {
  if (m_free.empty()) {
    m_lines.push_back({.clock = {}, .used = true, .blocking = blocking});
    return static_cast<Line>(m_lines.size() - 1);
  }
  const Line line = m_free.back();
  m_free.pop_back();
  // Its clock stays: it goes on to count.
  m_lines[line].used = true;
  m_lines[line].blocking = blocking;
  return line;
}

void Order::remove_stream(Line line) {
  m_lines[line].used = false;
  m_free.push_back(line);
}

// Work of the default stream waits for that of all blocking streams, and theirs for it.
void Order::meet_default(Line stream) {
  if (stream != default_line) {
    if (m_lines[stream].blocking) m_lines[stream].clock.join(clock_of(default_line));
    return;
  }
  for (Line line = default_line + 1; line < m_lines.size(); ++line)
    if (m_lines[line].blocking) m_lines[default_line].clock.join(clock_of(line));
}

Stamp Order::begin(Line stream, Line caller) {
  VectorClock& clock = m_lines[stream].clock;
  clock.join(clock_of(caller));
  meet_default(stream);
  return {stream, clock.step(stream)};
}

VectorClock Order::record(Line stream) {
  meet_default(stream);
  return clock_of(stream);
}

void Order::call_waits(Line stream, Line caller) {
  meet_default(stream);
  m_lines[caller].clock.join(clock_of(stream));
}

size_t Order::streams_under_way() const {
  size_t count = 0;
  for (Line line = default_line; line < m_lines.size(); ++line)
    if (clock_of(host_line).at(line) < clock_of(line).at(line)) ++count;
  return count;
}

void Order::call_waits_for_all(Line caller) {
  for (Line line = default_line; line < m_lines.size(); ++line) m_lines[caller].clock.join(clock_of(line));
}

}  // namespace warplens::streams
