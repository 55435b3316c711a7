#include "app/views/launch/panel/questions_panel.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/base/format.h"
#include "app/views/launch/lesson_words.h"
#include "app/views/launch/panel/answer_widgets_panel.h"
#include "app/views/launch/panel/class_answers_panel.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

using lesson::Question;
using lesson::QuestionKind;

void strong_words(const std::string& words, uint32_t rgb) {
  ImGui::PushFont(look().strong, body_size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  show_wrapped(words);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void draw_feedback(const AppState& state, const lesson::QuestionProgress& own, uint32_t rgb) {
  if (own.words.empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = scaled(14);
  ImGui::Indent(indent);
  draw_markdown(filled_text(state, own.words));
  ImGui::Unindent(indent);
  const float bottom = ImGui::GetCursorScreenPos().y - scaled(8);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y}, {at.x + scaled(4), std::max(bottom, at.y + scaled(14))}, colour(rgb), scaled(2));
}

void draw_wrong(const AppState& state, const lesson::QuestionProgress& own) {
  const bool wrong = own.mark == lesson::AnswerMark::wrong;
  const std::string what = wrong && own.off ? target_words(*own.off) : "";
  if (wrong) strong_words(what.empty() ? "✗ Not right" : "✗ Not right: " + what, look().palette.warning);
  draw_feedback(state, own, wrong ? look().palette.warning : look().palette.quiet);
}

struct NamedValue {
  const char* name;
  std::string value;
  uint32_t rgb;
};

void draw_value(const NamedValue& of, float size) {
  ImGui::BeginGroup();
  small_text(of.name);
  ImGui::PushFont(look().strong, size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(of.rgb));
  ImGui::PushTextWrapPos(0);
  show_words(of.value);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::EndGroup();
}

// Large and side by side; as sentences below each other where half the width would break one into many lines.
void draw_side_by_side(const std::vector<NamedValue>& values) {
  constexpr float most_lines = 2;
  const float half = ImGui::GetContentRegionAvail().x / 2 - ImGui::GetStyle().CellPadding.x * 2;
  ImGui::PushFont(look().strong, title_size);
  const bool fits = std::ranges::all_of(
      values, [&](const NamedValue& of) { return size_of_words(of.value).x <= most_lines * half; });
  ImGui::PopFont();
  if (!fits) {
    for (const NamedValue& of : values) draw_value(of, body_size);
    return;
  }
  if (!ImGui::BeginTable("truth", 2, ImGuiTableFlags_SizingStretchSame)) return;
  for (const NamedValue& of : values) {
    ImGui::TableNextColumn();
    draw_value(of, title_size);
  }
  ImGui::EndTable();
}

// Guess and truth, side by side where there is room, as bars of one scale where both are amounts.
void draw_guess_bars(double guess, double truth) {
  if (guess < 0 || truth < 0 || std::max(guess, truth) <= 0) return;
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, height = scaled(8), gap = scaled(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double most = std::max(guess, truth);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto bar = [&](double value, float y, uint32_t rgb, bool hollow) {
    const float right = at.x + std::max(scaled(2), width * static_cast<float>(value / most));
    if (hollow)
      draw->AddRect({at.x, y}, {right, y + height}, colour(rgb), scaled(2), 0, scaled(1.5f));
    else
      draw->AddRectFilled({at.x, y}, {right, y + height}, colour(rgb), scaled(2));
  };
  bar(guess, at.y, p.quiet, true);
  bar(truth, at.y + height + gap, p.accent, false);
  ImGui::Dummy({width, 2 * height + 2 * gap});
}

std::string text_of_answer(const Question& question, const lesson::QuestionProgress& own) {
  return lesson::text_of(own.answer, question);
}

void draw_truth(const AppState& state, const Question& question, const lesson::QuestionProgress& own) {
  const Palette& p = look().palette;
  const bool known = !own.truth_words.empty();
  if (question.kind == QuestionKind::click) return;
  const bool was_shown = own.mark == lesson::AnswerMark::shown;
  std::vector<NamedValue> values = {
      {was_shown ? "Answer" : "Your guess", text_of_answer(question, own), p.text}};
  if (!was_shown) values.push_back({"The truth", known ? own.truth_words : "?", p.accent});
  draw_side_by_side(values);
  const auto* guess = std::get_if<lesson::NumberAnswer>(&own.answer);
  if (guess != nullptr && own.truth && own.mark == lesson::AnswerMark::guessed)
    draw_guess_bars(guess->value, *own.truth);
  if (!known) return;
  if (const std::string formula = formula_words(state, question); !formula.empty())
    mono_text_wrapped(formula, p.quiet);
  if (own.mark != lesson::AnswerMark::guessed) return;
  const uint32_t rgb = own.guess_right ? p.right : p.warning;
  strong_words(own.guess_right ? "✓ Your guess was right." : "✗ Your guess was not right.", rgb);
  draw_feedback(state, own, rgb);
}

void draw_right(const AppState& state, const Question& question, const lesson::QuestionProgress& own) {
  strong_words("✓ Right", look().palette.right);
  const bool amount = question.kind == QuestionKind::number || question.kind == QuestionKind::marker;
  if (!amount) return;
  const std::string formula = formula_words(state, question);
  mono_text_wrapped(formula.empty() ? own.truth_words : formula + " = " + own.truth_words,
                    look().palette.quiet);
}

void draw_input(const AppState& state, const Question& question, size_t index, QuestionsState& own,
                Actions& actions) {
  const AnswerInput input{state, question, state.lesson.player.progress().questions[index], index,
                          own.next == index};
  switch (question.kind) {
    case QuestionKind::number:
      return draw_number(input, actions);
    case QuestionKind::choice:
      return draw_choices(input, own, actions);
    case QuestionKind::click:
      return draw_clicks(input, own, actions);
    case QuestionKind::marker:
      return draw_marker(input, actions);
    case QuestionKind::order:
      return draw_order(input, own, actions);
    case QuestionKind::formula:
      return draw_formula_boxes(input, own, actions);
  }
}

void draw_answer(const AppState& state, size_t index, QuestionsState& own, Actions& actions) {
  const Question& question = current_step(state)->questions[index];
  const lesson::QuestionProgress& answer = state.lesson.player.progress().questions[index];
  const bool shows_itself = question.kind == QuestionKind::choice || question.kind == QuestionKind::order ||
                            question.kind == QuestionKind::formula || question.kind == QuestionKind::click;
  if (shows_itself) draw_input(state, question, index, own, actions);
  if (answer.mark == lesson::AnswerMark::right)
    draw_right(state, question, answer);
  else
    draw_truth(state, question, answer);
  draw_class_answers(state, index, actions);
}

void draw_question_text(const AppState& state, const Question& question) {
  if (question.predict) heading("Your guess first");
  const markdown::Spans words = markdown::read_line(filled_text(state, question.text.text));
  draw_spans(markdown::strong(words), ImGui::GetContentRegionAvail().x);
  ImGui::Dummy({0, scaled(4)});
}

}  // namespace

void follow_questions(const AppState& state, QuestionsState& own) {
  const uint32_t tries = state.lesson.player.progress().tries;
  if (own.entered != state.lesson.entered) {
    own = {};
    own.entered = state.lesson.entered;
    own.tries = tries;
    own.opened_s = ImGui::GetTime();
  }
  const std::optional<size_t> open = open_question(state);
  const bool next = open && own.open && *open > *own.open;
  if (open != own.open) own.opened_s = ImGui::GetTime();
  own.open = open;
  const bool again = std::exchange(own.tries, tries) < tries;  // typed over the wrong answer
  // In front of a class the keys are the teacher's and the clicker's.
  own.next = (next || again) && !state.frame.present ? open : std::nullopt;
}

// What was answered stands in the text, in its order.
void draw_answered_questions(const AppState& state, QuestionsState& own, Actions& actions) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return;
  for (size_t i = 0; i < step->questions.size(); ++i) {
    const lesson::QuestionProgress& answer = state.lesson.player.progress().questions[i];
    if (!answer.settled()) continue;
    ImGui::PushID(static_cast<int>(i));
    ImGui::Dummy({0, scaled(4)});
    draw_question_text(state, step->questions[i]);
    draw_answer(state, i, own, actions);
    std::string& said = own.said[i];
    std::string says = "answered " + answer.words + answer.truth_words;
    if (said != says) ImGui::SetScrollHereY(1);  // scrolls to what is said of the answer
    said = std::move(says);
    ImGui::PopID();
  }
}

// What is said of a wrong answer stands above the controls, which stay where they are.
void draw_open_question(const AppState& state, QuestionsState& own, Actions& actions) {
  const lesson::LessonStep* step = current_step(state);
  const std::optional<size_t> open = open_question(state);
  if (step == nullptr || !open) return;
  ImGui::PushID(static_cast<int>(*open));
  ImGui::Dummy({0, scaled(2)});
  const size_t count = step->questions.size();
  if (count > 1) small_text(fmt::format("Question {} of {}", *open + 1, count));
  draw_question_text(state, step->questions[*open]);
  draw_wrong(state, state.lesson.player.progress().questions[*open]);
  draw_input(state, step->questions[*open], *open, own, actions);
  draw_class_answers(state, *open, actions);
  ImGui::PopID();
}

void use_letter_keys(const AppState& state, Actions& actions) {
  const lesson::LessonStep* step = current_step(state);
  if (!keys_are_free(state) || step == nullptr) return;
  std::optional<size_t> question = open_question(state, QuestionKind::choice);
  if (!question && state.lesson.votes)  // votes may still come in after the answer
    for (size_t i = 0; i < step->questions.size(); ++i)
      if (step->questions[i].kind == QuestionKind::choice) question = i;
  if (!question) return;
  const size_t letters = step->questions[*question].choices.size();
  for (uint32_t letter = 0; letter < letters && letter < 4; ++letter) {
    const ImGuiKeyChord shift = ImGui::GetIO().KeyShift ? ImGuiMod_Shift : 0;
    bool pressed = false;
    for (const ImGuiKey one : {ImGuiKey_1, ImGuiKey_Keypad1})
      pressed |= ImGui::Shortcut(shift | (one + static_cast<int>(letter)), ImGuiInputFlags_RouteGlobal);
    if (!pressed) continue;
    if (state.lesson.votes) {
      actions.push(Vote{*question, letter, shift != 0 ? -1 : 1});
    } else {
      actions.push(SetAnswer{*question, lesson::ChoiceAnswer{letter}});
      actions.push(GiveAnswer{*question});
    }
  }
}

}  // namespace warplens
