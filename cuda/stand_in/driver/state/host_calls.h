// System calls of the program that are given guarded pages (preload/host_calls.c).
#pragma once

namespace warplens::driver {

// From now on, if the launcher has loaded that library.
void watch_host_calls();

}  // namespace warplens::driver
