// Dear ImGui's texts in the language that is spoken (app/base/language.h). Code, names of files and what
// people type go to Dear ImGui itself.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/base/language.h"

namespace warplens {

// ImGui::TextUnformatted, ImGui::TextWrapped, ImGui::TextDisabled. In wrapped text, long names and paths are
// cut between their parts, never within a word.
void show_words(std::string_view english);
void show_wrapped(std::string_view english);
void show_disabled(std::string_view english);
// The text with line ends in words that are wider than the room: "cudaErrorInvalid\nConfiguration".
std::string with_breaks(std::string_view words, float room);
// ImGui::SetTooltip.
void show_tip(std::string_view english);
// ImGui::CalcTextSize of what is shown; text from "##" on is not shown.
ImVec2 size_of_words(std::string_view english, float wrap_width = -1);

}  // namespace warplens
