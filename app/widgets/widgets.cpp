#include "app/widgets/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/widgets/words.h"
#include "core/base/text.h"

namespace warplens {
namespace {

void text(ImFont* font, float size, uint32_t rgb, std::string_view words, bool wrapped) {
  ImGui::PushFont(font, size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  if (wrapped) ImGui::PushTextWrapPos(0.0f);
  const std::string said = font == look().mono ? shown_amount(words) : shown(words);
  ImGui::TextUnformatted(said.data(), said.data() + said.size());
  if (wrapped) ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

uint32_t source_colour(Provenance source) {
  const Palette& p = look().palette;
  switch (source) {
    case Provenance::measured:
      return p.measured;
    case Provenance::counted:
      return p.counted;
    case Provenance::derived:
      return p.derived;
    case Provenance::modelled:
      return p.modelled;
  }
  return p.quiet;
}

uint32_t level_colour(ProblemLevel level) {
  const Palette& p = look().palette;
  switch (level) {
    case ProblemLevel::fault:
    case ProblemLevel::error:
      return p.fault;
    case ProblemLevel::finding:
    case ProblemLevel::warning:
      return p.warning;
    case ProblemLevel::note:
      return p.accent;
  }
  return p.quiet;
}

std::string capitals(std::string_view words) {
  std::string result = shown(words);
  bool latin = false;  // after the first byte of ä, é, ø …, whose capitals are 0x20 before them
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if (latin && byte >= 0xA0 && byte != 0xB7 && byte != 0xBF)
      c = static_cast<char>(byte - 0x20);
    else if (byte < 0x80)
      c = static_cast<char>(std::toupper(byte));
    latin = byte == 0xC3;
  }
  shown_already(result);
  return result;
}

}  // namespace

void heading(std::string_view words) {
  ImGui::Dummy({0, scaled(2)});
  text(look().strong, small_size, look().palette.quiet, capitals(words), true);
}

float heading_width(std::string_view words) {
  ImGui::PushFont(look().strong, small_size);
  const float width = ImGui::CalcTextSize(capitals(words).c_str()).x;
  ImGui::PopFont();
  return width;
}

void title(std::string_view words) { text(look().strong, title_size, look().palette.text, words, true); }

void quiet_text(std::string_view words) { text(look().words, body_size, look().palette.quiet, words, true); }

void small_text(std::string_view words) { text(look().words, small_size, look().palette.quiet, words, true); }

void body_text(std::string_view words) { text(look().words, body_size, look().palette.text, words, true); }

void mono_text(std::string_view code) { mono_text(code, look().palette.text); }

void mono_text(std::string_view code, uint32_t rgb) { text(look().mono, body_size, rgb, code, false); }

void mono_text_wrapped(std::string_view code, uint32_t rgb) { text(look().mono, body_size, rgb, code, true); }

static float width_as_it_is(const std::string& words, ImFont* font) {
  if (font != nullptr) ImGui::PushFont(font, 0.0f);
  const float width = ImGui::CalcTextSize(words.c_str()).x;
  if (font != nullptr) ImGui::PopFont();
  return width;
}

static std::string said_in(const std::string& words, ImFont* font) {
  return (font != nullptr ? font : ImGui::GetFont()) == look().mono ? shown_amount(words) : shown(words);
}

float text_width(const std::string& words, ImFont* font) {
  return width_as_it_is(said_in(words, font), font);
}

std::string cut_to(std::string words, float room, ImFont* font) {
  if (text_width(words, font) <= room) return words;
  words = said_in(words, font);
  while (!words.empty() && width_as_it_is(words + "…", font) > room) remove_last_letter(words);
  words += "…";
  shown_already(words);
  return words;
}

bool clicked_here() {
  constexpr double while_s = 6;
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 away{io.MousePos.x - io.MouseClickedPos[0].x, io.MousePos.y - io.MouseClickedPos[0].y};
  return io.MouseClickedTime[0] > 0 && ImGui::GetTime() - io.MouseClickedTime[0] < while_s &&
         std::hypot(away.x, away.y) < scaled(24);
}

void hover_text(std::string_view words) {
  // Of what the pointer is on: the keyboard's focus stays where it was, and a tip there would cover something
  // else.
  if (words.empty() || clicked_here() ||
      !ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_NoNavOverride))
    return;
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushTextWrapPos(std::min(scaled(420), ImGui::GetMainViewport()->Size.x * 0.6f));
  show_words(words);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void source_tag(Provenance source, std::string_view hover) {
  const uint32_t rgb = source_colour(source);
  const Palette& p = look().palette;
  const std::string word = shown(source_words(source));
  ImGui::PushFont(look().words, small_size);
  const ImVec2 size = ImGui::CalcTextSize(word.c_str());
  const ImVec2 padding{scaled(6), scaled(1)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({size.x + 2 * padding.x, size.y + 2 * padding.y});
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const uint32_t ground = mix(p.panel, rgb, 0.16);
  draw->AddRectFilled(at, {at.x + size.x + 2 * padding.x, at.y + size.y + 2 * padding.y}, colour(ground),
                      scaled(4));
  draw->AddText({at.x + padding.x, at.y + padding.y}, colour(readable(rgb, ground, p.text)), word.c_str());
  ImGui::PopFont();
  hover_text(hover);
}

float chip_width(std::string_view label) {
  return size_of_words(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

bool chip(std::string_view label, bool chosen, bool enabled) {
  const Palette& p = look().palette;
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, scaled(1));
  ImGui::PushStyleColor(ImGuiCol_Border, colour(chosen ? p.accent : p.line));
  ImGui::PushStyleColor(ImGuiCol_Button, colour(chosen ? mix(p.raised, p.accent, 0.16) : p.raised));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(chosen ? p.accent : p.text));
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(shown_label(label).c_str());
  ImGui::EndDisabled();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar();
  return pressed;
}

static float segment_width(const Segment& segment) { return size_of_words(segment.label).x + 2 * scaled(10); }

float segmented_width(std::span<const Segment> segments) {
  float width = 0;
  for (const Segment& segment : segments) width += segment_width(segment);
  return width;
}

std::optional<size_t> segmented(std::span<const Segment> segments) {
  const Palette& p = look().palette;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end{at.x + segmented_width(segments), at.y + ImGui::GetFrameHeight()};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float round = ImGui::GetStyle().FrameRounding;
  draw->AddRectFilled(at, end, colour(p.raised), round);
  draw->AddRect(at, end, colour(p.line), round, 0, scaled(1));
  std::optional<size_t> pressed;
  ImGui::PushStyleColor(ImGuiCol_Button, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  for (size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    if (i > 0) ImGui::SameLine(0, 0);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float width = segment_width(segment), inset = scaled(2);
    if (segment.chosen)
      draw->AddRectFilled({from.x + inset, from.y + inset}, {from.x + width - inset, end.y - inset},
                          colour(mix(p.panel, p.accent, 0.22)), round);
    ImGui::PushStyleColor(ImGuiCol_Text, colour(segment.chosen ? p.accent : p.text));
    ImGui::BeginDisabled(!segment.enabled);
    if (ImGui::Button(shown_label(segment.label).c_str(), {width, 0})) pressed = i;
    ImGui::EndDisabled();
    ImGui::PopStyleColor();
  }
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return pressed;
}

static float box_side() { return std::round(ImGui::GetFontSize() * 0.8f); }

float on_off_width(std::string_view label) { return chip_width(label) + box_side() + scaled(6); }

bool on_off(std::string_view label, bool on, bool enabled) {
  const Palette& p = look().palette;
  const std::string id = shown_label(label);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = on_off_width(label), height = ImGui::GetFrameHeight(), side = box_side();
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, scaled(1));
  ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {1, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_Border, colour(p.line));
  ImGui::PushStyleColor(ImGuiCol_Button, colour(p.raised));
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(id.c_str(), {width, 0});
  ImGui::EndDisabled();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 box{at.x + ImGui::GetStyle().FramePadding.x, std::round(at.y + (height - side) * 0.5f)};
  const float alpha = enabled ? 1 : 0.5f;
  if (on) draw->AddRectFilled(box, {box.x + side, box.y + side}, colour(p.accent, alpha), scaled(3));
  draw->AddRect(box, {box.x + side, box.y + side}, colour(on ? p.accent : p.quiet, alpha), scaled(3), 0,
                scaled(1));
  if (on) {
    const ImVec2 tick[] = {{box.x + side * 0.2f, box.y + side * 0.5f},
                           {box.x + side * 0.42f, box.y + side * 0.74f},
                           {box.x + side * 0.82f, box.y + side * 0.26f}};
    draw->AddPolyline(tick, 3, colour(p.panel, alpha), 0, scaled(1.6f));
  }
  return pressed;
}

bool main_button(std::string_view label, bool enabled) {
  const Palette& p = look().palette;
  ImGui::PushStyleColor(ImGuiCol_Button, colour(p.action));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour(mix(p.action, p.on_action, 0.15)));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(p.on_action));
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(shown_label(label).c_str());
  ImGui::EndDisabled();
  ImGui::PopStyleColor(3);
  return pressed;
}

void wrap_before(float width) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float next = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
  if (next <= right) ImGui::SameLine();
}

bool link(std::string_view label) {
  const Palette& p = look().palette;
  const std::string id = shown_label(label);
  const std::string shown = id.substr(0, id.find("##"));
  ImGui::PushTextWrapPos(0.0f);
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 size = ImGui::CalcTextSize(shown.c_str(), nullptr, false, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  const bool lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const uint32_t rgb = lit ? mix(p.accent, p.text, 0.45) : p.accent;
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, colour(rgb), shown.c_str(),
                                      nullptr, width);
  ImGui::PopTextWrapPos();
  return pressed;
}

void begin_card(std::string_view id, uint32_t edge_rgb) {
  const Palette& p = look().palette;
  ImGui::PushStyleColor(ImGuiCol_ChildBg,
                        colour(mix(p.panel, edge_rgb, look().theme == Theme::dark ? 0.08 : 0.10)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(14), scaled(9)});
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, scaled(5));
  ImGui::BeginChild(std::string(id).c_str(), {0, 0},
                    ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(min, {min.x + scaled(4), min.y + size.y}, colour(edge_rgb),
                                            scaled(5), ImDrawFlags_RoundCornersLeft);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {scaled(6), scaled(3)});
}

void end_card() {
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

void swatch(uint32_t rgb, float size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({size, size});
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size}, colour(rgb), scaled(5));
  ImGui::GetWindowDrawList()->AddRect(at, {at.x + size, at.y + size}, colour(look().palette.line), scaled(5));
}

// A tick or a cross on a ground of its own, so that it is seen on any colour.
static void answer_badge(ImDrawList* draw, ImVec2 at, float side, bool wrong) {
  const uint32_t ground = wrong ? look().palette.warning : look().palette.right;
  draw->AddRectFilled(at, {at.x + side, at.y + side}, colour(ground), scaled(3));
  const float thick = std::max(side * 0.14f, 1.5f);
  const ImU32 ink = colour(ink_on(ground));
  const auto in = [&](float x, float y) { return ImVec2{at.x + side * x, at.y + side * y}; };
  if (wrong) {
    draw->AddLine(in(0.27f, 0.27f), in(0.73f, 0.73f), ink, thick);
    draw->AddLine(in(0.73f, 0.27f), in(0.27f, 0.73f), ink, thick);
  } else {
    const ImVec2 tick[] = {in(0.22f, 0.52f), in(0.42f, 0.72f), in(0.78f, 0.28f)};
    draw->AddPolyline(tick, 3, ink, ImDrawFlags_None, thick);
  }
}

void click_mark(ImVec2 min, ImVec2 max, bool wrong) {
  const float height = max.y - min.y, font = ImGui::GetFontSize();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  min = {min.x + 1, min.y + 1};
  max = {max.x - 1, max.y - 1};
  draw->AddRect(min, max, colour(wrong ? look().palette.warning : look().palette.right), scaled(3), 0,
                scaled(2.5f));
  answer_badge(draw, min, std::clamp(height * 0.34f, font * 0.6f, font * 1.4f), wrong);
}

void level_glyph(ProblemLevel level) {
  const float size = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 middle{at.x + size * 0.5f, at.y + size * 0.55f};
  const float r = size * 0.36f;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 ink = colour(level_colour(level)), paper = colour(look().palette.panel);
  ImGui::Dummy({size, size});
  if (level == ProblemLevel::fault) {
    draw->AddCircleFilled(middle, r, ink);
    const float d = r * 0.45f;
    draw->AddLine({middle.x - d, middle.y - d}, {middle.x + d, middle.y + d}, paper, scaled(1.6f));
    draw->AddLine({middle.x - d, middle.y + d}, {middle.x + d, middle.y - d}, paper, scaled(1.6f));
  } else if (level == ProblemLevel::note) {
    draw->AddCircle(middle, r, ink, 0, scaled(1.6f));
    draw->AddLine({middle.x, middle.y}, {middle.x, middle.y + r * 0.55f}, ink, scaled(1.6f));
    draw->AddCircleFilled({middle.x, middle.y - r * 0.45f}, scaled(1.1f), ink);
  } else if (level == ProblemLevel::error) {
    draw->AddRectFilled({middle.x - r, middle.y - r}, {middle.x + r, middle.y + r}, ink, scaled(2));
    draw->AddLine({middle.x, middle.y - r * 0.6f}, {middle.x, middle.y + r * 0.15f}, paper, scaled(1.6f));
    draw->AddCircleFilled({middle.x, middle.y + r * 0.6f}, scaled(1.1f), paper);
  } else {
    draw->AddTriangleFilled({middle.x, middle.y - r}, {middle.x + r * 1.1f, middle.y + r * 0.9f},
                            {middle.x - r * 1.1f, middle.y + r * 0.9f}, ink);
    draw->AddLine({middle.x, middle.y - r * 0.35f}, {middle.x, middle.y + r * 0.3f}, paper, scaled(1.6f));
    draw->AddCircleFilled({middle.x, middle.y + r * 0.62f}, scaled(1.0f), paper);
  }
}

float drop_down_arrow_room() { return scaled(16); }

void drop_down_arrow(ImDrawList* draw, ImVec2 min, ImVec2 max) {
  const float x = max.x - drop_down_arrow_room() + scaled(2), y = (min.y + max.y) * 0.5f, d = scaled(4);
  draw->AddTriangleFilled({x - d, y - d * 0.6f}, {x + d, y - d * 0.6f}, {x, y + d * 0.8f},
                          colour(look().palette.quiet));
}

bool begin_drop_down(const char* id, const std::string& shown) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + ImGui::CalcItemWidth(), min.y + ImGui::GetFrameHeight()};
  const float room = max.x - min.x - drop_down_arrow_room() - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string words = warplens::shown(cut_to(shown, room));
  const bool open = ImGui::BeginCombo(id, words.c_str(), ImGuiComboFlags_NoArrowButton);
  drop_down_arrow(draw, min, max);
  return open;
}

static const char* const typed_into_mark = "typed into";

void mark_as_typed_into(ImGuiWindow& window, bool typed_into) {
  window.StateStorage.SetBool(ImHashStr(typed_into_mark), typed_into);
}

bool is_typing() {
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  return ImGui::GetIO().WantTextInput || (focused != nullptr && focused->WasActive &&
                                          focused->StateStorage.GetBool(ImHashStr(typed_into_mark)));
}

}  // namespace warplens
