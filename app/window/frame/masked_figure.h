// What a covered view shows instead of its picture: the same figure without what is to be found out.
#pragma once

#include "app/state/state.h"
#include "app/widgets/card_place.h"

namespace warplens {

void draw_masked_figure(const AppState& state, View view, Box place);

}  // namespace warplens
