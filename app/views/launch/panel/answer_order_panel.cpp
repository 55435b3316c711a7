#include "app/views/launch/panel/answer_widgets_panel.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/views/launch/lesson_words.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

// The grip at the left of a row that can be dragged.
void draw_grip(ImDrawList* draw, ImVec2 at, float height) {
  for (const float y : {-1.0f, 0.0f, 1.0f})
    for (const float x : {0.0f, 1.0f})
      draw->AddCircleFilled({at.x + scaled(8 + 6 * x), at.y + height / 2 + scaled(6 * y)}, scaled(1.6f),
                            colour(look().palette.quiet));
}

// Many rows lie closely, so that they are seen together.
constexpr size_t most_loose_rows = 8;

// Returns by how many places the row is to move: by a drag past its neighbour, or by Alt and an arrow.
int draw_item_row(const markdown::Spans& words, size_t place, bool fixed, bool close) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, pad = scaled(close ? 3 : 7);
  const float room = width - scaled(33), text = height_of_spans(words, room);
  const float height = text + 2 * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = fmt::format("##item_{}", place);
  ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
  const bool active = ImGui::IsItemActive(), focused = ImGui::IsItemFocused();
  int by = 0;
  if (!fixed && active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
    const float y = ImGui::GetMousePos().y;
    if (y < at.y) by = -1;
    if (y > at.y + height) by = 1;
  }
  if (!fixed && focused && ImGui::GetIO().KeyAlt) {
    // The arrows move the row, not the focus.
    const ImGuiID owner = ImGui::GetItemID();
    ImGui::SetKeyOwner(ImGuiKey_UpArrow, owner);
    ImGui::SetKeyOwner(ImGuiKey_DownArrow, owner);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) by = -1;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) by = 1;
  }
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  draw->AddRectFilled(at, end, colour(active ? mix(p.raised, p.accent, 0.18) : p.raised), scaled(5));
  draw->AddRect(at, end, colour(focused || active ? p.accent : p.line), scaled(5), 0, scaled(1));
  if (!fixed) draw_grip(draw, at, height);
  const ImVec2 after = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos({at.x + scaled(26), at.y + (height - text) / 2});
  ImGui::BeginGroup();
  draw_spans(words, room);
  ImGui::EndGroup();
  ImGui::SetCursorPos(after);
  ImGui::Dummy({0, 0});
  return by;
}

}  // namespace

void draw_order(const AnswerInput& input, QuestionsState& own, Actions& actions) {
  const bool settled = input.own.settled();
  const auto* answer = std::get_if<lesson::OrderAnswer>(&input.own.answer);
  std::vector<uint32_t>& items = own.orders[input.index];
  if (items.empty()) items = lesson::offered_order(input.question, 1);
  if (settled && answer != nullptr) items = answer->items;
  if (!settled)
    small_text(std::string(input.question.items.empty() || input.question.items.front().value.empty()
                               ? "First at the top."
                           : input.question.largest_first ? "Largest at the top."
                                                          : "Smallest at the top.") +
               " Drag the rows, or move one with Alt and the arrow keys.");
  const bool close = items.size() > most_loose_rows;
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, close ? scaled(2) : ImGui::GetStyle().ItemSpacing.y);
  for (size_t place = 0; place < items.size(); ++place) {
    const markdown::Spans words =
        markdown::read_line(filled_text(input.state, input.question.items[items[place]].text.text));
    const int by = draw_item_row(words, place, settled, close);
    const auto to = static_cast<std::ptrdiff_t>(place) + by;
    if (by == 0 || to < 0 || to >= std::ssize(items)) continue;
    std::swap(items[place], items[static_cast<size_t>(to)]);
    // What is dragged or has the keys goes with its row.
    const std::string next = fmt::format("##item_{}", to);
    ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiID id = ImGui::GetID(next.c_str());
    if (g.ActiveId != 0) g.ActiveId = id;
    ImGui::SetFocusID(id, ImGui::GetCurrentWindow());
    break;
  }
  ImGui::PopStyleVar();
  if (!settled && main_button(give_label(input.question)))
    give(input.index, lesson::OrderAnswer{items}, actions);
}

}  // namespace warplens
