// Does library work on one core of this machine with Eigen, if the program was built with it
// (core/job/CMakeLists.txt chooses between cpu_library_eigen.cpp and cpu_library_none.cpp).
#pragma once

#include "core/launch/library_work.h"

namespace warplens {

// As for a device's library, `missing` says why there are no times.
LibraryTime cpu_library(const LibraryWork& work);

}  // namespace warplens
