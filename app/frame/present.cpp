#include "app/frame/present.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/frame/present_bar.h"
#include "app/frame/strips.h"
#include "app/frame/veil.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

// Everything in this part of the screen but a circle around the pointer is a little darker.
void draw_spotlight(ImVec2 part) {
  const ImVec2 mouse = ImGui::GetIO().MousePos, room = ImGui::GetMainViewport()->Size;
  if (!ImGui::IsMousePosValid(&mouse)) return;
  ImDrawList* draw = ImGui::GetForegroundDrawList();
  const ImDrawListFlags flags = draw->Flags;
  draw->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // it would leave seams between the parts of the ring
  draw->PushClipRect({0, 0}, part);
  const float inner = scaled(90), outer = room.x + room.y;
  constexpr int parts = 96;
  const auto at = [&](int i, float radius) {
    const float angle = 2 * 3.14159265f * float(i) / parts;
    return ImVec2(mouse.x + radius * std::cos(angle), mouse.y + radius * std::sin(angle));
  };
  for (int i = 0; i < parts; ++i) {
    draw->AddQuadFilled(at(i, inner), at(i, outer), at(i + 1, outer), at(i + 1, inner),
                        colour(0x000000, 0.3f));
  }
  draw->PopClipRect();
  draw->Flags = flags;
}

// Text that the last row reads: 28 px on a screen of 1080 lines.
constexpr float large_em = 28;

float large_size() {
  const float lines = ImGui::GetMainViewport()->Size.y / 1080;
  return large_em * line_share * lines / (projector_scale * ImGui::GetStyle().FontScaleDpi);
}

void large_mono(const std::string& words, uint32_t rgb) {
  ImGui::PushFont(look().mono, large_size());
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void draw_formula(const PresentCard& card) {
  const Palette& p = look().palette;
  if (!card.formula.empty()) heading("How its index came about");
  for (const FormulaLine& line : card.formula) {
    large_mono(line.line, p.text);
    if (line.value) large_mono("= " + line.with_numbers + " = " + std::to_string(*line.value), p.accent);
  }
}

void draw_card(const PresentCard& card) {
  heading(card.brief.heading);
  draw_brief_values(card.brief);
  std::string where;
  for (const std::string& line : card.brief.lines) where += (where.empty() ? "" : " · ") + line;
  mono_text_wrapped(where, look().palette.quiet);
  ImGui::Dummy({0, scaled(2)});
  draw_formula(card);
  if (card.code.empty()) return;
  ImGui::Dummy({0, scaled(2)});
  heading("Line " + std::to_string(card.line));
  large_mono(card.code, look().palette.text);
}

// Made anew when something else is pinned, or its block has been replayed.
const PresentCard& card_of(const AppState& state, PresentCardMemory& memory) {
  const Pick& pick = state.selection.pinned;
  const bool same = memory.result == state.runs.result && memory.footprint == state.footprint.replayed &&
                    memory.pick == pick;
  if (!same) memory = {state.runs.result, state.footprint.replayed, pick, present_card(state)};
  return memory.card;
}

// The right part of the screen, while something is pinned that the view shows.
void draw_pinned_card(const PresentCard& card, Box place) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  push_card_look();
  ImGui::Begin("##present_card", nullptr, card_flags);
  pop_card_look();
  if (ImGui::IsWindowAppearing()) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  draw_card(card);
  ImGui::End();
}

// A lesson keeps its strip at the left. Returns its width.
float draw_lesson_beside(const AppState& state, FrameMemory& memory, ImVec2 room, Actions& actions) {
  if (!state.lesson.is_open() || state.frame.blank) return 0;
  const float width = std::min(room.x * 0.38f, scaled(440));
  draw_strip("##present_lesson", {0, 0}, {width, room.y}, scaled(12),
             [&] { memory.panels[View::launch].draw(state, actions); });
  return width;
}

}  // namespace

void draw_present(const AppState& state, FrameMemory& memory, Actions& actions) {
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(room);
  keep_spaces_alive();
  note_inspector(state, memory);
  ViewPanel& panel = memory.panels[state.frame.view];
  const bool hidden = !veiled_because(state, View::inspector).empty();
  const bool with_card = !state.frame.blank && !hidden && memory.inspector_shown && panel.shows_pins();
  Box card;
  const float strip = draw_lesson_beside(state, memory, room, actions);
  draw_strip("##present", {strip, 0}, {room.x - strip, room.y}, scaled(12), [&] {
    if (with_card) card = keep_room_for_card(0.42f);
    if (state.frame.blank) {
      ImGui::GetWindowDrawList()->AddRectFilled({0, 0}, room, colour(0x000000));
    } else {
      const std::string veil = veiled_because(state, state.frame.view);
      veil.empty() ? panel.draw(state, actions) : draw_veil(state, state.frame.view, veil, actions);
    }
    draw_dialogs(state, memory.dialogs, actions);
  });
  if (with_card) draw_pinned_card(card_of(state, memory.present_card), card);
  if (!state.frame.blank) {
    if (!hidden) draw_hover_card(state, {0, 0, room.x, room.y}, memory.hover_card);
    const float bar = draw_present_bar(state, memory.present_bar, actions);
    if (state.frame.preferences.spotlight) draw_spotlight({with_card ? card.x : room.x, bar});
  }
  memory.focused.reset();  // the tab comes to the front again afterwards
}

}  // namespace warplens
