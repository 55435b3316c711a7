#include "app/frame/veil.h"

#include <imgui.h>

#include <algorithm>

#include "app/widgets/widgets.h"

namespace warplens {

std::string veiled_because(const AppState& state, View view) {
  const auto hides = [&](std::initializer_list<std::string_view> groups) {
    return std::ranges::any_of(groups, [&](std::string_view group) { return any_hidden(state, group); });
  };
  bool covered = false;
  switch (view) {
    case View::grid:
      covered = hides({"launch.blocks", "launch.threads"});
      break;
    case View::image:
      covered = hides({"result"});
      break;
    case View::memory:
      covered = hides({"counters"});
      break;
    case View::occupancy:
      covered = hides({"occupancy", "limit", "limiter"});
      break;
    case View::timing:
      covered = hides({"time"});
      break;
    case View::code:
      covered = hides({"code"});
      break;
    case View::inspector:
      covered = hides({"inspector", "formula"});
      break;
    default:
      break;
  }
  if (!covered) return "";
  return state.lesson.is_open() ? "Hidden until you have answered" : "Hidden until you have guessed";
}

void draw_veil(const std::string& words) {
  const Palette& p = look().palette;
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float width = std::min(room.x, scaled(320)), height = std::min(room.y, scaled(150));
  const ImVec2 corner{at.x + (room.x - width) / 2, at.y + std::max(0.0f, (room.y - height) * 0.35f)};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, {corner.x + width, corner.y + height}, colour(p.raised), scaled(10));
  ImGui::PushFont(look().strong, 2 * figure_size);
  const ImVec2 mark = ImGui::CalcTextSize("?");
  draw->AddText({corner.x + (width - mark.x) / 2, corner.y + scaled(12)}, colour(p.quiet), "?");
  ImGui::PopFont();
  const ImVec2 text = ImGui::CalcTextSize(words.c_str(), nullptr, false, width - scaled(20));
  draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                {corner.x + (width - text.x) / 2, corner.y + height - text.y - scaled(14)}, colour(p.text),
                words.c_str(), nullptr, width - scaled(20));
  ImGui::Dummy(room);
}

}  // namespace warplens
