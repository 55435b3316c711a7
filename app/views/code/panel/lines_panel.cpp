#include "app/views/code/panel/lines_panel.h"

#include "app/views/model/code_lines.h"
#include "app/widgets/widgets.h"

namespace warplens {

void draw_lines(const char* id, std::string_view text, ImVec2 size, size_t first) {
  ImGui::BeginChild(id, size, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(look().mono, small_size);
  const auto lines = lines_of(text);
  if (ImGui::IsWindowAppearing())
    ImGui::SetScrollY(static_cast<float>(first) * ImGui::GetTextLineHeightWithSpacing());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      ImGui::TextUnformatted(without_tabs(lines[static_cast<size_t>(i)]).c_str());
  ImGui::PopFont();
  ImGui::EndChild();
}

}  // namespace warplens
