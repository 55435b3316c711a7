// The numbers of the blocks at the upper and the left side of a grid's map, and which index they are.
#pragma once

#include "app/base/draw/style.h"
#include "app/views/model/heat_map.h"

namespace warplens {

// The room that they need next to the map. Nothing where the map has too little itself.
struct AxesRoom {
  float left = 0, top = 0;
};
AxesRoom room_for_axes(const Style& style, const HeatMap& map, Box box);

// `frame`: of the map that was drawn below and at the right of this room.
void draw_axes(Picture& picture, const Style& style, const HeatMap& map, const MapFrame& frame,
               AxesRoom room);

}  // namespace warplens
