#include "app/debug/channel_stream.h"

#include <chrono>
#include <optional>

namespace warplens::dap {

namespace {

constexpr std::chrono::milliseconds look_for_stop_each{100};

}  // namespace

ChannelBuffer::int_type ChannelBuffer::underflow() {
  while (!m_stop.stop_requested()) {
    if (!m_channel.has_come(look_for_stop_each)) continue;
    const std::optional<size_t> got = m_channel.receive(m_read);
    if (!got) break;
    if (*got == 0) continue;
    setg(m_read.data(), m_read.data(), m_read.data() + *got);
    return traits_type::to_int_type(m_read[0]);
  }
  return traits_type::eof();
}

ChannelBuffer::int_type ChannelBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize ChannelBuffer::xsputn(const char* text, std::streamsize count) {
  std::streamsize done = 0;
  while (done < count && !m_stop.stop_requested()) {
    const std::optional<size_t> sent = m_channel.send({text + done, static_cast<size_t>(count - done)});
    if (!sent) break;
    done += static_cast<std::streamsize>(*sent);
    if (*sent == 0) m_channel.can_send(look_for_stop_each);
  }
  return done;
}

}  // namespace warplens::dap
