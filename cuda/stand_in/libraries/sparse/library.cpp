#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "cuSPARSE",
    "This cuSPARSE has the generic API for CSR, CSC and COO, the conversions between them, and sorting; "
    "docs/limits.md lists what is missing.",
    10};
