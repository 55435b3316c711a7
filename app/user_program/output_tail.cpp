#include "app/user_program/output_tail.h"

#include <utility>

namespace warplens::program_run {

void OutputTail::end_line() {
  m_lines.push_back(std::exchange(m_line, {}));
  m_begins_anew = false;
  if (m_lines.size() <= most_lines) return;
  m_lines.pop_front();
  ++m_left_out;
}

void OutputTail::take(char c) {
  const auto byte = static_cast<unsigned char>(c);
  switch (m_state) {
    case State::escape:
      m_state = c == '[' ? State::control : c == ']' ? State::string : State::text;
      return;
    case State::control:  // parameters up to a final byte (ECMA-48 5.4)
      if (byte >= 0x40 && byte <= 0x7e) m_state = State::text;
      return;
    case State::string:  // a title or a link, up to BEL or ESC
      if (c == '\a') m_state = State::text;
      if (c == '\x1b') m_state = State::escape;
      return;
    case State::text:
      break;
  }
  if (c == '\x1b') {
    m_state = State::escape;
  } else if (c == '\n') {
    end_line();
  } else if (c == '\r') {
    m_begins_anew = true;
  } else if (c == '\t' || byte >= 0x20) {
    if (std::exchange(m_begins_anew, false)) m_line.clear();
    if (c == '\t')
      m_line.append(8 - m_line.size() % 8, ' ');
    else if (byte != 0x7f && m_line.size() < most_line_bytes)
      m_line += c;
    if (m_line.size() > most_line_bytes) m_line.resize(most_line_bytes);
  }
}

void OutputTail::add(std::string_view piece) {
  for (const char c : piece) take(c);
}

std::vector<std::string> OutputTail::lines() const {
  std::vector<std::string> lines(m_lines.begin(), m_lines.end());
  if (!m_line.empty()) lines.push_back(m_line);
  return lines;
}

}  // namespace warplens::program_run
