#include "app/views/launch/panel/class_answers_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>

#include "app/base/format.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {

namespace {

constexpr size_t most_answers = 6;  // the class reads them from its seats

void draw_answer_bar(const std::string& words, uint32_t count, uint32_t all, uint32_t rgb) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, pad = scaled(6);
  const float height = ImGui::GetTextLineHeight() + 2 * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos(), end{at.x + width, at.y + height};
  const float share = static_cast<float>(count) / static_cast<float>(all);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, end, colour(p.raised), scaled(4));
  draw->AddRectFilled(at, {at.x + width * share, end.y}, colour(mix(p.raised, rgb, 0.45)), scaled(4));
  const std::string number = std::to_string(count);
  const float right = size_of_words(number).x + pad;
  ImGui::SetCursorScreenPos({at.x + pad, at.y + pad});
  show_words(cut_to(shown(words), width - right - 2 * pad));
  ImGui::SetCursorScreenPos({end.x - right, at.y + pad});
  show_words(number);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height + scaled(2)});
}

}  // namespace

void draw_class_answers(const AppState& state, size_t question, Actions& actions) {
  const std::vector<ClassAnswer>* answers = answers_of_class(state, question);
  if (answers == nullptr) return;
  const uint32_t all = std::accumulate(answers->begin(), answers->end(), 0u,
                                       [](uint32_t sum, const ClassAnswer& one) { return sum + one.count; });
  if (all == 0) return;
  ImGui::Dummy({0, scaled(4)});
  const lesson::QuestionProgress& own = state.lesson.player.progress().questions[question];
  const bool sees = sees_votes(state, own);
  const std::string how_many = count_text(all, "answer of the class", "answers of the class");
  if (!own.settled()) {
    if (on_off(how_many + (sees ? "" : ", hidden") + "###class_answers", sees))
      actions.push(ShowVotes{!sees});
    hover_text("Shows what the class has answered so far (V). Until then nobody can follow the others.");
  } else {
    small_text(how_many);
  }
  if (!sees) return;
  const Palette& p = look().palette;
  for (size_t i = 0; i < std::min(answers->size(), most_answers); ++i) {
    const ClassAnswer& one = (*answers)[i];
    draw_answer_bar(one.right ? "✓ Right" : one.text, one.count, all, one.right ? p.right : p.accent);
  }
  if (answers->size() > most_answers)
    small_text(fmt::format("and {} more", count_text(answers->size() - most_answers, "answer", "answers")));
}

}  // namespace warplens
