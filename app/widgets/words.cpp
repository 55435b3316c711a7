#include "app/widgets/words.h"

namespace warplens {

std::string said(std::string_view english) { return std::string(shown(english)); }

void show_words(std::string_view english) {
  const std::string_view words = shown(english);
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
}

void show_wrapped(std::string_view english) {
  ImGui::PushTextWrapPos(0);
  show_words(english);
  ImGui::PopTextWrapPos();
}

void show_disabled(std::string_view english) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  show_words(english);
  ImGui::PopStyleColor();
}

void show_tip(std::string_view english) {
  const std::string_view words = shown(english);
  ImGui::SetTooltip("%.*s", static_cast<int>(words.size()), words.data());
}

ImVec2 size_of_words(std::string_view english, float wrap_width) {
  const std::string_view words = shown(english.substr(0, english.find("##")));
  return ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, wrap_width);
}

}  // namespace warplens
