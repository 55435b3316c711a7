// The blank screen of a lecture.
#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// All of the window is black, and nothing under it gets keys or clicks. Esc, B, an arrow or page key and a
// click end it, which it says in small type.
void draw_blank(Actions& actions);
// The same keys and clicks in another window, such as that of the notes.
void end_blank(Actions& actions);

}  // namespace warplens
