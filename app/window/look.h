// Colours and fonts of the window, for panels. Kept in the ImGui context (ImGuiIO::UserData), so that there
// is no global state and a test may open a second window.
#pragma once

#include <imgui.h>

#include "app/state/palette.h"

namespace warplens {

// Sizes at 100 % text; ImGui scales them.
constexpr float body_size = 15.0f, small_size = 13.0f, title_size = 19.0f, figure_size = 30.0f;

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
