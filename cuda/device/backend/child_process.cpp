#include "cuda/device/backend/child_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace warplens::cuda {

namespace {

constexpr std::chrono::milliseconds between_questions{50};
constexpr size_t header_bytes = 1 + sizeof(uint64_t);

std::string header_of(char tag, uint64_t size) {
  std::string header(header_bytes, tag);
  std::memcpy(header.data() + 1, &size, sizeof size);
  return header;
}

}  // namespace

bool Wire::send(char tag, std::string_view bytes, const std::function<bool()>& go_on) {
  const std::string header = header_of(tag, bytes.size());
  for (std::string_view rest : {std::string_view(header), bytes}) {
    while (!rest.empty()) {
      if (go_on && !go_on()) return false;
      if (!m_channel.can_send(between_questions)) continue;
      const std::optional<size_t> sent = m_channel.send(rest);
      if (!sent) return false;
      rest.remove_prefix(*sent);
    }
  }
  return true;
}

Wire::State Wire::receive(Message& message, std::chrono::milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  while (true) {
    if (m_arrived.size() >= header_bytes) {
      uint64_t size = 0;
      std::memcpy(&size, m_arrived.data() + 1, sizeof size);
      if (m_arrived.size() - header_bytes >= size) {
        message.tag = m_arrived[0];
        message.bytes = m_arrived.substr(header_bytes, static_cast<size_t>(size));
        m_arrived.erase(0, header_bytes + static_cast<size_t>(size));
        return State::message;
      }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() < 0) return State::nothing;
    if (!m_channel.has_come(std::min(left, std::chrono::milliseconds(1000)))) {
      if (left.count() == 0) return State::nothing;
      continue;
    }
    constexpr size_t piece = 1 << 20;
    const size_t had = m_arrived.size();
    m_arrived.resize(had + piece);
    const std::optional<size_t> got = m_channel.receive(std::span(m_arrived).subspan(had));
    m_arrived.resize(had + got.value_or(0));
    if (!got) {
      m_closed = true;
      return State::closed;
    }
  }
}

Result<std::pair<Wire, Wire>> make_wire() {
  Result<std::pair<Channel, Channel>> ends = Channel::make();
  if (!ends) return ends.error();
  return std::pair<Wire, Wire>(Wire(std::move(ends->first)), Wire(std::move(ends->second)));
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::string& program,
                                                          const std::vector<std::string>& arguments) {
  Result<std::pair<Wire, Wire>> wire = make_wire();
  if (!wire) return wire.error();
  Wire ours = std::move(wire->first);
  const Wire theirs = std::move(wire->second);  // closed here once the child has it
  Result<JoinedProcess> process = JoinedProcess::start(program, arguments, theirs.channel());
  if (!process) return Error{process.error().kind, "No process for the GPU: " + process.error().message};
  return std::make_unique<ChildProcess>(std::move(process).value(), std::move(ours));
}

Wire wire_of_child() { return Wire(Channel::of_input()); }

}  // namespace warplens::cuda
