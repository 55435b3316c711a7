// A library in which every function is refused: its name, what to do instead and its code come from
// cuda/stand_in/libraries/CMakeLists.txt.
#include "cuda/stand_in/libraries/shared/refused.h"

extern "C" const warplens_library warplens_this_library = {WARPLENS_LIBRARY_NAME, WARPLENS_LIBRARY_INSTEAD,
                                                           WARPLENS_LIBRARY_CODE};
