#include "tests/ui/own_screen.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace warplens {
namespace {

// Large enough for the largest window of the tests. Unused area costs nothing.
constexpr const char* size = "3840x2160x24";

// In the child: only calls that are allowed between fork and exec.
[[noreturn]] void become_server(int number_goes_to, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  constexpr int tells = 3;
  if (number_goes_to != tells) dup2(number_goes_to, tells);
  fcntl(tells, F_SETFD, 0);
  const int nothing = ::open("/dev/null", O_WRONLY);
  dup2(nothing, STDERR_FILENO);  // it tells of every key that it has no name for
  execlp("Xvfb", "Xvfb", "-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp", "-noreset",
         static_cast<char*>(nullptr));
  _exit(127);
}

// Comes when the server takes connections; empty where it has ended.
std::string read_line(int from) {
  std::string line;
  char sign = 0;
  while (read(from, &sign, 1) == 1 && sign != '\n') line += sign;
  return line;
}

}  // namespace

std::string OwnScreen::open() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "there is no pipe";
  const pid_t parent = getpid();
  m_server = fork();
  if (m_server == 0) become_server(ends[1], parent);
  close(ends[1]);
  const std::string number = m_server > 0 ? read_line(ends[0]) : "";
  close(ends[0]);
  if (number.empty()) return "Xvfb did not start; tools/setup installs it";
  setenv("DISPLAY", (":" + number).c_str(), 1);
  for (const char* name : {"WAYLAND_DISPLAY", "XAUTHORITY"}) unsetenv(name);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  return "";
}

OwnScreen::~OwnScreen() {
  if (m_server <= 0) return;
  kill(m_server, SIGTERM);
  waitpid(m_server, nullptr, 0);
}

}  // namespace warplens
