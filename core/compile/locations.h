// Where CUDA's compiler, linker and headers are looked for on the machine that the program runs on. An
// environment variable, where it is set, is the only choice; then come the places of
// core/base/system/places.h with the toolkits of this machine.
#pragma once

#include <string>
#include <vector>

namespace warplens {

// Libraries that are there, and at the end bare names for the system's loader.
std::vector<std::string> nvrtc_candidates();        // WARPLENS_NVRTC
std::vector<std::string> nvjitlink_candidates();    // WARPLENS_NVJITLINK: 12.x first
std::vector<std::string> nvjitlink13_candidates();  // WARPLENS_NVJITLINK13: 13.x, for PTX that 12.x refuses
// WARPLENS_CUDA_INCLUDE_DIRS, joined by ':'. Only directories that exist, and of one place: headers of two
// versions do not go together.
std::vector<std::string> cuda_include_directories();

}  // namespace warplens
