#include "app/views/launch/panel/predict_panel.h"

#include <imgui.h>

#include "app/base/format.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

std::string with_unit(double value, const char* unit) {
  const bool whole = value == double(int64_t(value)) && value >= 0 && value < 1e15;
  return (whole ? with_separators(static_cast<uint64_t>(value)) : significant(value)) + " " + unit;
}

void draw_asking(PredictionState& own, const PredictState& asked, const PredictedFigure& figure,
                 Actions& actions) {
  small_text(asked.change + ". Guess before you see it:");
  ImGui::PushFont(look().strong, body_size);
  show_wrapped(figure.question);
  ImGui::PopFont();
  char text[64] = {};
  own.typed.copy(text, sizeof(text) - 1);
  ImGui::SetNextItemWidth(scaled(110));
  const bool entered = ImGui::InputText("##guess", text, sizeof(text), ImGuiInputTextFlags_EnterReturnsTrue);
  own.typed = text;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  show_words(figure.unit);
  const auto number = number_from(own.typed, false);
  wrap_before(chip_width("Guess"));
  if ((main_button("Guess", number.has_value()) || entered) && number) actions.push(Guess{*number});
  wrap_before(chip_width("Show it"));
  if (chip("Show it")) actions.push(Guess{});
}

void draw_known(const AppState& state, const PredictedFigure& figure) {
  const PredictState& own = state.predict;
  const auto part = [](const char* what, const std::string& value, uint32_t rgb) {
    ImGui::TableNextColumn();
    small_text(what);
    ImGui::PushFont(look().strong, title_size);
    ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
    show_wrapped(value);
    ImGui::PopStyleColor();
    ImGui::PopFont();
  };
  if (ImGui::BeginTable("guess and truth", 2, ImGuiTableFlags_SizingStretchSame)) {
    if (own.guess)
      part(own.right ? "✓ Your guess" : "Your guess", with_unit(*own.guess, figure.unit),
           look().palette.text);
    part("The truth", with_unit(*own.truth, figure.unit), look().palette.accent);
    ImGui::EndTable();
  }
  if (const std::string formula = formula_of_prediction(state, own.figure); !formula.empty())
    small_text(formula);
  if (const std::string score = calibration_text(state.progress); !score.empty()) small_text(score);
}

}  // namespace

void draw_prediction(const AppState& state, PredictionState& own, Actions& actions) {
  const PredictState& predict = state.predict;
  if (!predict.on) return;
  if (own.asked != predict.asked) own = {"", predict.asked};
  heading("Predict, then reveal");
  const PredictedFigure* figure = predicted_figure(predict.figure);
  if (predict.phase == PredictPhase::idle || figure == nullptr)
    return small_text("Change something: what it gives stays hidden until you have guessed.");
  if (predict.phase == PredictPhase::asking) return draw_asking(own, predict, *figure, actions);
  if (predict.phase == PredictPhase::waiting) return small_text("The run will tell.");
  draw_known(state, *figure);
}

}  // namespace warplens
