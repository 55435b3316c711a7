#include "app/widgets/words.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>

namespace warplens {
namespace {

constexpr size_t longest_plain_word = 12;  // letters; longer ones are measured

float width_of_text(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

// Where a name or path may be cut: before a capital letter, after a slash or a low line.
bool may_break_at(std::string_view word, size_t at) {
  const auto before = static_cast<unsigned char>(word[at - 1]), after = static_cast<unsigned char>(word[at]);
  return (std::islower(before) != 0 && std::isupper(after) != 0) || before == '/' || before == '_';
}

void add_broken(std::string& text, std::string_view word, float room) {
  while (word.size() > longest_plain_word && width_of_text(word) > room) {
    size_t cut = 0;
    for (size_t at = 1; at < word.size(); ++at)
      if (may_break_at(word, at) && width_of_text(word.substr(0, at)) <= room) cut = at;
    if (cut == 0) break;
    text.append(word.substr(0, cut)).push_back('\n');
    word.remove_prefix(cut);
  }
  text.append(word);
}

}  // namespace

std::string with_breaks(std::string_view words, float room) {
  std::string text;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find_first_of(" \n", at), words.size());
    add_broken(text, words.substr(at, end - at), room);
    if (end < words.size()) text.push_back(words[end]);
    at = end + 1;
  }
  return text;
}

void show_words(std::string_view english) {
  const std::string words = shown(english);
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (window->DC.TextWrapPos >= 0 && words.size() > longest_plain_word) {
    const float room = ImGui::CalcWrapWidthForPos(window->DC.CursorPos, window->DC.TextWrapPos);
    const std::string broken = with_breaks(words, room);
    return ImGui::TextUnformatted(broken.data(), broken.data() + broken.size());
  }
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
  const std::string words = shown(english);
  ImGui::SetTooltip("%s", words.c_str());
}

ImVec2 size_of_words(std::string_view english, float wrap_width) {
  const std::string words = shown(english.substr(0, english.find("##")));
  return ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, wrap_width);
}

}  // namespace warplens
