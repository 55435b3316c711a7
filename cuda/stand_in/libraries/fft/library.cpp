#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "cuFFT",
    "This cuFFT has all transforms of floats and doubles on one GPU, without callbacks; docs/limits.md lists "
    "what is missing.",
    16};
