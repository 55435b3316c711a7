// Time that processors worked for this process, in seconds. Unlike elapsed time, it is about the same on a
// machine that runs other programs at the same time.
#pragma once

#include <sys/resource.h>
#include <time.h>

namespace warplens {

// Of all threads of this process.
inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// Of all its children that have ended.
inline double processor_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace warplens
