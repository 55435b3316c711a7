#include "app/widgets/look.h"

#include <algorithm>

namespace warplens {

const Look& look() { return *static_cast<const Look*>(ImGui::GetIO().UserData); }

ImU32 colour(uint32_t rgb, float alpha) { return ImGui::ColorConvertFloat4ToU32(colour_vec(rgb, alpha)); }

ImVec4 colour_vec(uint32_t rgb, float alpha) {
  const auto channel = [&](int shift) { return static_cast<float>(rgb >> shift & 255) / 255.0f; };
  return {channel(16), channel(8), channel(0), alpha};
}

// A text of this scale leaves 22 lines.
static float largest_scale(float lines) { return std::max(lines / 400, 1.0f); }

float projector_scale(float text_scale, float lines) {
  return std::min(text_scale * lines / 576, largest_scale(lines));  // 22 px in a window of 720 lines
}

float reading_scale(float text_scale, float lines) { return std::min(text_scale, largest_scale(lines)); }

float scaled(float length) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return length * style.FontScaleMain * style.FontScaleDpi;
}

}  // namespace warplens
