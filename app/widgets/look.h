// The colours and fonts of the window, for panels. They are stored in the ImGui context (ImGuiIO::UserData),
// so that there is no global state and a test can open a second window.
#pragma once

#include <imgui.h>

#include "app/base/palette.h"

namespace warplens {

// Dear ImGui's size of a font is the height of its line: letters of 15 px (their em) need lines of 18 px.
constexpr float line_share = 1.2f;
// Line heights at 100 % text size; ImGui scales them.
constexpr float body_size = 15 * line_share, small_size = 13 * line_share, title_size = 19 * line_share,
                figure_size = 30 * line_share;

// The scale of text in present mode, in a window of this many lines of pixels: it is scaled to the window, so
// that it is read from the last row and the figure has room.
float projector_scale(float text_scale, float lines);
// Beside the text of a lesson or a challenge the figure needs room too: large text grows as far as leaves 22
// lines.
float reading_scale(float text_scale, float lines);

struct Look {
  Palette palette{};
  Theme theme = Theme::dark;
  bool reduce_motion = false;
  ImFont* words = nullptr;   // Inter regular
  ImFont* strong = nullptr;  // Inter semi-bold: headings, figures
  ImFont* mono = nullptr;    // JetBrains Mono: code, indices, amounts
};

// The look of the current ImGui context. The window sets it before the first frame.
const Look& look();

// Converts 0xRRGGBB to ImGui's format.
ImU32 colour(uint32_t rgb, float alpha = 1.0f);
ImVec4 colour_vec(uint32_t rgb, float alpha = 1.0f);
// A length of the 100 % design at the current text size.
float scaled(float length);

}  // namespace warplens
