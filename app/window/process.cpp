#include "app/window/process.h"

#if defined(__unix__) || defined(__APPLE__)
#include <csignal>
#include <cstdlib>

#include <unistd.h>
#include <cerrno>
#else
#include <process.h>
#endif

namespace warplens {

#if defined(__unix__) || defined(__APPLE__)
long own_process_id() { return static_cast<long>(::getpid()); }
bool process_is_alive(long id) { return ::kill(static_cast<pid_t>(id), 0) == 0 || errno != ESRCH; }
void begin_program_anew(const char* variable, const char* value) {
  ::setenv(variable, value, 1);
  char path[4096] = {};
  if (::readlink("/proc/self/exe", path, sizeof path - 1) <= 0) return;
  char* const arguments[] = {path, nullptr};
  ::execv(path, arguments);
}
#else
long own_process_id() { return static_cast<long>(::_getpid()); }
bool process_is_alive(long) { return true; }
void begin_program_anew(const char*, const char*) {}
#endif

}  // namespace warplens
