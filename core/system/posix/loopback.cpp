#include "core/system/loopback.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace warplens {

namespace {

sockaddr_in address_of(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

Error refused(const char* what, uint16_t port) {
  return failed(
      fmt::format("Port {} of this machine cannot be {}: {}. Choose another one, or 0 for a free one.", port,
                  what, std::strerror(errno)));
}

// Messages are short, and each is waited for.
void send_at_once(int number) {
  const int yes = 1;
  ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

}  // namespace

Result<LoopbackPort> LoopbackPort::listen(uint16_t port) {
  const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) return refused("opened", port);
  const int yes = 1;
  ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = address_of(port);
  socklen_t size = sizeof address;
  if (::bind(number, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(number, 1) != 0 ||
      ::getsockname(number, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const Error error = refused("opened", port);
    ::close(number);
    return error;
  }
  return LoopbackPort(number, ntohs(address.sin_port));
}

LoopbackPort::LoopbackPort(LoopbackPort&& other) noexcept
    : m_number(std::exchange(other.m_number, -1)), m_port(other.m_port) {}

LoopbackPort::~LoopbackPort() {
  if (m_number >= 0) ::close(m_number);
}

std::optional<Channel> LoopbackPort::accept(std::chrono::milliseconds longest) {
  pollfd entry{m_number, POLLIN, 0};
  if (::poll(&entry, 1, static_cast<int>(longest.count())) <= 0) return std::nullopt;
  const int number = ::accept4(m_number, nullptr, nullptr, SOCK_CLOEXEC);
  if (number < 0) return std::nullopt;
  send_at_once(number);
  return Channel(number);
}

Result<Channel> LoopbackPort::connect(uint16_t port) {
  const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) return refused("reached", port);
  const sockaddr_in address = address_of(port);
  if (::connect(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const Error error = refused("reached", port);
    ::close(number);
    return error;
  }
  send_at_once(number);
  return Channel(number);
}

}  // namespace warplens
