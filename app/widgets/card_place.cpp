#include "app/widgets/card_place.h"

#include <algorithm>

namespace warplens {

Box place_card(Box room, Box thing, Point size, float gap) {
  const float width = std::min(size.x, room.width), height = std::min(size.y, room.height);
  const float right_edge = room.right() - width, low_edge = room.bottom() - height;
  const Box seen = intersection(thing, room);
  if (seen.empty()) return {right_edge, room.y, width, height};
  const float y = std::clamp(seen.centre().y - height / 3, room.y, low_edge);
  if (seen.right() + gap <= right_edge) return {seen.right() + gap, y, width, height};
  if (seen.x - gap - width >= room.x) return {seen.x - gap - width, y, width, height};
  const float x = std::clamp(seen.centre().x - width / 2, room.x, right_edge);
  if (seen.bottom() + gap <= low_edge) return {x, seen.bottom() + gap, width, height};
  if (seen.y - gap - height >= room.y) return {x, seen.y - gap - height, width, height};
  return {seen.centre().x < room.centre().x ? right_edge : room.x, y, width, height};
}

}  // namespace warplens
