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

Line Order::add_default() {
  const auto line = static_cast<Line>(m_lines.size());
  m_lines.push_back({.clock = {}, .its_default = line});
  return line;
}

Line Order::add_stream(bool blocking, Line its_default) {
  if (m_free.empty()) {
    m_lines.push_back({.clock = {}, .blocking = blocking, .its_default = its_default});
    return static_cast<Line>(m_lines.size() - 1);
  }
  const Line line = m_free.back();
  m_free.pop_back();
  // Its clock stays: it goes on to count.
  m_lines[line].used = true;
  m_lines[line].blocking = blocking;
  m_lines[line].its_default = its_default;
  return line;
}

void Order::remove_stream(Line line) {
  m_lines[line].used = false;
  m_free.push_back(line);
}

// Work of a default stream waits for that of all blocking streams of its device, and theirs for it.
void Order::meet_default(Line stream) {
  Stream& of = m_lines[stream];
  if (stream != of.its_default) {
    if (of.blocking) of.clock.join(clock_of(of.its_default));
    return;
  }
  for (Line line = default_line + 1; line < m_lines.size(); ++line)
    if (m_lines[line].blocking && m_lines[line].its_default == stream) of.clock.join(clock_of(line));
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

void Order::meet(const std::vector<Line>& defaults) {
  VectorClock all;
  const auto is_one = [&](const Stream& line) {
    return std::ranges::find(defaults, line.its_default) != defaults.end();
  };
  for (Line line = default_line; line < m_lines.size(); ++line)
    if (is_one(m_lines[line])) all.join(clock_of(line));
  for (Line line = default_line; line < m_lines.size(); ++line)
    if (is_one(m_lines[line])) m_lines[line].clock.join(all);
}

size_t Order::streams_under_way() const {
  size_t count = 0;
  for (Line line = default_line; line < m_lines.size(); ++line)
    if (m_lines[line].its_default == line) count += streams_under_way(line);
  return count;
}

size_t Order::streams_under_way(Line its_default) const {
  size_t count = 0;
  for (Line line = default_line; line < m_lines.size(); ++line)
    if (m_lines[line].its_default == its_default && clock_of(host_line).at(line) < clock_of(line).at(line))
      ++count;
  return count;
}

void Order::call_waits_for_all(Line caller) {
  for (Line line = default_line; line < m_lines.size(); ++line) m_lines[caller].clock.join(clock_of(line));
}

void Order::call_waits_for_device(Line its_default, Line caller) {
  for (Line line = default_line; line < m_lines.size(); ++line)
    if (m_lines[line].its_default == its_default) m_lines[caller].clock.join(clock_of(line));
}

}  // namespace warplens::streams
