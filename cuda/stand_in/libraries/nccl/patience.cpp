#include "cuda/stand_in/libraries/nccl/patience.h"

#include <chrono>
#include <ctime>

namespace warplens::nccl {

namespace {

constexpr int most_idle = 50;
constexpr double idle_share = 0.02;  // of one core, that threads which wait use themselves

// Of all threads of this process.
double used_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A kernel that stands at a breakpoint uses no time, and keeps the driver's lock.
bool driver_was_busy() {
  const double begin = now_seconds();
  CUdevice device = 0;
  cuCtxGetDevice(&device);
  return now_seconds() - begin > 0.1;
}

}  // namespace

bool Patience::wait(std::unique_lock<std::mutex>& lock) {
  constexpr std::chrono::milliseconds slice(100);
  const double used = used_seconds();
  if (communicators().changed.wait_for(lock, slice) == std::cv_status::no_timeout) {
    m_idle = 0;
    return true;
  }
  const bool idle = used_seconds() - used < idle_share * std::chrono::duration<double>(slice).count();
  m_idle = idle ? m_idle + 1 : 0;
  if (m_idle < most_idle) return true;
  lock.unlock();
  const bool busy = driver_was_busy();
  lock.lock();
  if (busy) m_idle = 0;
  return busy;
}

}  // namespace warplens::nccl
