#include "app/views/launch/panel/answer_widgets_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

constexpr const char* tile_payload = "formula tile";

bool all_filled(const std::vector<std::string>& boxes) {
  return std::ranges::none_of(boxes, &std::string::empty);
}

// The next box that is to be filled after this one.
size_t next_box(const std::vector<std::string>& boxes, size_t after) {
  for (size_t i = 1; i <= boxes.size(); ++i)
    if (boxes[(after + i) % boxes.size()].empty()) return (after + i) % boxes.size();
  return after;
}

void draw_box(const AnswerInput& input, QuestionsState& own, std::vector<std::string>& boxes, size_t box,
              float width) {
  const Palette& p = look().palette;
  const bool active = own.box[input.index] == box && !input.own.settled();
  const std::string label =
      (boxes[box].empty() ? std::string(" ? ") : boxes[box]) + fmt::format("###box_{}", box);
  ImGui::PushStyleColor(ImGuiCol_Button, colour(active ? mix(p.raised, p.accent, 0.25) : p.raised));
  ImGui::PushStyleColor(ImGuiCol_Border, colour(active ? p.accent : p.quiet));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, scaled(1.5f));
  if (ImGui::Button(label.c_str(), {width, 0}) && !input.own.settled()) {
    own.box[input.index] = box;
    boxes[box].clear();
  }
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  if (input.own.settled() || !ImGui::BeginDragDropTarget()) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(tile_payload)) {
    const size_t tile = *static_cast<const size_t*>(payload->Data);
    if (tile < input.question.tiles.size()) boxes[box] = input.question.tiles[tile];
    own.box[input.index] = next_box(boxes, box);
  }
  ImGui::EndDragDropTarget();
}

void draw_formula_tiles(const AnswerInput& input, QuestionsState& own, std::vector<std::string>& boxes) {
  for (size_t tile = 0; tile < input.question.tiles.size(); ++tile) {
    const std::string& words = input.question.tiles[tile];
    if (tile > 0) wrap_before(chip_width(words));
    if (chip(words + fmt::format("###tile_{}", tile))) {
      size_t& box = own.box[input.index];
      box = std::min(box, boxes.size() - 1);
      boxes[box] = words;
      box = next_box(boxes, box);
    }
    if (ImGui::BeginDragDropSource()) {
      ImGui::SetDragDropPayload(tile_payload, &tile, sizeof(tile));
      show_words(words);
      ImGui::EndDragDropSource();
    }
  }
}

// As wide as the widest tile, whatever lies in it: nothing moves when one is laid.
float width_of_box(const AnswerInput& input) {
  if (input.question.tiles.empty()) return scaled(70);
  float widest = 0;
  for (const std::string& tile : input.question.tiles) widest = std::max(widest, size_of_words(tile).x);
  return widest + 2 * ImGui::GetStyle().FramePadding.x;
}

}  // namespace

// The parts of a formula in one row, or below each other with their boxes in a column: what stands before a
// box ends where the box begins.
struct FormulaRows {
  bool one_row = true;
  float before = 0;  // the width that is kept for what stands before a box
};

FormulaRows rows_of_formula(const lesson::Question& question, float box) {
  FormulaRows rows;
  float width = 0;
  for (const lesson::FormulaPart& part : question.formula) {
    const float own = part.box ? box : size_of_words(part.text).x;
    if (!part.box) rows.before = std::max(rows.before, own);
    width += own + ImGui::GetStyle().ItemSpacing.x;
  }
  rows.one_row = width <= ImGui::GetContentRegionAvail().x;
  return rows;
}

void begin_formula_part(const FormulaRows& rows, const lesson::Question& question, size_t at, float left) {
  const lesson::FormulaPart& part = question.formula[at];
  if (rows.one_row) {
    if (at > 0) ImGui::SameLine();
    return;
  }
  const bool before_box = !part.box && at + 1 < question.formula.size();
  if (before_box) ImGui::SetCursorPosX(left + rows.before - size_of_words(part.text).x);
  if (at > 0 && part.box) ImGui::SameLine();
  if (at > 0 && !part.box && !before_box) wrap_before(size_of_words(part.text).x);
  if (part.box && at == 0) ImGui::SetCursorPosX(left + rows.before + ImGui::GetStyle().ItemSpacing.x);
}

void draw_formula_boxes(const AnswerInput& input, QuestionsState& own, Actions& actions) {
  const lesson::Question& question = input.question;
  const auto count = static_cast<size_t>(std::ranges::count_if(question.formula, &lesson::FormulaPart::box));
  if (count == 0) return;
  std::vector<std::string> boxes = typed_texts(input, count);
  const auto* answer = std::get_if<lesson::FormulaAnswer>(&input.own.answer);
  if (input.own.settled() && answer != nullptr && answer->boxes.size() == count) boxes = answer->boxes;
  bool entered = false;
  size_t box = 0;
  ImGui::PushFont(look().mono, body_size);
  const float width = width_of_box(input), left = ImGui::GetCursorPosX();
  const FormulaRows rows = rows_of_formula(question, width);
  for (size_t at = 0; at < question.formula.size(); ++at) {
    const lesson::FormulaPart& part = question.formula[at];
    begin_formula_part(rows, question, at, left);
    if (!part.box) {
      ImGui::AlignTextToFramePadding();
      show_words(part.text);
    } else if (question.tiles.empty() && !input.own.settled()) {
      entered |= text_field(fmt::format("##box_{}", box).c_str(), boxes[box], width, input, "?", box == 0);
      ++box;
    } else {
      draw_box(input, own, boxes, box++, width);
    }
  }
  if (!input.own.settled()) draw_formula_tiles(input, own, boxes);
  ImGui::PopFont();
  if (input.own.settled()) return;
  keep_typed(input, boxes, actions);
  const bool pressed = main_button(give_label(question), all_filled(boxes));
  if ((pressed || entered) && all_filled(boxes)) give(input.index, lesson::FormulaAnswer{boxes}, actions);
}

}  // namespace warplens
