#include "app/widgets/fitted.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warplens {
namespace {

// Text of 180 %, the largest where it is needed most, becomes no smaller than text of 90 %.
constexpr float smallest_factor = 0.5f;

}  // namespace

SmallerText::SmallerText(float factor) : m_scale(ImGui::GetStyle().FontScaleMain) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.FontScaleMain = m_scale * factor;
  ImGui::PushFont(nullptr, 0.0f);
  for (const ImGuiStyleVar gap :
       {ImGuiStyleVar_FramePadding, ImGuiStyleVar_ItemSpacing, ImGuiStyleVar_CellPadding}) {
    const auto* now = static_cast<const ImVec2*>(ImGui::GetStyleVarInfo(gap)->GetVarPtr(&style));
    ImGui::PushStyleVar(gap, {now->x * factor, now->y * factor});
  }
}

SmallerText::~SmallerText() {
  ImGui::PopStyleVar(3);
  ImGui::GetStyle().FontScaleMain = m_scale;
  ImGui::PopFont();
}

void FittedText::begin(uint64_t content, float width, float height) {
  const float text = ImGui::GetStyle().FontScaleMain;
  const bool same = std::tie(content, width, height, text) == std::tie(m_content, m_width, m_height, m_text);
  if (same) return;
  m_content = content;
  m_width = width;
  m_height = height;
  m_text = text;
  m_factor = 1;
  m_settled = false;
}

bool FittedText::overflows() const { return m_factor <= smallest_factor && m_needed > m_height; }

// The height falls faster than the factor, since lines hold more words.
void FittedText::note(float needed) {
  m_needed = needed;
  if (needed <= m_height || m_factor <= smallest_factor) {
    m_settled = true;
    return;
  }
  const float step = std::clamp(std::sqrt(m_height / needed), 0.8f, 0.97f);
  m_factor = std::max(m_factor * step, smallest_factor);
}

}  // namespace warplens
