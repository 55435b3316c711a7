#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/views/program/panel/compile_mistakes_panel.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

// More mistakes than a user fixes before the next attempt.
constexpr size_t most_mistakes = 20;

void source_row(const recording::SourceText& source, uint32_t number, bool is_wrong) {
  if (number == 0 || number > source.lines.size()) return;
  const Palette& p = look().palette;
  const std::string& text = source.lines[number - 1];
  if (is_wrong) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, {at.x + ImGui::GetContentRegionAvail().x, at.y + ImGui::GetTextLineHeightWithSpacing()},
        colour(mix(p.panel, p.fault, 0.25)));
  }
  mono_text(fmt::format("{:4}  {}", number, text), is_wrong ? p.text : p.quiet);
}

}  // namespace

// Each with the line before it: a missing semicolon is reported where the next line begins.
void draw_compile_mistakes(const std::vector<Diagnostic>& mistakes, const recording::SourceText& source) {
  for (size_t i = 0; i < std::min(mistakes.size(), most_mistakes); ++i) {
    const Diagnostic& mistake = mistakes[i];
    ImGui::Dummy({0, scaled(2)});
    source_row(source, mistake.line - 1, false);
    source_row(source, mistake.line, true);
    level_glyph(mistake.severity == Severity::error ? ProblemLevel::error : ProblemLevel::warning);
    ImGui::SameLine();
    body_text(fmt::format("line {}: {}", mistake.line, mistake.message));
  }
  if (mistakes.size() > most_mistakes)
    quiet_text(fmt::format("{} more are in the output.", mistakes.size() - most_mistakes));
}

}  // namespace warplens
