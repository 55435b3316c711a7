#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "cuBLAS",
    "This cuBLAS has the functions of levels 1 to 3 by their names with _v2 (cublas_v2.h), geam, dgmm, "
    "gemm in all its forms and batched solvers; docs/limits.md lists the missing ones.",
    15};
