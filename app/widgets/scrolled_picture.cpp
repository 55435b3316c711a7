#include "app/widgets/scrolled_picture.h"

namespace warplens {

Click draw_scrolled(const ScrolledPicture& what, ScrolledPictureState& own, const AppState& state,
                    Actions& actions) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  Picture picture;
  picture.width = room.x;
  picture.height = what.draw(picture, window_style(), {0, 0, room.x, room.y}, true);
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  Click click = picture_areas(picture, origin);
  if (click.is(SaveVerb::save)) ImGui::OpenPopup(save_popup_id);
  const auto on_paper = [&](Picture& into, const Style& style, Box box) {
    return what.draw(into, style, box, false);
  };
  draw_save_popup(own.save, {what.name, on_paper, what.tabulate}, state, actions);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({room.x, picture.height});  // longer than the panel: it scrolls
  return click;
}

}  // namespace warplens
