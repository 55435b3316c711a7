#include "app/widgets/look.h"

#include <algorithm>

namespace warplens {

const Look& look() { return *static_cast<const Look*>(ImGui::GetIO().UserData); }

ImU32 colour(uint32_t rgb, float alpha) { return ImGui::ColorConvertFloat4ToU32(colour_vec(rgb, alpha)); }

ImVec4 colour_vec(uint32_t rgb, float alpha) {
  const auto channel = [&](int shift) { return static_cast<float>(rgb >> shift & 255) / 255.0f; };
  return {channel(16), channel(8), channel(0), alpha};
}

float projector_scale(float text_scale, float height) {
  // 22 px in a window of 720 lines, and at most as much as leaves 22 lines.
  constexpr float lines_of_size_one = 576, lines_of_largest = 400;
  return std::min(text_scale * height / lines_of_size_one, height / lines_of_largest);
}

float scaled(float length) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return length * style.FontScaleMain * style.FontScaleDpi;
}

}  // namespace warplens
