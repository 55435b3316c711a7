// A channel as a stream that is read by one thread and written by another.
#pragma once

#include <array>
#include <stop_token>
#include <streambuf>
#include <utility>

#include "core/system/channel.h"

namespace warplens::dap {

class ChannelBuffer final : public std::streambuf {
 public:
  // The stream ends when the other end is closed, or soon after `stop` is requested.
  ChannelBuffer(Channel channel, std::stop_token stop)
      : m_channel(std::move(channel)), m_stop(std::move(stop)) {}

 protected:
  int_type underflow() override;
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;

 private:
  Channel m_channel;
  std::stop_token m_stop;
  std::array<char, 4096> m_read{};
};

}  // namespace warplens::dap
