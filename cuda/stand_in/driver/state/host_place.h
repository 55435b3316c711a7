// The line of the host program that calls: of its C++ by its debug information, of Python by the interpreter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/recording/journal.h"

namespace warplens::driver {

// Exists during a call of the API that the journal notes, in its thread. It is made before the device is
// locked: reading Python's frames takes Python's lock, which another thread may hold that waits for the
// device. Costs some microseconds, and nothing where no journal is written.
class HostCall {
 public:
  HostCall();
  ~HostCall();
  HostCall(HostCall&&) = delete;

 private:
  bool m_is_outer = false;
};

// The place of the current call in this thread; null if not known. It lives as long as the process.
const recording::HostPlace* host_place();
// Whether this thread is in a call of the API.
bool in_host_call();
// While it exists, this is the place of the calls of this thread.
class AtPlace {
 public:
  explicit AtPlace(const recording::HostPlace* place);
  ~AtPlace();
  AtPlace(AtPlace&&) = delete;

 private:
  const recording::HostPlace* m_before;
};
// Where a signal handler's thread was interrupted: the innermost line of the program's own C++ on the stack,
// and the function of others that this line called, such as "std::sort". Takes no lock that the thread may
// hold.
struct InterruptedCall {
  const recording::HostPlace* place = nullptr;  // null if not known
  std::string called;                           // empty if the line itself was interrupted
  bool in_thrust = false;                       // whether Thrust was on the way
};
InterruptedCall interrupted_call(uintptr_t instruction);
// The function or variable of the program's C++ at an address: "vtable for Shape", "twice(float)"; empty if
// not known.
std::string host_symbol(uintptr_t address);

// From now on places are searched for, since a journal is written.
void look_for_host_places();

// Whether the file belongs to the user's program: none of the compiler, of CUDA's headers, or of Python's
// libraries.
bool is_own_source(std::string_view file);

// The innermost line of the program's own source in this thread's stack, as C++ (host_stack.cpp) and Python
// (python_stack.cpp) have it; null: there is none.
const recording::HostPlace* cpp_place();
bool is_python();  // in this process
const recording::HostPlace* python_place();
// The place, stored once and never freed; null for line 0.
const recording::HostPlace* kept(recording::HostPlace place);

}  // namespace warplens::driver
