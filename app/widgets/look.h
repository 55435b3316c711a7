// Colours and fonts of the window, for panels. Kept in the ImGui context (ImGuiIO::UserData), so that there
// is no global state and a test may open a second window.
#pragma once

#include <imgui.h>

#include "app/base/palette.h"

namespace warplens {

// Letters of 15 px (their em) stand in lines of 18: Dear ImGui's size of a font is that of its line.
constexpr float line_share = 1.2f;
// Lines at 100 % text; ImGui scales them.
constexpr float body_size = 15 * line_share, small_size = 13 * line_share, title_size = 19 * line_share,
                figure_size = 30 * line_share;

struct Look {
  Palette palette{};
  Theme theme = Theme::dark;
  bool reduce_motion = false;
  ImFont* words = nullptr;   // Inter regular
  ImFont* strong = nullptr;  // Inter semi-bold: headings, figures
  ImFont* mono = nullptr;    // JetBrains Mono: code, indices, amounts
};

// Of the current ImGui context; the window sets it before the first frame.
const Look& look();

// 0xRRGGBB as ImGui wants it.
ImU32 colour(uint32_t rgb, float alpha = 1.0f);
ImVec4 colour_vec(uint32_t rgb, float alpha = 1.0f);
// A length of the 100 % design at today's text size.
float scaled(float length);

}  // namespace warplens
