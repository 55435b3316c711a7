// The version of the library that is built: that of CUDA 12 or 13. Compiled once for each.
#include "cuda/stand_in/libraries/solver/version.h"

namespace warplens::solver {

const int library_version = WARPLENS_CUSOLVER_VERSION;

}  // namespace warplens::solver
