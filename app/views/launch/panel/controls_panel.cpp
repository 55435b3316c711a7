#include "app/views/launch/panel/controls_panel.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/base/text.h"

namespace warplens {
namespace {

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
  const auto fits = [&](const std::string& text) { return size_of_words(text).x <= room; };
  if (fits(words)) return words;
  std::string name = words.substr(0, words.rfind(", "));
  if (fits(name)) return name;
  while (!name.empty() && !fits(name + "…")) remove_last_letter(name);
  return name + "…";
}

void offer_picture(const AppState& state, const std::string& label, const std::string& picture,
                   const std::string& about, Actions& actions) {
  const bool chosen = state.setup.launch.image_path == picture;
  if (ImGui::Selectable((label + "##" + picture).c_str(), chosen)) actions.push(ChoosePicture{picture});
  hover_text(about);
}

void offer_recent_pictures(const AppState& state, Actions& actions) {
  const std::vector<std::string> recent = recent_pictures(state.files);
  if (!recent.empty()) heading("Recent");
  for (const std::string& path : recent)
    offer_picture(state, std::filesystem::path(path).filename().string(), path, path, actions);
}

void draw_picture_row(const AppState& state, const ArgumentRow& row, Actions& actions) {
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(width);
  const float text_room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  if (begin_drop_down("##picture", picture_label(row.picture, text_room))) {
    for (const SamplePhoto& photo : state.files.samples)
      offer_picture(state, shown(photo.title), photo.name, photo.credit, actions);
    offer_recent_pictures(state, actions);
    ImGui::Separator();
    if (ImGui::Selectable(shown_label("Open…").c_str())) actions.push(OpenPicture{});
    hover_text("Opens a picture (Ctrl+O). A file that is dropped on the window opens as well.");
    ImGui::EndCombo();
  }
  if (!state.setup.launch.image) return;
  const std::string& credit = state.setup.launch.image->credit;
  hover_text(credit.empty() ? row.picture : row.picture + "\n" + credit);
}

}  // namespace

void draw_argument(const AppState& state, const ArgumentRow& row, Actions& actions) {
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

namespace {

// ---- block and grid

using SetAxis = std::function<void(uint32_t, bool)>;

void draw_axis(const std::string& id, const char* label, uint32_t value, uint32_t maximum, uint32_t largest,
               const ExtentRange& range, const SetAxis& set, Actions& actions) {
  SliderRow row{id, label, double(value), 1.0, double(std::max(maximum, value)), true, true, false};
  row.largest = largest;
  if (range) {
    row.minimum = range->first;
    row.maximum = range->second;
    row.logarithmic = range->second > 8 * range->first;
    row.largest = 0;
  }
  const SliderChange change = slider_row(row);
  if (change.changed) set(static_cast<uint32_t>(change.value), change.dragging);
  if (change.ended) actions.push(EndGesture{});
}

}  // namespace

void draw_block(const AppState& state, const LaunchView& view, Actions& actions, const ExtentRange& range) {
  heading("Block");
  const Dim3 block = state.setup.launch.block;
  const auto set = [&](Dim3 to, bool dragging) { actions.push(SetBlock{to, dragging}); };
  draw_axis(
      "block_x", "x", block.x, view.max_block.x, view.max_block.x, range,
      [&](uint32_t v, bool d) {
        set({v, block.y, block.z}, d);
      },
      actions);
  if (range && view.axes < 2) return;
  draw_axis(
      "block_y", "y", block.y, view.max_block.y, view.max_block.y, range,
      [&](uint32_t v, bool d) {
        set({block.x, v, block.z}, d);
      },
      actions);
  if (range && view.axes < 3) return;
  draw_axis(
      "block_z", "z", block.z, view.max_block.z, view.max_block.z, range,
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

namespace {

// The end of the grid's slider. It is large enough to try a grid that is too large, and small enough to hit
// a value.
uint32_t grid_end(uint32_t value, uint32_t limit) {
  const uint64_t wanted = std::max<uint64_t>(1024, uint64_t{value} * 4);
  return static_cast<uint32_t>(std::min<uint64_t>(wanted, limit));
}

}  // namespace

void draw_grid_size(const AppState& state, const LaunchView& view, Actions& actions,
                    const ExtentRange& range) {
  heading("Grid");
  const Dim3 grid = state.setup.launch.grid;
  if (!view.fit_formula.empty() && !range) {
    if (on_off(view.problem_is_known ? "fit to problem" : "as many threads", state.setup.launch.fit_grid))
      actions.push(SetFitGrid{!state.setup.launch.fit_grid});
    hover_text(
        view.problem_is_known
            ? "grid = ⌈threads needed / threads of a block⌉ on each axis. Chosen: the grid follows every "
              "change."
            : "grid = ⌈threads of the program's launch / threads of a block⌉ on each axis. Chosen: the grid "
              "follows every change.");
    ImGui::PushFont(look().mono, small_size);
    wrap_before(size_of_words(view.fit_formula).x);
    ImGui::PopFont();
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(look().mono, small_size);
    ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
    show_words(view.fit_formula);
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
  // The number of blocks is to be predicted.
  if (is_hidden(state, "launch.blocks") && state.setup.launch.fit_grid) return;
  const auto set = [&](Dim3 to, bool dragging) { actions.push(SetGrid{to, dragging}); };
  draw_axis(
      "grid_x", "x", grid.x, grid_end(grid.x, view.max_grid.x), view.max_grid.x, range,
      [&](uint32_t v, bool d) {
        set({v, grid.y, grid.z}, d);
      },
      actions);
  if (range && view.axes < 2) return;
  draw_axis(
      "grid_y", "y", grid.y, grid_end(grid.y, view.max_grid.y), view.max_grid.y, range,
      [&](uint32_t v, bool d) {
        set({grid.x, v, grid.z}, d);
      },
      actions);
  if (range && view.axes < 3) return;
  draw_axis(
      "grid_z", "z", grid.z, grid_end(grid.z, view.max_grid.z), view.max_grid.z, range,
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

}  // namespace warplens
