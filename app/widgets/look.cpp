#include "app/widgets/look.h"

namespace warplens {

const Look& look() { return *static_cast<const Look*>(ImGui::GetIO().UserData); }

ImU32 colour(uint32_t rgb, float alpha) { return ImGui::ColorConvertFloat4ToU32(colour_vec(rgb, alpha)); }

ImVec4 colour_vec(uint32_t rgb, float alpha) {
  const auto channel = [&](int shift) { return static_cast<float>(rgb >> shift & 255) / 255.0f; };
  return {channel(16), channel(8), channel(0), alpha};
}

float scaled(float length) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return length * style.FontScaleMain * style.FontScaleDpi;
}

}  // namespace warplens
