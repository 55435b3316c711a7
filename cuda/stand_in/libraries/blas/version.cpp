// The major version of the library that is built: 12 or 13. Compiled once for each.
#include "cuda/stand_in/libraries/blas/version.h"

namespace warplens::blas {

const int library_version = WARPLENS_CUBLAS_VERSION;

}  // namespace warplens::blas
