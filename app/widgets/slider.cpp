#include "app/widgets/slider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/base/format.h"
#include "app/base/language.h"
#include "app/base/number_words.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

// A logarithmic slider starts at 1. Lower values can be typed.
double track_start(const SliderRow& row) {
  return row.logarithmic && row.whole ? std::max(row.minimum, 1.0) : row.minimum;
}

float share_of(const SliderRow& row) {
  const double low = track_start(row), high = std::max(row.maximum, low + 1e-12);
  const double value = std::clamp(row.value, low, high);
  if (row.logarithmic && low > 0) {
    return static_cast<float>(std::log(value / low) / std::log(high / low));
  }
  return static_cast<float>((value - low) / (high - low));
}

void draw_track(ImVec2 min, ImVec2 max, float share, bool lit) {
  const Palette& p = look().palette;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float radius = std::min(scaled(6), (max.y - min.y) * 0.4f);
  const float y = (min.y + max.y) * 0.5f, half = scaled(2);
  const float left = min.x + radius, right = max.x - radius;
  const float at = left + (right - left) * std::clamp(share, 0.0f, 1.0f);
  draw->AddRectFilled({min.x, y - half}, {max.x, y + half}, colour(p.line), half);
  draw->AddRectFilled({min.x, y - half}, {at, y + half}, colour(p.accent), half);
  const uint32_t knob = look().theme == Theme::dark ? p.text : p.accent;
  draw->AddCircleFilled({at, y}, radius + (lit ? scaled(1) : 0), colour(knob));
}

// The slider behaves like Dear ImGui's, also with the keyboard. Only its look is different.
bool thin_slider(const SliderRow& row, double& value, float width) {
  const ImVec4 none{0, 0, 0, 0};
  for (const ImGuiCol which : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                               ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive}) {
    ImGui::PushStyleColor(which, none);
  }
  ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp;
  if (row.logarithmic && track_start(row) > 0) flags |= ImGuiSliderFlags_Logarithmic;
  ImGui::SetNextItemWidth(width);
  bool changed = false;
  const std::string id = "##slide_" + row.id;
  if (row.whole) {
    auto whole = static_cast<int64_t>(std::llround(row.value));
    const auto low = static_cast<int64_t>(std::llround(track_start(row)));
    const auto high = static_cast<int64_t>(std::llround(row.maximum));
    changed = ImGui::SliderScalar(id.c_str(), ImGuiDataType_S64, &whole, &low, &high, "", flags);
    value = static_cast<double>(whole);
  } else {
    value = row.value;
    changed = ImGui::SliderScalar(id.c_str(), ImGuiDataType_Double, &value, &row.minimum, &row.maximum, "",
                                  flags | ImGuiSliderFlags_NoRoundToFormat);
  }
  ImGui::PopStyleColor(5);
  draw_track(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), share_of(row),
             ImGui::IsItemHovered() || ImGui::IsItemActive());
  return changed;
}

std::string text_of(double value, bool whole) {
  if (!whole) return number_words(value);
  const auto number = static_cast<int64_t>(std::llround(value));
  return (number < 0 ? "-" : "") +
         shown_numbers(
             with_separators(number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number)));
}

float width_of(const std::string& number) {
  ImGui::PushFont(look().mono, body_size);
  const float width = ImGui::CalcTextSize(number.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::PopFont();
  return width;
}

// While it is edited, the box has the text that was typed.
bool number_input(const SliderRow& row, double& value, float width) {
  ImGui::PushFont(look().mono, body_size);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().palette.raised, 0.6f));
  ImGui::SetNextItemWidth(width);
  char text[32] = {};
  text_of(row.value, row.whole).copy(text, sizeof(text) - 1);
  const std::string id = "##number_" + row.id;
  value = row.value;
  bool changed = ImGui::InputText(id.c_str(), text, sizeof(text), ImGuiInputTextFlags_AutoSelectAll);
  const std::optional<double> typed = changed ? number_from(text, row.whole) : std::nullopt;
  changed = typed && *typed != row.value;
  if (changed) value = *typed;
  ImGui::PopStyleColor();
  ImGui::PopFont();
  return changed;
}

void note(SliderChange& change, bool changed, double value) {
  if (changed) {
    change.changed = true;
    change.value = value;
    change.dragging = ImGui::IsItemActive();
  }
  if (ImGui::IsItemDeactivated()) change.ended = true;
}

void label_of(const SliderRow& row) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  row.label_above ? show_wrapped(row.label) : show_words(row.label);
  ImGui::PopStyleColor();
}

// How long a card stays after a number was typed that is too small or too large.
constexpr double limit_s = 4;

// Next to the box, so that neither the number nor the next row is covered.
void draw_limit_card(ImVec2 at, const std::string& words) {
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoInputs |
                                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                     ImGuiWindowFlags_NoFocusOnAppearing;
  ImGui::SetNextWindowPos(at);
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.warning));
  if (ImGui::Begin("##limit", nullptr, flags)) show_words(words);
  ImGui::End();
  ImGui::PopStyleColor();
}

// The typed number, or the nearest that is allowed. The card comes with a number that is not, and goes with
// the next one or by itself.
double within_limits(const SliderRow& row, bool changed, double typed) {
  const double high = std::max({row.maximum, row.minimum, row.largest});
  const double value = std::clamp(typed, row.minimum, high);
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID until = ImGui::GetID(("##limit_" + row.id).c_str()),
                too_large = ImGui::GetID(("##too_large_" + row.id).c_str());
  const double now = ImGui::GetTime();
  if (changed) {
    kept.SetFloat(until, value == typed ? 0.0f : static_cast<float>(now + limit_s));
    kept.SetBool(too_large, typed > high);
  }
  if (double{kept.GetFloat(until)} <= now) return value;
  const ImVec2 corner = ImGui::GetItemRectMax();
  draw_limit_card({corner.x + scaled(12), ImGui::GetItemRectMin().y},
                  kept.GetBool(too_large) ? "The largest is " + text_of(high, row.whole) + "."
                                          : "The smallest is " + text_of(row.minimum, row.whole) + ".");
  return value;
}

// The widths of the boxes of one panel are the same, as far as their numbers allow it. The end of a slider
// that has no label above it moves with its value, so it is left out: the slider must not become shorter
// while it is dragged.
float number_width(const SliderRow& row) {
  float width = std::max(width_of("0,000,000"), width_of(text_of(row.value, row.whole)));
  if (row.whole && row.label_above) width = std::max(width, width_of(text_of(row.maximum, true)));
  return width;
}

}  // namespace

SliderChange slider_row(const SliderRow& row) {
  SliderChange change;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, scaled(2)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, scaled(4)});
  const float start = ImGui::GetCursorPosX();
  label_of(row);
  if (!row.label_above) {
    ImGui::SameLine(start + scaled(22));
  }
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float number = std::min(number_width(row), ImGui::GetContentRegionAvail().x * 0.6f);
  const float track = std::max(ImGui::GetContentRegionAvail().x - number - gap, scaled(20));
  double value = row.value;
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop,
                      true);  // Tab goes from number to number; an arrow reaches the slider
  bool changed = thin_slider(row, value, track);
  ImGui::PopItemFlag();
  note(change, changed, value);
  ImGui::SameLine();
  changed = number_input(row, value, number);
  note(change, changed, value);
  change.value = within_limits(row, changed, change.value);
  ImGui::PopStyleVar(2);
  return change;
}

// The number is below the numbers of the other rows, if the label leaves enough room.
SliderChange number_row(const SliderRow& row) {
  SliderChange change;
  label_of(row);
  const float usual = std::max(width_of("000,000"), width_of(text_of(row.value, row.whole)));
  const float width = std::min(usual, ImGui::GetContentRegionAvail().x);
  wrap_before(width);
  const float spare = ImGui::GetContentRegionAvail().x - width;
  if (spare > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + spare);
  double value = row.value;
  const bool changed = number_input(row, value, width);
  note(change, changed, value);
  return change;
}

SliderChange number_box(const SliderRow& row) {
  SliderChange change;
  double value = row.value;
  const bool changed = number_input(row, value, width_of(text_of(std::max(row.value, 1000.0), row.whole)));
  note(change, changed, value);
  change.value = within_limits(row, changed, change.value);
  return change;
}

float number_box_width() { return width_of(text_of(1000, true)); }

}  // namespace warplens
