// Where the program looks for CUDA's compiler, assembler and headers. An environment variable that is set is
// the only place. Otherwise the places are those of core/system/places.h and the CUDA toolkits of this
// machine.
#pragma once

#include <string>
#include <vector>

namespace warplens {

// The libraries that exist, followed by bare names for the system's loader.
std::vector<std::string> nvrtc_candidates();  // WARPLENS_NVRTC

// The assemblers that exist, the preferred one first. ptxas 13 knows sm_75 and later, and gives the same
// registers as a current driver; 12.9 knows older devices too.
std::vector<std::string> ptxas_candidates();    // WARPLENS_PTXAS: for sm_75 and later
std::vector<std::string> ptxas12_candidates();  // WARPLENS_PTXAS12: for older devices, and drivers of CUDA 12

// The clangs that exist, the newest first: WARPLENS_CLANG, or on PATH.
std::vector<std::string> clang_candidates();
// libclc's bitcode for NVPTX: WARPLENS_LIBCLC, or the distribution's. Empty if there is none.
std::string libclc_place();

// The directories of CUDA headers: WARPLENS_CUDA_INCLUDE_DIRS, joined by ':', if it is set. All returned
// directories exist, and all are from one place, because headers of two versions do not fit together.
std::vector<std::string> cuda_include_directories();

}  // namespace warplens
