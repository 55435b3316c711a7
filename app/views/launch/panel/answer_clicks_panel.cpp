#include "app/views/launch/panel/answer_widgets_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/views/launch/lesson_words.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

// Tiles for what has no place of its own in the views: lanes and banks.
void draw_tiles(const AnswerInput& input, const lesson::ClickAnswer* clicks, Actions& actions) {
  const Palette& p = look().palette;
  constexpr int columns = 8;
  const float gap = scaled(3);
  const float size = std::min((ImGui::GetContentRegionAvail().x - gap * (columns - 1)) / columns, scaled(44));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
  ImGui::PushFont(look().mono, small_size);
  for (uint32_t number = 0; number < 32; ++number) {
    if (number % columns != 0) ImGui::SameLine();
    lesson::Target target;
    target.kind = input.question.what;
    target.index = number;
    const bool found =
        clicks != nullptr &&
        std::ranges::any_of(clicks->clicked, [&](const lesson::Target& one) { return one.index == number; });
    const bool wrong =
        input.own.off && input.own.off->index == number && input.own.mark == lesson::AnswerMark::wrong;
    ImGui::PushStyleColor(ImGuiCol_Button, colour(wrong ? p.warning : found ? p.right : p.raised));
    ImGui::PushStyleColor(ImGuiCol_Text, colour(found || wrong ? p.panel : p.text));
    const std::string id = fmt::format("{}{}###tile_{}", wrong ? "✗ " : found ? "✓ " : "", number, number);
    if (ImGui::Button(id.c_str(), {size, size}) && !input.own.settled()) actions.push(ClickAnswer{target});
    ImGui::PopStyleColor(2);
  }
  ImGui::PopFont();
  ImGui::PopStyleVar(2);
}

void draw_found(const lesson::ClickAnswer& clicks, bool settled) {
  constexpr size_t most = 6;
  const size_t shown = std::min(most, clicks.clicked.size());
  ImGui::PushFont(look().mono, body_size);
  for (size_t i = 0; i < shown; ++i)
    show_wrapped(std::string(settled ? "✓ " : "· ") + target_words(clicks.clicked[i]));
  ImGui::PopFont();
  if (shown < clicks.clicked.size()) small_text(fmt::format("and {} more", clicks.clicked.size() - shown));
}

}  // namespace

void draw_clicks(const AnswerInput& input, QuestionsState& own, Actions& actions) {
  using Kind = lesson::Target::Kind;
  const auto* clicks = std::get_if<lesson::ClickAnswer>(&input.own.answer);
  const Kind what = input.question.what;
  if (!input.own.settled()) quiet_text(click_words(input.question));
  if (what == Kind::lane || what == Kind::bank) {
    draw_tiles(input, clicks, actions);
  } else if (clicks != nullptr) {
    draw_found(*clicks, input.own.mark == lesson::AnswerMark::right);
  }
  const std::string found = found_words(input.question, input.own);
  if (!found.empty()) small_text(found);
  const std::string form = what == Kind::lane || what == Kind::bank ? "" : lesson::click_form(what);
  if (input.own.settled() || form.empty()) return;
  std::string& mistake = own.mistakes[input.index];
  if (!mistake.empty()) small_text(mistake);
  std::vector<std::string> typed = typed_texts(input, 1);
  const bool entered =
      text_field("##click", typed[0], ImGui::GetContentRegionAvail().x, input, "or write it");
  hover_text("Or write where it is: " + form);
  if (entered && !typed[0].empty()) {
    const Result<lesson::Answer> answer = lesson::answer_in(typed[0], input.question);
    mistake = answer ? "" : answer.error().message;
    const auto* written = answer ? std::get_if<lesson::ClickAnswer>(&*answer) : nullptr;
    if (written != nullptr) {
      for (const lesson::Target& target : written->clicked) actions.push(ClickAnswer{target});
      typed[0].clear();
    }
  }
  keep_typed(input, std::move(typed), actions);
}

}  // namespace warplens
