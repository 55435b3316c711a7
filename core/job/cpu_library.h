// The same work by a well-kept library on one core of this machine: Eigen, where the program was built with
// it (cmake/core.cmake chooses between cpu_library_eigen.cpp and cpu_library_none.cpp).
#pragma once

#include "core/launch/library_work.h"

namespace warplens {

// As a device's library answers: `missing` says why there are no times.
LibraryTime cpu_library(const LibraryWork& work);

}  // namespace warplens
