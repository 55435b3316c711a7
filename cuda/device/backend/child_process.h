// A child process, and the two-way connection ("wire") to it: messages over a channel of the system.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/system/channel.h"

namespace warplens::cuda {

// One end of a wire. It carries messages, each with a tag and bytes.
class Wire {
 public:
  struct Message {
    char tag = 0;
    std::string bytes;
  };
  enum class State : uint8_t { message, nothing, closed };

  explicit Wire(Channel channel) : m_channel(std::move(channel)) {}

  // Returns false if the other side is gone, or if `go_on` returned false. `go_on` is called from time to
  // time.
  bool send(char tag, std::string_view bytes, const std::function<bool()>& go_on = {});
  // Waits at most this long. The received part of an incomplete message is kept.
  State receive(Message& message, std::chrono::milliseconds wait);
  const Channel& channel() const { return m_channel; }
  bool is_closed() const { return m_closed; }  // `receive` has found the other side gone

 private:
  Channel m_channel;
  bool m_closed = false;
  std::string m_arrived;
};

// Both ends of a wire within this process.
Result<std::pair<Wire, Wire>> make_wire();

class ChildProcess {
 public:
  // Starts the program with these arguments. The child's standard input is its end of the wire
  // (`wire_of_child`).
  static Result<std::unique_ptr<ChildProcess>> start(const std::string& program,
                                                     const std::vector<std::string>& arguments);
  ChildProcess(JoinedProcess process, Wire wire) : m_process(std::move(process)), m_wire(std::move(wire)) {}
  Wire& wire() { return m_wire; }
  // Ends the process at once. If it had already ended, says how: "by signal 11", "with status 3".
  std::string end() { return m_process.end(m_wire.is_closed()); }

 private:
  JoinedProcess m_process;
  Wire m_wire;
};

// In the child: the wire to the process that started this one.
Wire wire_of_child();

}  // namespace warplens::cuda
