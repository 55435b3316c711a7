#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {
    "NCCL",
    "This NCCL has the collectives, send and receive, groups and the communicators of one process; "
    "docs/limits.md lists what is missing.",
    5};
