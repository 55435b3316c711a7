// Shared by all commands of the command line.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/device/real_gpus.h"
#include "core/image/image.h"
#include "core/launch/backend.h"

namespace warplens {

struct WindowStart;

namespace exit_status {
constexpr int done = 0;       // done, and all checks passed
constexpr int not_held = 1;   // a fault, a failed check, a finding under --strict, a cancelled run
constexpr int bad_input = 2;  // bad use, bad input, or a launch that CUDA would refuse
constexpr int missing = 3;    // something is missing on this machine
}  // namespace exit_status

int exit_status_of(ErrorKind kind);

// The surroundings of a command; tests supply their own. Results go to `out`, messages for people to `err`.
struct Cli {
  std::ostream& out;
  std::ostream& err;
  std::function<std::unique_ptr<Backend>()> make_backend;
  std::function<int(const WindowStart&)> open_window;  // null if built without a window
  std::stop_source stop;                               // Ctrl-C
  int status = exit_status::done;
  // Draws the window into a picture. Null if built without a window.
  std::function<Result<Image>(const WindowStart&)> render_window = nullptr;
  FindRealGpus real_gpus = nullptr;  // null if built without CUDA
  // The graphics driver that draws the window on this machine, or why there is none. Null if built without a
  // window.
  std::function<Result<std::string>()> find_graphics = nullptr;
  std::string commit = {};  // of the source that the program was built from; empty if not known

  // Prints the message and sets the exit status. A command keeps its worst status.
  void fail(const Error& error);
  void say(std::string_view sentence);
};

// Parses the arguments and runs the command. Never throws.
int run_cli(int argc, const char* const* argv, Cli& cli);

}  // namespace warplens
