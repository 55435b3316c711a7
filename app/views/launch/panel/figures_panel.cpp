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

constexpr float smallest = small_size;  // of a number

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

// A column of number, name and how it was: three lines, also where the third one is empty. `size`: of
// numbers.
void column_figure(const LaunchFigure& figure, float room, float size) {
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {scaled(6), scaled(1)});
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + scaled(title_size - size) * 0.6f);
  number_line(figure, room, size);
  ImGui::SetCursorPosY(y + scaled(title_size) + scaled(4));
  ImGui::PushFont(look().words, small_size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  show_words(first_word(figure.figure.label));
  const bool fits = size_of_words(figure.ghost).x <= room || figure.brief_ghost.empty();
  show_words(cut_to(fits ? figure.ghost : figure.brief_ghost, room));
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::PopStyleVar();
  end_figure(figure);
}

}  // namespace

void draw_key_figures(const LaunchView& view) {
  const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().CellPadding.x;
  const float usual = width_at(look().strong, body_size, "262,144") + scaled(5) +
                      width_at(look().words, small_size, "occupancy");
  // In a row each column has room for its name and for any number.
  const float padding = scaled(4), number = width_at(look().strong, smallest, "262,144");
  const auto column_width = [&](const LaunchFigure& figure) {
    return std::max(number, width_at(look().words, small_size, first_word(figure.figure.label)));
  };
  float needed = 0;
  for (const LaunchFigure& figure : view.figures)
    if (figure.key) needed += column_width(figure) + 2 * padding;
  const bool row = needed <= width;
  const int columns = row ? 4 : usual > width / 2 - gap ? 1 : 2;
  const ImGuiTableFlags flags = row ? ImGuiTableFlags_SizingStretchProp : ImGuiTableFlags_SizingStretchSame;
  // Numbers that stand side by side have one size.
  float size = title_size;
  for (const LaunchFigure& figure : view.figures)
    if (row && figure.key)
      size = std::min(size, number_size(figure, width * column_width(figure) / needed, size));
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {row ? padding : gap, 0});
  if (ImGui::BeginTable("figures", columns, flags)) {
    // As wide as their names, so that no number moves another one's place.
    for (const LaunchFigure& figure : view.figures)
      if (row && figure.key) ImGui::TableSetupColumn("", 0, column_width(figure));
    for (const LaunchFigure& figure : view.figures) {
      if (!figure.key) continue;
      ImGui::TableNextColumn();
      const float room = row ? ImGui::GetContentRegionAvail().x : width / static_cast<float>(columns) - gap;
      row ? column_figure(figure, room, size) : short_figure(figure, room);
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
