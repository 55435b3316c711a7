// Where a small card goes next to a thing on the screen.
#pragma once

#include "app/base/draw/picture.h"

namespace warplens {

// A box of this size in `room`, right of `thing` if it fits there, else left of it, below or above; and in
// the farther half of the room if the thing is too large for that. A size that is larger than the room is
// cut.
Box place_card(Box room, Box thing, Point size, float gap);

}  // namespace warplens
