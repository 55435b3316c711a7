#include "app/window/frame/present.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/present_bar.h"
#include "app/window/frame/strips.h"
#include "app/window/frame/veil.h"

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

// Text that the last row reads: 28 px on a screen of 1080 lines, at 100 % text size.
constexpr float large_em = 28;

float large_size() {
  const float lines = ImGui::GetMainViewport()->Size.y / ImGui::GetStyle().FontScaleDpi;
  return large_em * line_share * lines / 1080 / projector_scale(1, lines);
}

void large_mono(const std::string& words, uint32_t rgb) {
  ImGui::PushFont(look().mono, large_size());
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  ImGui::PushTextWrapPos(0.0f);
  show_words(words);
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

void draw_card_head(const PresentCard& card) {
  heading(card.brief.heading);
  draw_brief_values(card.brief);
  std::string where;
  for (const std::string& line : card.brief.lines) where += (where.empty() ? "" : " · ") + line;
  mono_text_wrapped(where, look().palette.quiet);
}

void draw_card_origin(const PresentCard& card) {
  draw_formula(card);
  if (card.code.empty()) return;
  ImGui::Dummy({0, scaled(2)});
  heading("Line " + std::to_string(card.line));
  large_mono(card.code, look().palette.text);
}

void draw_card(const PresentCard& card) {
  draw_card_head(card);
  ImGui::Dummy({0, scaled(2)});
  draw_card_origin(card);
}

// The card is made again when something else is pinned or its block has been replayed.
const PresentCard& card_of(const AppState& state, PresentCardMemory& memory) {
  const Pick& pick = state.selection.pinned;
  const bool same = memory.result == state.runs.result && memory.footprint == state.footprint.replayed &&
                    memory.pick == pick;
  const bool new_pin = !(memory.pick == pick);
  const bool at_left =
      new_pin ? ImGui::GetMousePos().x > ImGui::GetMainViewport()->Size.x * 0.66f : memory.at_left;
  if (same) return memory.card;
  memory = {state.runs.result, state.footprint.replayed, pick,         present_card(state),
            at_left,           memory.made + 1,          memory.fitted};
  return memory.card;
}

// On one line if there is room for both, else below each other.
void large_pair(const std::string& first, const std::string& second) {
  ImGui::PushFont(look().mono, large_size());
  const float both = text_width(first + " " + second, look().mono);
  ImGui::PopFont();
  const bool fits = both <= ImGui::GetContentRegionAvail().x;
  large_mono(first, look().palette.text);
  if (second.empty()) return;
  if (fits) ImGui::SameLine();
  large_mono(second, look().palette.accent);
}

// Few lines, since the figure above needs the height: what was pinned, how it came about, the line of code.
void draw_card_rows(const PresentCard& card) {
  heading(card.brief.heading);
  draw_brief_values(card.brief);
  std::string where;
  for (const std::string& line : card.brief.lines) where += (where.empty() ? "" : " · ") + line;
  if (!where.empty() && !card.brief.values.empty()) wrap_before(text_width(where, look().mono));
  mono_text_wrapped(where, look().palette.quiet);
  for (const FormulaLine& line : card.formula)
    large_pair(line.line,
               line.value ? "= " + line.with_numbers + " = " + std::to_string(*line.value) : std::string());
  if (card.code.empty()) return;
  ImGui::Dummy({0, scaled(1)});
  small_text("Line " + std::to_string(card.line));
  ImGui::SameLine();
  large_mono(card.code, look().palette.text);
}

// In a lesson it has a place of its own below the figure that the step asks about, and all of it is seen.
void draw_card_below(const PresentCard* card, uint64_t number, Box place, FittedText& fitted) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  push_card_look();
  ImGui::Begin("##present_card", nullptr, card_flags | ImGuiWindowFlags_NoScrollbar);
  pop_card_look();
  const float top = ImGui::GetCursorPosY();
  fitted.begin(number, place.width, place.height - 2 * ImGui::GetStyle().WindowPadding.y - scaled(4));
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, fitted.is_settled() ? 1.0f : 0.001f);
  {
    const SmallerText smaller(fitted.factor());
    if (card != nullptr)
      draw_card_rows(*card);
    else
      quiet_text("What you click is explained here.");
  }
  fitted.note(ImGui::GetCursorPosY() - top);
  ImGui::PopStyleVar();
  ImGui::End();
}

// Over the picture, which stays as it is, at the side where the pointer was not when the pin came.
void draw_pinned_card(const PresentCard& card, bool at_left, Box picture) {
  const float edge = scaled(8), width = std::clamp(scaled(230), picture.width * 0.38f, picture.width * 0.6f);
  const float x = at_left ? picture.x + edge : picture.right() - edge - width;
  ImGui::SetNextWindowPos({x, std::floor(picture.bottom() - edge)}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, picture.height - 2 * edge});
  push_card_look();
  ImGui::Begin("##present_card", nullptr, card_flags | ImGuiWindowFlags_AlwaysAutoResize);
  pop_card_look();
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  draw_card(card);
  ImGui::End();
}

// A lesson or a challenge has its text at the left; the picture keeps at least two thirds.
float text_width_beside(const AppState& state, float room) {
  const bool text = state.lesson.is_open() || state.challenge.is_open();
  return text ? std::floor(room * 0.32f) : 0;
}

// The figure of the view is whole: text and lengths are smaller where it is higher than its place.
void draw_present_view(const AppState& state, FrameMemory& memory, Actions& actions) {
  ViewPanel& panel = memory.panels[state.frame.view];
  const auto part = state.frame.parts.find(state.frame.view);
  const size_t shown = std::hash<std::string>()(part == state.frame.parts.end() ? "" : part->second);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  memory.present_view.begin(shown + static_cast<size_t>(state.frame.view), room.x, room.y + scaled(2));
  const std::string veil = veiled_because(state, state.frame.view);
  const bool scrolls = memory.present_view.overflows();  // it would be too small to read
  if (scrolls) ImGui::BeginChild("scrolled", {0, 0}, ImGuiChildFlags_NavFlattened);
  const float top = ImGui::GetCursorPosY();
  {
    const SmallerText smaller(memory.present_view.factor());
    veil.empty() ? panel.draw(state, actions) : draw_veil(state, state.frame.view, veil, panel, actions);
  }
  memory.present_view.note(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y - top);
  if (scrolls) ImGui::EndChild();
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
  const float bar = present_bar_height(), text = text_width_beside(state, room.x),
              gap = text > 0 ? 6.0f : 0.0f;
  Box picture{text + gap, 0, room.x - text - gap, room.y - bar};
  const float height = picture.height;
  // The place of the card is kept from the start, so that nothing moves when something is clicked.
  const bool card_below = state.lesson.is_open() && !hidden && panel.shows_pins();
  const float card_height = card_below ? std::floor(height * 0.28f) : 0;
  picture.height -= card_height;
  if (text > 0)
    draw_strip("##present_lesson", {0, 0}, {text, height}, scaled(12),
               [&] { memory.panels[View::launch].draw(state, actions); });
  draw_strip("##present", {picture.x, picture.y}, {picture.width, picture.height}, scaled(12), [&] {
    draw_present_view(state, memory, actions);
    draw_dialogs(state, memory.dialogs, actions);
  });
  const bool pinned = !hidden && memory.inspector_shown && panel.shows_pins();
  if (card_below)
    draw_card_below(pinned ? &card_of(state, memory.present_card) : nullptr, memory.present_card.made,
                    {picture.x, picture.bottom() + 4, picture.width, card_height - 4},
                    memory.present_card.fitted);
  else if (pinned)
    draw_pinned_card(card_of(state, memory.present_card), memory.present_card.at_left, picture);
  if (!hidden) draw_hover_card(state, picture, memory.hover_card);
  draw_present_bar(state, {0, height, room.x, bar}, memory.present_bar, actions);
  if (state.frame.preferences.spotlight) draw_spotlight({room.x, height});
  memory.focused.reset();  // the tab comes to the front again afterwards
}

}  // namespace warplens
