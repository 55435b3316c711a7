// Pictures in the window: the same list of shapes that files are written from, on an ImGui draw list.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/draw/picture.h"
#include "app/draw/style.h"
#include "app/widgets/texture.h"

namespace warplens {

// Colours, text size and fonts of the window, for laying pictures out.
Style window_style();

// Draws with the picture's origin at `origin` (screen pixels).
void draw_picture(const Picture& picture, ImVec2 origin, ImDrawList& list, TextureCache& textures);

// The picture's areas as items: hints under the pointer, ids that can be clicked and reached by the keyboard.
// Returns the id that was activated; empty: none.
std::string picture_areas(const Picture& picture, ImVec2 origin);
// Of an area's id "warp:3" and the prefix "warp:" the 3; empty where the id is another one.
std::optional<uint64_t> number_after(const std::string& id, std::string_view prefix);

constexpr float wheel_factor = 1.2f;  // of the zoom, for each step of the wheel

// An item over a part of the picture that takes the pointer: wheel, drag, clicks.
struct Canvas {
  bool hovered = false, clicked = false, double_clicked = false;
  Point at;          // of the pointer, in the picture
  Point dragged;     // since the last frame, with the left button
  Point pressed_at;  // where the button went down
  float wheel = 0;   // notches, away from the user is positive
};
Canvas canvas_item(const char* id, Box box, ImVec2 origin);

}  // namespace warplens
