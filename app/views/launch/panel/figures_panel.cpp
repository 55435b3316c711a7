#include "app/views/launch/panel/figures_panel.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

float width_at(ImFont* font, float size, const std::string& words) {
  ImGui::PushFont(font, size);
  const float width = size_of_words(words).x;
  ImGui::PopFont();
  return width;
}

std::string first_word(const std::string& label) { return label.substr(0, label.find(' ')); }

// Makes an item of a whole figure, whatever it is made of, with its hover text.
void end_figure(const LaunchFigure& figure) {
  ImGui::EndGroup();
  const ImRect place{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  const std::string id = "figure:" + first_word(figure.figure.label);
  ImGui::ItemAdd(place, ImGui::GetID(id.c_str()), nullptr, ImGuiItemFlags_NoNav);
  std::string words = figure.figure.formula + "\n" + to_string(figure.figure.source);
  if (!figure.ghost.empty()) words += "\n" + figure.ghost;
  hover_text(words);
}

constexpr float smallest = small_size;        // of a number
constexpr float least_height_of_large = 480;  // of the panel: the controls below stay in sight

// The largest size, from `largest` down, in which the whole number has room.
float number_size(const LaunchFigure& figure, float room, float largest) {
  float size = largest;
  while (size > smallest && width_at(look().strong, size, figure.figure.value) > room) size -= line_share;
  return size;
}

// Figures are as high with any number, since the controls below must not move while one of them is dragged.
void number_line(const LaunchFigure& figure, float room, float largest) {
  const float size = number_size(figure, room, largest);
  const bool fits = width_at(look().strong, size, figure.figure.value) <= room;
  const std::string& words = fits ? figure.figure.value : figure.brief;
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + scaled(largest - size) * 0.6f);
  ImGui::PushFont(look().strong, size);
  if (figure.hidden) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), text = size_of_words(words);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + text.x + scaled(20), at.y + text.y},
                                              colour(look().palette.line), scaled(5));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + scaled(10));
  }
  show_words(words);
  ImGui::PopFont();
  if (!figure.hidden) return;
  ImGui::SameLine(0, 0);
  ImGui::Dummy({scaled(10), 0});  // the tile's other edge
}

// A line of number and name, where there is little room.
void short_figure(const LaunchFigure& figure, float room) {
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {scaled(5), 0});
  const float y = ImGui::GetCursorPosY();
  const std::string label = first_word(figure.figure.label);
  number_line(figure, room - width_at(look().words, small_size, label) - scaled(5), title_size);
  ImGui::SameLine();
  ImGui::SetCursorPosY(y + scaled(title_size - small_size) * 0.6f);
  small_text(label);
  ImGui::PopStyleVar();
  end_figure(figure);
  ImGui::SetCursorPosY(y + scaled(title_size));
  ImGui::Dummy({0, 0});
}

// Beside the name, in its own colour and with a sign; left out where it has no room.
void draw_difference(const LaunchFigure& figure, float room) {
  const Palette& p = look().palette;
  if (figure.difference.empty() || size_of_words(figure.difference).x > room) return;
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(figure.better ? p.right : p.derived));
  show_words(figure.difference);
  ImGui::PopStyleColor();
}

// A number, and below it its name and how it differs from the run before. `size`: of numbers, which may be
// `largest`.
void tall_figure(const LaunchFigure& figure, float room, float size, float largest) {
  ImGui::BeginGroup();
  const float gap = scaled(6), y = ImGui::GetCursorPosY();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, scaled(1)});
  ImGui::SetCursorPosY(y + scaled(largest - size) * 0.6f);
  number_line(figure, room, size);
  ImGui::SetCursorPosY(y + scaled(largest) + scaled(4));
  ImGui::PushFont(look().words, small_size);
  const std::string label = first_word(figure.figure.label);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  show_words(label);
  ImGui::PopStyleColor();
  draw_difference(figure, room - size_of_words(label).x - gap);
  ImGui::PopFont();
  ImGui::PopStyleVar();
  end_figure(figure);
}

}  // namespace

void draw_key_figures(const LaunchView& view) {
  const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().CellPadding.x;
  const bool large = ImGui::GetWindowHeight() >= scaled(least_height_of_large);
  const float name = width_at(look().words, small_size, "occupancy"),
              number = width_at(look().strong, body_size, "262,144") + scaled(5);
  const bool short_ones = !large && number + name <= width / 2 - gap;
  const int columns = name > width / 2 - gap ? 1 : 2;
  const float room = width / static_cast<float>(columns) - gap;
  // All numbers have one size.
  const float largest = large ? figure_size : title_size;
  float size = largest;
  for (const LaunchFigure& figure : view.figures)
    if (figure.key) size = number_size(figure, room, size);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {gap, large ? scaled(3) : 0});
  if (ImGui::BeginTable("figures", columns, ImGuiTableFlags_SizingStretchSame)) {
    for (const LaunchFigure& figure : view.figures) {
      if (!figure.key) continue;
      ImGui::TableNextColumn();
      short_ones ? short_figure(figure, room) : tall_figure(figure, room, size, largest);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

void draw_other_figures(const LaunchView& view) {
  const float room = ImGui::GetContentRegionAvail().x, gap = scaled(10);
  const auto words_of_figure = [](const LaunchFigure& figure, bool brief) {
    return (brief ? figure.brief : figure.figure.value) + " " + figure.figure.label;
  };
  const auto width = [&](bool brief) {
    float sum = 0;
    for (const LaunchFigure& figure : view.figures)
      if (!figure.key) sum += width_at(look().words, small_size, words_of_figure(figure, brief)) + gap;
    return sum;
  };
  const float tag = width_at(look().words, small_size, to_string(Provenance::derived)) + scaled(14);
  const bool brief = width(false) > room;
  ImGui::PushFont(look().words, small_size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  for (const LaunchFigure& figure : view.figures) {
    if (figure.key) continue;
    ImGui::BeginGroup();
    show_words(words_of_figure(figure, brief));
    end_figure(figure);
    ImGui::SameLine(0, gap);
  }
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (width(brief) + tag <= room)
    return source_tag(Provenance::derived, "All figures of the launch follow from its sizes and the device.");
  ImGui::PushFont(look().words, small_size);
  ImGui::Dummy({0, size_of_words("0").y + 2 * scaled(1)});  // as high as the tag
  ImGui::PopFont();
}

}  // namespace warplens
