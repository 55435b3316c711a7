// The room at the right of a view for the card of what is pinned in it.
#pragma once

#include "app/base/draw/picture.h"

namespace warplens {

// Takes it from what is drawn next in the current window, and returns it.
Box take_room_for_card();
// How much of it is not taken yet: where a picture is as large without it, it leaves it free, so that it does
// not move when something is pinned.
float room_left_for_card();

}  // namespace warplens
