// Bytes both ways between two processes, or within one.
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

// One end.
class Channel {
 public:
  // Both ends. Programs that are started get none but the one that is given to them.
  static Result<std::pair<Channel, Channel>> make();
  // The one that this process was started with as its standard input (JoinedProcess). Nothing is left to read
  // from there then.
  static Channel of_input();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;
  ~Channel();

  // Waits at most this long until something can be sent, or has come, or the other end is gone.
  bool can_send(std::chrono::milliseconds longest) const;
  bool has_come(std::chrono::milliseconds longest) const;
  // How many bytes went; 0: none at the moment. No value: the other end is gone.
  std::optional<size_t> send(std::string_view bytes);
  std::optional<size_t> receive(std::span<char> into);
  int number() const { return m_number; }

 private:
  explicit Channel(int number) : m_number(number) {}
  int m_number;  // -1 if it was moved from
};

// Ends this process as soon as the other end of the channel on its standard input is gone, whatever its
// threads are in. Before Channel::of_input().
void end_with_input();

// A program whose standard input is a channel to this process.
class JoinedProcess {
 public:
  // `program` is a path, or running_program(). Kind failed where it cannot be started.
  static Result<JoinedProcess> start(const std::string& program, const std::vector<std::string>& arguments,
                                     const Channel& its_end);
  JoinedProcess(JoinedProcess&& other) noexcept;
  JoinedProcess& operator=(JoinedProcess&&) = delete;
  ~JoinedProcess();  // ends it if it still runs
  // Ends it at once, and says how it ended: "by signal 11", "with status 3". One that ends by itself just
  // now, since it has closed the channel, is waited for. One that the system does not let go of is left
  // behind.
  std::string end(bool ends_by_itself);

 private:
  explicit JoinedProcess(long id) : m_id(id) {}
  long m_id;  // 0: it has ended
  std::string m_ended;
};

}  // namespace warplens
