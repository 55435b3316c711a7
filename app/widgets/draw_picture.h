// Draws pictures in the window: the same shapes that are written to files, on an ImGui draw list.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "app/widgets/texture.h"

namespace warplens {

// The colours, text size and fonts of the window, for the layout of pictures.
Style window_style();

// Draws with the picture's origin at `origin` (screen pixels).
void draw_picture(const Picture& picture, ImVec2 origin, ImDrawList& list, TextureCache& textures);

// Makes items from the picture's areas, with hover texts; those with a click can be clicked and reached by
// the keyboard. Returns what was clicked. `focused` gets the area that the keyboard is on.
Click picture_areas(const Picture& picture, ImVec2 origin, const Area** focused = nullptr);

constexpr float wheel_factor = 1.2f;  // change of the zoom for each step of the wheel

// An item over a part of the picture that handles the pointer: wheel, drag, clicks.
struct Canvas {
  bool hovered = false, clicked = false, double_clicked = false;
  Point at;          // of the pointer, in the picture
  Point dragged;     // since the last frame, with the left button
  Point pressed_at;  // where the button went down
  float wheel = 0;   // notches; positive is away from the user
};
Canvas canvas_item(const char* id, Box box, ImVec2 origin);

}  // namespace warplens
