// How a state looks: by its colour and, as not everybody sees colours, by its height, its lines and its
// letter.
#pragma once

#include "app/base/draw/parts.h"
#include "app/base/work_colours.h"
#include "core/launch/warp_states.h"

namespace warplens {

struct SmLook {
  uint32_t colour;
  float height;  // of the row
  bool hatched = false, hollow = false;
};
// Waiting for a thing, and for room in the queue to it, have one colour.
constexpr SmLook sm_look(WarpState state) {
  constexpr uint32_t issues = colour_of(WorkKind::kernel), memory = colour_of(WorkKind::copy_in),
                     shared = colour_of(WorkKind::copy_out), units = colour_of(WorkKind::copy_inside),
                     barrier = colour_of(WorkKind::launch), other = colour_of(WorkKind::host);
  switch (state) {
    case WarpState::selected:
      return {issues, 1};
    case WarpState::not_selected:
      return {issues, 0.8f, false, true};
    case WarpState::wait:
      return {other, 0.45f};
    case WarpState::long_scoreboard:
      return {memory, 0.72f};
    case WarpState::short_scoreboard:
      return {shared, 0.72f};
    case WarpState::math_pipe_throttle:
      return {units, 0.72f};
    case WarpState::mio_throttle:
      return {shared, 0.72f, true};
    case WarpState::lg_throttle:
      return {memory, 0.72f, true};
    case WarpState::barrier:
      return {barrier, 0.72f, true};
    case WarpState::drain:
      return {other, 0.72f, false, true};
    case WarpState::branch_resolving:
      return {other, 0.45f, true};
  }
  return {other, 1};
}

}  // namespace warplens
