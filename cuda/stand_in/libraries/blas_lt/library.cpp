#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "cuBLASLt",
    "This cuBLASLt has cublasLtMatmul with its descriptors and one algorithm, and cublasLtMatrixTransform; "
    "docs/limits.md lists what is missing.",
    15};
