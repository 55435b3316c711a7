#include "app/widgets/list_row.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/state/frame/commands.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

void draw_bar(ImVec2 at, float width, float share) {
  const Palette& p = look().palette;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float height = scaled(3), round = scaled(1.5f), done = width * std::clamp(share, 0.0f, 1.0f);
  draw->AddRectFilled(at, {at.x + width, at.y + height}, colour(p.line), round);
  if (done > 0)
    draw->AddRectFilled(at, {at.x + done, at.y + height}, colour(share >= 1 ? p.right : p.accent), round);
}

}  // namespace

bool draw_list_row(const std::string& id, const ListRow& row) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, pad = scaled(9), number = scaled(34);
  const float title_height = ImGui::GetTextLineHeight();
  const float beside = text_width(row.beside) + 2 * pad;
  const float room = width - number - 2 * pad;
  const float about = size_of_words(row.about, room).y;
  const float height = title_height + about + 2 * pad + (row.share >= 0 ? scaled(8) : 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
  const bool lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  draw->AddRectFilled(at, end, colour(lit ? mix(p.raised, p.accent, 0.12) : p.panel), scaled(6));
  if (row.next || lit) draw->AddRect(at, end, colour(p.accent), scaled(6), 0, scaled(1.5f));
  const float x = at.x + number + pad, y = at.y + pad;
  draw->AddText({at.x + pad, y}, colour(p.quiet), row.number.c_str());
  ImGui::PushFont(look().strong, 0.0f);
  draw->AddText({x, y}, colour(p.text),
                cut_to(row.title, width - number - pad - beside, look().strong).c_str());
  ImGui::PopFont();
  draw->AddText({end.x - beside + pad, y}, colour(row.next ? p.accent : p.quiet), shown(row.beside).c_str());
  draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {x, y + title_height + scaled(2)}, colour(p.quiet),
                shown(row.about).c_str(), nullptr, room);
  if (row.share >= 0) draw_bar({x, end.y - pad}, end.x - pad - x, row.share);
  return pressed;
}

void progress_bar(float share, float width) {
  draw_bar(ImGui::GetCursorScreenPos(), width, share);
  ImGui::Dummy({width, scaled(3)});
}

bool search_field(const char* id, const char* hint, std::string& typed) {
  if (ImGui::IsWindowAppearing()) {
    typed.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().palette.panel));
  const bool entered =
      ImGui::InputTextWithHint(id, shown(hint).c_str(), &typed, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleColor();
  return entered;
}

bool is_found(const std::string& typed, const std::string& text) {
  return typed.empty() || match_score(text, typed) > 0;
}

}  // namespace warplens
