// Where the program looks for CUDA's compiler, linker and headers. An environment variable that is set is
// the only place. Otherwise the places are those of core/base/system/places.h and the CUDA toolkits of this
// machine.
#pragma once

#include <string>
#include <vector>

namespace warplens {

// The libraries that exist, followed by bare names for the system's loader.
std::vector<std::string> nvrtc_candidates();        // WARPLENS_NVRTC
std::vector<std::string> nvjitlink_candidates();    // WARPLENS_NVJITLINK: 12.x first
std::vector<std::string> nvjitlink13_candidates();  // WARPLENS_NVJITLINK13: 13.x, for PTX that 12.x refuses
// The directories of CUDA headers: WARPLENS_CUDA_INCLUDE_DIRS, joined by ':', if it is set. All returned
// directories exist, and all are from one place, because headers of two versions do not fit together.
std::vector<std::string> cuda_include_directories();

}  // namespace warplens
