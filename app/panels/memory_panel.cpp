#include "app/panels/memory_panel.h"

#include <charconv>

#include "app/panels/widgets.h"
#include "app/view_model/memory_picture.h"

namespace warplens {

namespace {

MemoryPictureInput input_of(const AppState& state, const MemoryView& view) {
  MemoryPictureInput input;
  input.view = &view;
  if (const uint32_t line = state.selection.shown().line; line != 0) input.line = line;
  return input;
}

Picture compose(MemoryPictureInput input, const Style& style, float width, float height) {
  input.interactive = false;
  Picture picture;
  picture.width = width;
  picture.title = "WarpLens: memory";
  picture.background = solid(style.palette.panel);
  const float margin = 20;
  const MemoryLayout layout = draw_memory_view(picture, style, Box{0, 0, width, height}.inset(margin), input);
  picture.height = std::max(height, layout.bottom + margin);
  return picture;
}

void follow(const std::string& id, const AppState& state, Actions& actions) {
  if (id == memory_save_id) ImGui::OpenPopup(save_popup_id);
  if (!id.starts_with(line_id)) return;
  uint32_t line = 0;
  std::from_chars(id.data() + line_id.size(), id.data() + id.size(), line);
  Pick pick = state.selection.pinned;
  pick.line = pick.line == line ? 0 : line;
  actions.push(Pin{pick});
}

}  // namespace

void draw_memory(const AppState& state, MemoryPanelState& own, Actions& actions) {
  own.textures.collect();
  if (!state.result) return quiet_text("No run yet: its memory traffic appears with the first result.");
  const MemoryView* view = own.view.get(state.result, true, [&] { return view_memory(*state.result); });
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  Picture picture;
  picture.width = room.x;
  const MemoryPictureInput input = input_of(state, *view);
  const MemoryLayout layout = draw_memory_view(picture, window_style(), {0, 0, room.x, room.y}, input);
  picture.height = layout.bottom;
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  follow(picture_areas(picture, origin), state, actions);
  draw_save_popup(
      own.save, "memory.png", state, actions,
      [&](const Style& style, float width, float height) { return compose(input, style, width, height); },
      [&] { return memory_table(*view); });
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({room.x, layout.bottom});  // longer than the panel: it scrolls
}

}  // namespace warplens
