// Where CUDA's compiler, linker and headers are looked for. An environment variable, where it is set, is the
// only choice; then what set-up brought (warplens_config.h), then what a toolkit on this machine offers.
#pragma once

#include <string>
#include <vector>

namespace warplens {

std::vector<std::string> nvrtc_candidates();        // WARPLENS_NVRTC
std::vector<std::string> nvjitlink_candidates();    // WARPLENS_NVJITLINK: 12.x first
std::vector<std::string> nvjitlink13_candidates();  // WARPLENS_NVJITLINK13: 13.x, for PTX that 12.x refuses
// WARPLENS_CUDA_INCLUDE_DIRS, joined by ':'. Only directories that exist.
std::vector<std::string> cuda_include_directories();

}  // namespace warplens
