// A port of this machine that only programs of this machine can connect to.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/base/result.h"
#include "core/system/channel.h"

namespace warplens {

class LoopbackPort {
 public:
  // Port 0: one that is free. The error is of kind failed if the port is taken.
  static Result<LoopbackPort> listen(uint16_t port);
  LoopbackPort(LoopbackPort&& other) noexcept;
  LoopbackPort& operator=(LoopbackPort&&) = delete;
  ~LoopbackPort();

  uint16_t port() const { return m_port; }
  // Waits at most this long for the next program that connects. Empty if none has.
  std::optional<Channel> accept(std::chrono::milliseconds longest);
  // A channel to such a port of this machine.
  static Result<Channel> connect(uint16_t port);

 private:
  LoopbackPort(int number, uint16_t port) : m_number(number), m_port(port) {}
  int m_number;  // -1 after a move
  uint16_t m_port;
};

}  // namespace warplens
