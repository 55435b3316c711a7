#include "libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "cuBLAS",
    "Of cuBLAS there are the functions of levels 1 to 3 by their names with _v2 (cublas_v2.h), geam, dgmm, "
    "gemm in all its forms and batched solvers; docs/limits.md says which there are not.",
    15};
