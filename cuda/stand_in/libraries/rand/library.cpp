#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "cuRAND",
    "Of cuRAND there are the generators XORWOW, MRG32k3a, Philox, Sobol32 and Sobol64; the device API "
    "(curand_kernel.h) works "
    "with all.",
    999};
