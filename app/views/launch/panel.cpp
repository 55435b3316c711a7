#include "app/views/launch/panel.h"

#include <imgui_internal.h>

#include <algorithm>
#include <functional>

#include "app/widgets/cards.h"
#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

// ---- arguments

void push_value(const ArgumentRow& row, const SliderChange& change, Actions& actions) {
  if (change.changed && row.control == Control::seed) {
    actions.push(SetSeed{static_cast<uint64_t>(std::max(change.value, 0.0)), change.dragging});
  } else if (change.changed) {
    actions.push(SetValue{row.name, change.value, change.dragging});
  }
  if (change.ended) actions.push(EndGesture{});
}

// As much of the name as there is room for. The hover text has all of it.
std::string picture_label(const std::string& words, float room) {
  const auto fits = [&](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= room; };
  if (fits(words)) return words;
  std::string name = words.substr(0, words.rfind(", "));
  if (fits(name)) return name;
  while (!name.empty() && !fits(name + "…")) {
    while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xC0) == 0x80) name.pop_back();
    if (!name.empty()) name.pop_back();
  }
  return name + "…";
}

void draw_picture_row(const AppState& state, const ArgumentRow& row, Actions& actions) {
  const char* open = "Open…";
  const float room = ImGui::GetContentRegionAvail().x - chip_width(open) - ImGui::GetStyle().ItemSpacing.x;
  const std::string name = row.picture.substr(0, row.picture.rfind(", "));
  const float needed = chip_width(name) + ImGui::GetFrameHeight();
  const float width = room > needed ? room : ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(width);
  const float text_room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  if (ImGui::BeginCombo("##picture", picture_label(row.picture, text_room).c_str())) {
    for (const SamplePhoto& photo : state.files.samples) {
      if (ImGui::Selectable(photo.title.c_str(), state.setup.launch.image_path == photo.name)) {
        actions.push(ChoosePicture{photo.name});
      }
      hover_text(photo.credit);
    }
    ImGui::EndCombo();
  }
  if (state.setup.launch.image) {
    const std::string& credit = state.setup.launch.image->credit;
    hover_text(credit.empty() ? row.picture : row.picture + "\n" + credit);
  }
  wrap_before(chip_width(open));
  if (chip(open)) actions.push(OpenPicture{});
  hover_text("Opens a picture (Ctrl+O). A file that is dropped on the window opens as well.");
}

void draw_arguments(const AppState& state, const LaunchView& view, Actions& actions) {
  for (const ArgumentRow& row : view.arguments) {
    ImGui::PushID(row.name.c_str());
    SliderRow slider{row.name, row.title, row.value, row.minimum, row.maximum, false, row.whole, true};
    switch (row.control) {
      case Control::image:
        draw_picture_row(state, row, actions);
        break;
      case Control::log_slider:
        slider.logarithmic = true;
        push_value(row, slider_row(slider), actions);
        break;
      case Control::slider:
        push_value(row, slider_row(slider), actions);
        break;
      case Control::number:
      case Control::seed:
        push_value(row, number_row(slider), actions);
        break;
      case Control::none:
        break;
    }
    ImGui::PopID();
  }
}

// ---- block and grid

using SetAxis = std::function<void(uint32_t, bool)>;

void draw_axis(const std::string& id, const char* label, uint32_t value, uint32_t maximum, const SetAxis& set,
               Actions& actions) {
  SliderRow row{id, label, double(value), 1.0, double(std::max(maximum, value)), true, true, false};
  const SliderChange change = slider_row(row);
  if (change.changed) set(static_cast<uint32_t>(change.value), change.dragging);
  if (change.ended) actions.push(EndGesture{});
}

void draw_block(const AppState& state, const LaunchView& view, Actions& actions) {
  heading("Block");
  const Dim3 block = state.setup.launch.block;
  const auto set = [&](Dim3 to, bool dragging) { actions.push(SetBlock{to, dragging}); };
  draw_axis(
      "block_x", "x", block.x, view.max_block.x,
      [&](uint32_t v, bool d) {
        set({v, block.y, block.z}, d);
      },
      actions);
  draw_axis(
      "block_y", "y", block.y, view.max_block.y,
      [&](uint32_t v, bool d) {
        set({block.x, v, block.z}, d);
      },
      actions);
  draw_axis(
      "block_z", "z", block.z, view.max_block.z,
      [&](uint32_t v, bool d) {
        set({block.x, block.y, v}, d);
      },
      actions);
  ImGui::Dummy({0, 0});
  bool first = true;
  for (const PresetChip& preset : view.presets) {
    if (!first) wrap_before(chip_width(preset.label));
    first = false;
    if (chip(preset.label, preset.chosen)) set(preset.block, false);
  }
  if (view.block_is_bound) quiet_text("This kernel is written for exactly this block.");
}

// The end of the grid's slider. It is large enough to try a grid that is too large, and small enough to hit
// a value.
uint32_t grid_end(uint32_t value, uint32_t limit) {
  const uint64_t wanted = std::max<uint64_t>(1024, uint64_t{value} * 4);
  return static_cast<uint32_t>(std::min<uint64_t>(wanted, limit));
}

void draw_grid_size(const AppState& state, const LaunchView& view, Actions& actions) {
  heading("Grid");
  const Dim3 grid = state.setup.launch.grid;
  if (!view.fit_formula.empty()) {
    if (chip("fit to problem", state.setup.launch.fit_grid))
      actions.push(SetFitGrid{!state.setup.launch.fit_grid});
    hover_text(
        "grid = ⌈threads needed / threads of a block⌉ on each axis. Chosen: the grid follows every change.");
    ImGui::PushFont(look().mono, small_size);
    wrap_before(ImGui::CalcTextSize(view.fit_formula.c_str()).x);
    ImGui::PopFont();
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(look().mono, small_size);
    ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
    ImGui::TextUnformatted(view.fit_formula.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
  const auto set = [&](Dim3 to, bool dragging) { actions.push(SetGrid{to, dragging}); };
  draw_axis(
      "grid_x", "x", grid.x, grid_end(grid.x, view.max_grid.x),
      [&](uint32_t v, bool d) {
        set({v, grid.y, grid.z}, d);
      },
      actions);
  draw_axis(
      "grid_y", "y", grid.y, grid_end(grid.y, view.max_grid.y),
      [&](uint32_t v, bool d) {
        set({grid.x, v, grid.z}, d);
      },
      actions);
  draw_axis(
      "grid_z", "z", grid.z, grid_end(grid.z, view.max_grid.z),
      [&](uint32_t v, bool d) {
        set({grid.x, grid.y, v}, d);
      },
      actions);
}

void draw_shared(const AppState& state, const LaunchView& view, Actions& actions) {
  SliderRow row{"shared",
                "dynamic shared bytes",
                double(state.setup.launch.shared_dynamic_bytes),
                0,
                double(view.max_shared_bytes),
                false,
                true,
                true};
  const SliderChange change = slider_row(row);
  if (change.changed) actions.push(SetSharedBytes{static_cast<uint32_t>(change.value), change.dragging});
  if (change.ended) actions.push(EndGesture{});
}

// ---- figures

float width_at(ImFont* font, float size, const std::string& words) {
  ImGui::PushFont(font, size);
  const float width = ImGui::CalcTextSize(words.c_str()).x;
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

// Figures are as high with any number, since the controls below must not move while one of them is dragged.
void number_line(const LaunchFigure& figure, float room, float largest) {
  float size = largest;
  const auto fits = [&](const std::string& words) { return width_at(look().strong, size, words) <= room; };
  while (size > body_size && !fits(figure.figure.value)) size -= line_share;
  const std::string& words = fits(figure.figure.value) ? figure.figure.value : figure.brief;
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + scaled(largest - size) * 0.6f);
  ImGui::PushFont(look().strong, size);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopFont();
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

void tall_figure(const LaunchFigure& figure, float room) {
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {scaled(6), scaled(1)});
  const float y = ImGui::GetCursorPosY();
  number_line(figure, room, figure_size);
  ImGui::SetCursorPosY(y + scaled(figure_size));
  const std::string before = " · " + figure.ghost;
  const std::string& label = figure.figure.label;
  const auto fits = [&](const std::string& words) {
    return width_at(look().words, small_size, words) <= room;
  };
  if (figure.ghost.empty())
    small_text(fits(label) ? label : first_word(label));
  else
    small_text(fits(label + before)               ? label + before
               : fits(first_word(label) + before) ? first_word(label) + before
                                                  : first_word(label));
  ImGui::PopStyleVar();
  end_figure(figure);
}

// They stand above the controls, so that they are seen while a control is moved.
void draw_key_figures(const LaunchView& view, bool tight) {
  const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().CellPadding.x;
  const float usual = width_at(look().strong, body_size, "262,144") + scaled(5) +
                      width_at(look().words, small_size, "occupancy");
  const int columns = tight && usual > width / 2 - gap ? 1 : 2;
  const float room = width / static_cast<float>(columns) - gap;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {gap, tight ? 0 : ImGui::GetStyle().CellPadding.y});
  if (ImGui::BeginTable("figures", columns, ImGuiTableFlags_SizingStretchSame)) {
    for (const LaunchFigure& figure : view.figures) {
      if (!figure.key) continue;
      ImGui::TableNextColumn();
      tight ? short_figure(figure, room) : tall_figure(figure, room);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

// The further figures in one line, which is never two: the controls below it must not move.
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
  const float tag = width_at(look().words, small_size, to_string(Source::derived)) + scaled(14);
  const bool brief = width(false) > room;
  ImGui::PushFont(look().words, small_size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  for (const LaunchFigure& figure : view.figures) {
    if (figure.key) continue;
    ImGui::BeginGroup();
    ImGui::TextUnformatted(words_of_figure(figure, brief).c_str());
    end_figure(figure);
    ImGui::SameLine(0, gap);
  }
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (width(brief) + tag <= room)
    return source_tag(Source::derived, "All figures of the launch follow from its sizes and the device.");
  ImGui::PushFont(look().words, small_size - 1);
  ImGui::Dummy({0, ImGui::CalcTextSize("0").y + 2 * scaled(1)});  // as high as the tag
  ImGui::PopFont();
}

void draw_kernel(const AppState& state, const LaunchView& view, bool tight, Actions& actions) {
  if (!tight) heading("Kernel");
  title(view.title);
  if (tight)
    hover_text(view.teaches);
  else
    small_text(view.teaches);
  if (view.arguments.empty() || view.arguments[0].control != Control::image) quiet_text(view.subject);
  draw_arguments(state, view, actions);
}

}  // namespace

void draw_launch(const AppState& state, LaunchPanelState& own, Actions& actions) {
  if (own.revision != state.revision) {
    own.view = launch_view(state);
    own.revision = state.revision;
  }
  const LaunchView& view = own.view;
  // With little room for text, the words that explain are hover texts, so that the block stays in sight.
  const bool tight = ImGui::GetWindowHeight() < scaled(580);
  draw_key_figures(view, tight);
  if (!tight) draw_other_figures(view);
  draw_kernel(state, view, tight, actions);
  draw_block(state, view, actions);
  if (view.refusal) draw_card(*view.refusal, "launch", actions);  // beside its cause
  draw_grid_size(state, view, actions);
  draw_shared(state, view, actions);
  if (tight) draw_other_figures(view);
}

std::unique_ptr<ViewPanel> make_launch_panel() { return make_panel<LaunchPanelState, draw_launch>(); }

}  // namespace warplens
