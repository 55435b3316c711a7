// The texts of a frame as they were drawn: read back from the draw lists, letter by letter, with what is cut
// off or lies over another text. It does not matter which function drew them.
#pragma once

#include <imgui_internal.h>

#include <string>
#include <vector>

namespace warplens {

struct DrawnText {
  std::string words;  // of one line
  ImRect box;         // of its letters, as far as they are seen
  const ImGuiWindow* window = nullptr;
  bool cut_at_side = false;     // part of a letter is missing at the left or right
  bool cut_at_edge = false;     // above or below
  std::vector<ImRect> letters;  // as far as they are seen
};

// Of the frame that was drawn last. Call it after ImGui::Render() and before the next frame begins.
std::vector<DrawnText> drawn_texts();

// A sentence for each text that is cut or that lies over another one. Where a window scrolls, a line at its
// upper or lower edge may be cut, and where it scrolls sideways, a line at its side.
std::vector<std::string> faults_of(const std::vector<DrawnText>& texts);

}  // namespace warplens
