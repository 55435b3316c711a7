// Loads the program's fonts. They are part of the program: the build takes them from packages of the system.
#pragma once

#include "app/widgets/look.h"

namespace warplens {

// Loads the fonts into the atlas of the current context and sets those of the look.
void load_fonts(Look& look);

}  // namespace warplens
