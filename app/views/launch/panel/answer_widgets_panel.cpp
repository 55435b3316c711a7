#include "app/views/launch/panel/answer_widgets_panel.h"

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <cmath>

#include "app/base/format.h"
#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/lesson/goals/facts.h"

namespace warplens {
namespace {

// Gives the keyboard to the next field, whose text was begun without it: typing goes on behind that.
void go_on_in(const char* id) {
  ImGui::SetKeyboardFocusHere();
  ImGui::GetStateStorage()->SetBool(ImGui::GetID(id), true);
}

// After the field was drawn: ImGui selects all of a field that gets the keyboard, and the next key would
// replace it.
void keep_what_was_begun(const char* id) {
  bool* begun = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(id));
  if (!*begun || !ImGui::IsItemActive()) return;
  *begun = false;
  if (ImGuiInputTextState* field = ImGui::GetInputTextState(ImGui::GetID(id)))
    field->ReloadUserBufAndMoveToEnd();
}

// The digits that were typed in this frame while nothing had the keyboard. They begin an answer: before a
// class the field does not keep the keyboard, and nobody has to click it for the next try.
std::string digits_without_field(const AppState& state) {
  std::string digits;
  if (keys_are_free(state))
    for (const ImWchar one : ImGui::GetIO().InputQueueCharacters)
      if (one >= '0' && one <= '9') digits += static_cast<char>(one);
  return digits;
}

}  // namespace

bool keys_are_free(const AppState& state) {
  const ImGuiIO& io = ImGui::GetIO();
  return !is_typing() && !io.KeyCtrl && !io.KeyAlt && state.frame.dialog == Dialog::none &&
         !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// A field of one line. It keeps the keyboard after Enter, to be typed over, but not in front of a class,
// where the keys are the teacher's.
bool text_field(const char* id, std::string& text, float width, const AnswerInput& input, const char* hint,
                bool first) {
  ImGui::PushFont(look().mono, body_size);
  ImGui::SetNextItemWidth(width);
  if (input.takes_keyboard && first) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint(id, shown(hint).c_str(), &text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (entered && !input.state.frame.present) ImGui::SetKeyboardFocusHere(-1);
  keep_what_was_begun(id);
  ImGui::PopFont();
  return entered;
}

std::vector<std::string> typed_texts(const AnswerInput& input, size_t fields) {
  std::vector<std::string> texts = input.own.typed;
  texts.resize(fields);
  return texts;
}

void keep_typed(const AnswerInput& input, std::vector<std::string> texts, Actions& actions) {
  if (texts != typed_texts(input, texts.size())) actions.push(TypeAnswer{input.index, std::move(texts)});
}

void give(size_t question, lesson::Answer answer, Actions& actions) {
  actions.push(SetAnswer{question, std::move(answer)});
  actions.push(GiveAnswer{question});
}

const char* give_label(const lesson::Question& question) {
  return question.predict ? "Guess###give" : "Check###give";
}

// What is said of a text stands above its field, which stays where it is.
void draw_number(const AnswerInput& input, Actions& actions) {
  std::vector<std::string> typed = typed_texts(input, 1);
  if (const std::string digits = digits_without_field(input.state); !digits.empty()) {
    typed[0] = digits;
    go_on_in("##number");
  }
  if (!typed[0].empty() && !number_from(typed[0], false)) small_text("Write a number, such as 157 or 0.25.");
  const bool entered = text_field("##number", typed[0], scaled(120), input);
  const std::optional<double> number = number_from(typed[0], false);
  const std::string unit = lesson::unit_for(number.value_or(0), input.question.unit.text);
  if (!unit.empty()) {
    wrap_before(size_of_words(unit).x);
    ImGui::AlignTextToFramePadding();
    show_words(unit);
  }
  wrap_before(chip_width("Check"));
  const bool pressed = main_button(give_label(input.question), number.has_value());
  keep_typed(input, std::move(typed), actions);
  if ((entered || pressed) && number) give(input.index, lesson::NumberAnswer{*number}, actions);
}

void draw_marker(const AnswerInput& input, Actions& actions) {
  const auto* answer = std::get_if<lesson::NumberAnswer>(&input.own.answer);
  const auto scale = lesson::scale_of(input.question, *input.state.lesson.facts);
  if (!scale || !*scale) return quiet_text(scale ? "The scale appears with the run." : scale.error().message);
  const auto [from, to] = **scale;
  const bool log = input.question.log_scale && from > 0;
  SliderRow row;
  row.id = "marker";
  row.label = lesson::number_text(from) + " … " + lesson::with_unit(to, input.question.unit.text) +
              (log ? ", each step times the same" : "");
  row.minimum = from;
  row.maximum = to;
  row.value = answer != nullptr ? answer->value : log ? std::sqrt(from * to) : (from + to) / 2;
  row.logarithmic = log;
  row.whole = std::floor(from) == from && std::floor(to) == to && to - from >= 10;
  row.label_above = true;
  const SliderChange change = slider_row(row);
  if (change.changed) actions.push(SetAnswer{input.index, lesson::NumberAnswer{change.value}});
  if (main_button(give_label(input.question)))
    give(input.index, lesson::NumberAnswer{change.changed ? change.value : row.value}, actions);
}

}  // namespace warplens
