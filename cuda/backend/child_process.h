// A child process, and the two-way connection ("wire") to it. No other file of this folder starts
// or ends processes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens::cuda {

// The path with which the running program can be started once more. Empty if the system does not tell.
std::string own_program();

// One end of a wire. It carries messages, each with a tag and bytes.
class Wire {
 public:
  struct Message {
    char tag = 0;
    std::string bytes;
  };
  enum class State : uint8_t { message, nothing, closed };

  explicit Wire(int descriptor) : m_descriptor(descriptor) {}
  Wire(Wire&& other) noexcept;
  Wire& operator=(Wire&&) = delete;
  ~Wire();

  // Returns false if the other side is gone, or if `go_on` returned false. `go_on` is called from time to
  // time.
  bool send(char tag, std::string_view bytes, const std::function<bool()>& go_on = {});
  // Waits at most this long. The received part of an incomplete message is kept.
  State receive(Message& message, std::chrono::milliseconds wait);
  int descriptor() const { return m_descriptor; }
  bool is_closed() const { return m_closed; }  // `receive` has found the other side gone

 private:
  int m_descriptor;
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
  virtual ~ChildProcess() = default;  // ends it if it still runs
  virtual Wire& wire() = 0;
  // Ends the process at once. If it had already ended, says how: "by signal 11", "with status 3".
  virtual std::string end() = 0;
};

// In the child:

// The wire to the process that started this one.
Wire wire_of_child();
// Ends this process as soon as the other end of the wire is closed, even while a kernel runs: nobody waits
// for it any more.
void end_with_parent();

// Collects what this process writes to its standard output, including C's buffers.
class OutputCapture {
 public:
  static std::unique_ptr<OutputCapture> start();  // null if there is nowhere to write to
  virtual ~OutputCapture() = default;
  virtual void begin() = 0;
  virtual std::string end() = 0;  // what was written since `begin`
};

}  // namespace warplens::cuda
