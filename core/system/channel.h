// Two-way transfer of bytes between two processes, or within one.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens {

// One end of a channel.
class Channel {
 public:
  // Makes both ends. Programs that are started inherit only the end that is given to them.
  static Result<std::pair<Channel, Channel>> make();
  // The channel that this process was given as its standard input (JoinedProcess). After that, standard input
  // is empty.
  static Channel of_input();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;
  ~Channel();

  // Waits at most this long until bytes can be sent, or have arrived, or the other end is closed.
  bool can_send(std::chrono::milliseconds longest) const;
  bool has_come(std::chrono::milliseconds longest) const;
  // The number of bytes sent; 0 if none can be sent now. Empty if the other end is closed.
  std::optional<size_t> send(std::string_view bytes);
  std::optional<size_t> receive(std::span<char> into);
  int number() const { return m_number; }

 private:
  friend class LoopbackPort;
  explicit Channel(int number) : m_number(number) {}
  int m_number;  // -1 after a move
};

// Ends this process as soon as the other end of the channel on its standard input is closed, whatever its
// threads are doing. Call it before Channel::of_input().
void end_with_input();

// A program whose standard input is a channel to this process.
class JoinedProcess {
 public:
  // `program` is a path, or running_program(). The error is of kind failed if it cannot be started.
  static Result<JoinedProcess> start(const std::string& program, const std::vector<std::string>& arguments,
                                     const Channel& its_end);
  JoinedProcess(JoinedProcess&& other) noexcept;
  JoinedProcess& operator=(JoinedProcess&&) = delete;
  ~JoinedProcess();  // ends it if it is still running
  // Ends it at once, and returns how it ended: "by signal 11", "with status 3". With `ends_by_itself`, the
  // program has closed the channel and is about to end, so it is waited for. If the system does not end it,
  // it is abandoned.
  std::string end(bool ends_by_itself);

 private:
  explicit JoinedProcess(long id) : m_id(id) {}
  long m_id;  // 0 after it has ended
  std::string m_ended;
};

}  // namespace warplens
