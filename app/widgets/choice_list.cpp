#include "app/widgets/choice_list.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

int first_mark(const std::vector<ChoiceRow>& rows, const std::string& typed) {
  const auto current = std::ranges::find_if(rows, &ChoiceRow::current);
  return typed.empty() && current != rows.end() ? static_cast<int>(current - rows.begin()) : 0;
}

// Rows that the marker passes in one step. Those that cannot be taken are passed too, but not Enter's.
int steps() {
  constexpr int page = 8;
  int by = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++by;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --by;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) by += page;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) by -= page;
  return by;
}

bool draw_row(const ChoiceRow& row, bool marked, bool scroll) {
  ImGui::BeginDisabled(!row.enabled);
  const bool taken = ImGui::Selectable(shown_label(row.text + "##" + row.id).c_str(), marked,
                                       ImGuiSelectableFlags_NoAutoClosePopups);
  ImGui::EndDisabled();
  if (scroll && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  hover_text(row.hint);
  const float width = size_of_words(row.beside).x, gap = scaled(8);
  const float text = size_of_words(row.text).x;
  if (min.x + text + 2 * gap + width < max.x) {
    ImGui::GetWindowDrawList()->AddText(
        {max.x - width - gap, min.y + (max.y - min.y - ImGui::GetTextLineHeight()) * 0.5f},
        colour(look().palette.quiet), shown(row.beside).c_str());
  }
  if (row.current)  // a bar, as well as the colour
    ImGui::GetWindowDrawList()->AddRectFilled({min.x - scaled(4), min.y}, {min.x - scaled(1), max.y},
                                              colour(look().palette.accent));
  return taken && row.enabled;
}

// The arrows would leave a field of one line if it did not claim them.
int keep_arrows(ImGuiInputTextCallbackData*) { return 0; }

bool draw_field(const ChoiceList& list, ChoiceListState& own) {
  if (ImGui::IsWindowAppearing() || !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().palette.panel));
  const std::string before = own.typed;
  const bool entered = ImGui::InputTextWithHint(
      "##search", shown(list.hint).c_str(), &own.typed,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, keep_arrows);
  ImGui::PopStyleColor();
  if (own.typed != before) own.marked = -1;
  return entered;
}

}  // namespace

std::optional<size_t> draw_choice_list(const ChoiceList& list, ChoiceListState& own) {
  if (ImGui::IsWindowAppearing() && !list.keeps_typed) own = {};
  own.entered = draw_field(list, own);
  const std::vector<ChoiceRow> rows = list.rows(own.typed);
  const int count = static_cast<int>(rows.size()), by = steps();
  const bool moved = by != 0 || own.marked < 0;
  const bool has_mark = own.marked >= 0 || list.marks_first;
  if (own.marked < 0 && has_mark) own.marked = first_mark(rows, own.typed);
  if (has_mark || by != 0) own.marked = std::clamp(own.marked + by, 0, std::max(count - 1, 0));
  std::optional<size_t> taken;
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);  // the field keeps the keyboard
  const float most = list.height > 0 ? list.height : FLT_MAX;
  ImGui::SetNextWindowSizeConstraints({0, list.keeps_height ? most : 0}, {FLT_MAX, most});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(6), scaled(4)});
  ImGui::BeginChild("rows", {0, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  std::string group;
  for (int i = 0; i < count; ++i) {
    const ChoiceRow& row = rows[static_cast<size_t>(i)];
    if (!row.heading.empty() && row.heading != group) heading(row.heading);
    group = row.heading;
    if (draw_row(row, i == own.marked, moved && i == own.marked)) taken = static_cast<size_t>(i);
  }
  if (count == 0) quiet_text(list.nothing);
  ImGui::EndChild();
  ImGui::PopItemFlag();
  if (own.entered && own.marked >= 0 && count > 0 && rows[static_cast<size_t>(own.marked)].enabled)
    taken = static_cast<size_t>(own.marked);
  if (taken) hold_back_keys();
  return taken;
}

void hold_back_keys() {
  const ImGuiID owner = ImHashStr("warplens_closed");
  for (const ImGuiKey key :
       {ImGuiKey_Enter, ImGuiKey_KeypadEnter, ImGuiKey_Space, ImGuiKey_Tab, ImGuiKey_Escape})
    if (ImGui::IsKeyDown(key)) ImGui::SetKeyOwner(key, owner, ImGuiInputFlags_LockUntilRelease);
}

}  // namespace warplens
