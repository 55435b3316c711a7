#include "app/cli/interrupt.h"

#include <chrono>
#include <csignal>

namespace warplens {

namespace {

// A signal handler may only change such a variable, so it is not a member.
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard(std::stop_source stop) {
  interrupted = 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  // Requesting a stop runs callbacks and takes locks, which a signal handler must not do. So a thread
  // watches the flag.
  m_watcher = std::jthread([stop = std::move(stop)](std::stop_token end) mutable {
    while (!end.stop_requested()) {
      if (interrupted != 0) {
        stop.request_stop();
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace warplens
