// The version of the library that is built: that of CUDA 12 or 13. Compiled once for each.
#include "cuda/stand_in/libraries/fft/version.h"

namespace warplens::fft {

const int library_version = WARPLENS_CUFFT_VERSION;

}  // namespace warplens::fft
