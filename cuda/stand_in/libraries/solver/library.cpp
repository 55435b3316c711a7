#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "cuSOLVER",
    "Of the dense part there are potrf, getrf, geqrf, gesvd, syevd and their like; docs/limits.md lists what "
    "is missing.",
    9};
