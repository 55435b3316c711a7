// This process itself: its number, its standard streams, and requests to end it.
#pragma once

#include <memory>
#include <string>

namespace warplens {

long own_process_id();
// Whether there is a process with this id. True if that cannot be known.
bool process_is_alive(long id);
// Restarts the program in this process, without arguments and with a further environment variable. It
// returns only if that fails.
void restart_program(const char* variable, const char* value);

// From now on, signals that are sent to the process are handled by its other threads. Faults of this thread
// are still its own.
void leave_signals_to_other_threads();

bool input_is_a_terminal();
bool output_is_a_terminal();
// A name that two processes share if their standard error is the same file, pipe or terminal. Empty if not
// known.
std::string name_of_errors();

// From `hear_interrupts` to `leave_interrupts`, the first Ctrl-C or request to end (SIGTERM) only makes
// `was_interrupted` true; a second one ends the program at once.
void hear_interrupts();
bool was_interrupted();
void leave_interrupts();

// While it exists, standard error goes to a file, including that of started programs.
class ErrorsToFile {
 public:
  explicit ErrorsToFile(const std::string& path);
  ~ErrorsToFile();
  ErrorsToFile(const ErrorsToFile&) = delete;
  ErrorsToFile& operator=(const ErrorsToFile&) = delete;
  void end();

 private:
  int m_saved;
};

// Collects what this process writes to its standard output, including C's buffers.
class OutputCapture {
 public:
  static std::unique_ptr<OutputCapture> start();  // null if there is no place to write to
  virtual ~OutputCapture() = default;
  virtual void begin() = 0;
  virtual std::string end() = 0;  // what was written since `begin`
};

}  // namespace warplens
