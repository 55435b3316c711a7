#include "app/window/process.h"

#if defined(__unix__) || defined(__APPLE__)
#include <csignal>

#include <unistd.h>
#include <cerrno>
#else
#include <process.h>
#endif

namespace warplens {

#if defined(__unix__) || defined(__APPLE__)
long own_process_id() { return static_cast<long>(::getpid()); }
bool process_is_alive(long id) { return ::kill(static_cast<pid_t>(id), 0) == 0 || errno != ESRCH; }
#else
long own_process_id() { return static_cast<long>(::_getpid()); }
bool process_is_alive(long) { return true; }
#endif

}  // namespace warplens
