// The room at the right of a view, below on a phone, for the card of what is pinned in it.
#pragma once

#include "app/base/draw/picture.h"

namespace warplens {

// Takes it from what is drawn next in the current window, and returns it.
Box take_room_for_card();
// Before the view is drawn: whether the card may come, and is not there.
void expect_card(bool may_come);
// The room that the card would take: where a picture is as large without it, it leaves it free, so that it
// does not move when something is pinned.
float room_of_expected_card();

}  // namespace warplens
