// A process of our own, and the wire to it. The one place that starts and ends processes, and both ends of
// the wire.
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

// What starts the running program once more; empty where the system does not tell.
std::string own_program();

// One end of a two-way wire that carries messages: a tag and bytes.
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

  // False: the other side is gone, or `go_on` said no. It is asked every now and then.
  bool send(char tag, std::string_view bytes, const std::function<bool()>& go_on = {});
  // Waits at most so long. What has arrived of a longer message is kept.
  State receive(Message& message, std::chrono::milliseconds wait);
  int descriptor() const { return m_descriptor; }
  bool is_closed() const { return m_closed; }  // `receive` has seen the other side go

 private:
  int m_descriptor;
  bool m_closed = false;
  std::string m_arrived;
};

// Both ends of a wire within this process.
Result<std::pair<Wire, Wire>> make_wire();

class ChildProcess {
 public:
  // Starts the program with these arguments. Its standard input is its end of the wire (`wire_of_child`).
  static Result<std::unique_ptr<ChildProcess>> start(const std::string& program,
                                                     const std::vector<std::string>& arguments);
  virtual ~ChildProcess() = default;  // ends it where it still runs
  virtual Wire& wire() = 0;
  // At once, whatever it is doing. Says how it had ended by itself: "by signal 11", "with status 3".
  virtual std::string end() = 0;
};

// --- In the child
// -------------------------------------------------------------------------------------------

// The wire to whoever started this process.
Wire wire_of_child();
// Ends this process as soon as the other end of the wire is closed, whatever it is doing: nobody waits any
// more for a kernel that never ends.
void end_with_parent();

// Collects what this process writes to its standard output from now on, C's buffers included.
class OutputCapture {
 public:
  static std::unique_ptr<OutputCapture> start();  // null where there is nowhere to write to
  virtual ~OutputCapture() = default;
  virtual void begin() = 0;
  virtual std::string end() = 0;  // what was written since `begin`
};

}  // namespace warplens::cuda
