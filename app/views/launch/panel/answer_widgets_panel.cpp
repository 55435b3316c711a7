#include "app/views/launch/panel/answer_widgets_panel.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/views/launch/lesson_words.h"
#include "app/widgets/markdown.h"
#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/lesson/goals/facts.h"

namespace warplens {
namespace {

// A field of one line. True in the frame in which Enter was pressed in it. It keeps the keyboard then, to be
// typed over, but not in front of a class, where the keys are the teacher's.
bool text_field(const char* id, std::string& text, float width, const AnswerInput& input,
                const char* hint = "", bool first = true) {
  ImGui::PushFont(look().mono, body_size);
  ImGui::SetNextItemWidth(width);
  if (input.takes_keyboard && first) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint(id, said(hint).c_str(), &text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (entered && !input.state.frame.present) ImGui::SetKeyboardFocusHere(-1);
  ImGui::PopFont();
  return entered;
}

void give(size_t question, lesson::Answer answer, Actions& actions) {
  actions.push(SetAnswer{question, std::move(answer)});
  actions.push(GiveAnswer{question});
}

const char* give_label(const lesson::Question& question) {
  return question.predict ? "Guess###give" : "Check###give";
}

std::string key_of(const AnswerInput& input, size_t part = 0) {
  return fmt::format("{}.{}", input.index, part);
}

}  // namespace

void draw_number(const AnswerInput& input, QuestionsState& own, Actions& actions) {
  std::string& typed = own.typed[key_of(input)];
  const bool entered = text_field("##number", typed, scaled(120), input);
  const std::optional<double> number = number_from(typed, false);
  const std::string unit = lesson::unit_for(number.value_or(0), input.question.unit.text);
  if (!unit.empty()) {
    wrap_before(size_of_words(unit).x);
    ImGui::AlignTextToFramePadding();
    show_words(unit);
  }
  wrap_before(chip_width("Check"));
  const bool pressed = main_button(give_label(input.question), number.has_value());
  if ((entered || pressed) && number) give(input.index, lesson::NumberAnswer{*number}, actions);
  if (!number && !typed.empty()) small_text("Write a number, such as 157 or 0.25.");
}

// ---- one of four

namespace {

struct ChoiceLook {
  bool chosen = false, right = false, wrong = false;

  // What it says by colour, and by a sign of its own.
  uint32_t rgb() const {
    const Palette& p = look().palette;
    return right ? p.right : wrong ? p.warning : chosen ? p.accent : p.line;
  }
};

void draw_letter(ImDrawList* draw, ImVec2 at, float size, uint32_t letter, const ChoiceLook& shown) {
  const Palette& p = look().palette;
  const bool filled = shown.chosen || shown.right;
  draw->AddRectFilled(at, {at.x + size, at.y + size}, colour(shown.rgb()), scaled(5));
  const std::string text = shown.right   ? "✓"
                           : shown.wrong ? "✗"
                                         : std::string(1, static_cast<char>('A' + letter));
  ImGui::PushFont(look().strong, title_size);
  const ImVec2 extent = size_of_words(text);
  draw->AddText({at.x + (size - extent.x) / 2, at.y + (size - extent.y) / 2},
                colour(filled ? (look().theme == Theme::dark ? 0x06131c : 0xffffff) : p.text), text.c_str());
  ImGui::PopFont();
}

// The votes of the class as a bar under the words.
void draw_votes(ImDrawList* draw, ImVec2 min, ImVec2 max, uint32_t votes, uint32_t most) {
  const Palette& p = look().palette;
  const float share = most == 0 ? 0 : static_cast<float>(votes) / static_cast<float>(most);
  draw->AddRectFilled({min.x, max.y - scaled(5)}, {min.x + (max.x - min.x) * share, max.y}, colour(p.accent),
                      scaled(2));
}

bool draw_choice_row(const AnswerInput& input, uint32_t letter, const std::string& words,
                     const ChoiceLook& shown) {
  const Palette& p = look().palette;
  const auto& votes = input.own.votes;
  const uint32_t most = *std::ranges::max_element(votes);
  const float width = ImGui::GetContentRegionAvail().x, pad = scaled(8), tile = scaled(34);
  const std::string count = most > 0 ? std::to_string(votes[letter]) : "";
  const float right = count.empty() ? 0 : size_of_words(count).x + pad;
  const float room = width - tile - 3 * pad - right;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float text = markdown_height(words, room);
  const float height = std::max(tile + 2 * pad, text + 2 * pad);
  const std::string id = fmt::format("##choice_{}", static_cast<char>('A' + letter));
  ImGui::SetNextItemAllowOverlap();
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
  const bool lit = !input.own.settled() && (ImGui::IsItemHovered() || ImGui::IsItemFocused());
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  draw->AddRectFilled(at, end, colour(lit ? mix(p.raised, p.accent, 0.12) : p.raised), scaled(6));
  draw->AddRect(at, end, colour(shown.rgb()), scaled(6), 0, scaled(shown.right || shown.wrong ? 2.5f : 1));
  if (most > 0) draw_votes(draw, at, end, votes[letter], most);
  draw_letter(draw, {at.x + pad, at.y + (height - tile) / 2}, tile, letter, shown);
  const ImVec2 after = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos({at.x + tile + 2 * pad, at.y + (height - text) / 2});
  ImGui::BeginGroup();
  draw_markdown_in(words, room);
  ImGui::EndGroup();
  if (!count.empty())
    draw->AddText({end.x - right, at.y + (height - ImGui::GetFontSize()) / 2}, colour(p.text),
                  said(count).c_str());
  ImGui::SetCursorPos(after);
  ImGui::Dummy({0, 0});
  return pressed && !input.own.settled();
}

}  // namespace

// The second click of a double click is not for the choices that came under the pointer with the first.
constexpr double not_at_once_s = 0.4;

void draw_choices(const AnswerInput& input, const QuestionsState& own, Actions& actions) {
  const auto* answer = std::get_if<lesson::ChoiceAnswer>(&input.own.answer);
  const std::string& right = input.question.right.text;
  const bool tells = input.own.settled() &&
                     (input.own.mark != lesson::AnswerMark::guessed || !input.own.truth_words.empty());
  for (uint32_t letter = 0; letter < input.question.choices.size(); ++letter) {
    ChoiceLook shown;
    shown.chosen = answer != nullptr && answer->letter == letter;
    shown.right = tells && right.size() == 1 && right[0] == static_cast<char>('A' + letter);
    shown.wrong = shown.chosen && input.own.mark == lesson::AnswerMark::wrong;
    if (draw_choice_row(input, letter, filled_text(input.state, input.question.choices[letter].text.text),
                        shown) &&
        (ImGui::GetTime() - own.opened_s > not_at_once_s || !ImGui::IsMouseReleased(ImGuiMouseButton_Left)))
      give(input.index, lesson::ChoiceAnswer{letter}, actions);
  }
  const bool counting = input.state.lesson.votes;
  if (input.own.settled() || !(input.state.frame.present || counting)) return;  // only a teacher counts
  if (on_off("count the class's votes###votes", counting)) actions.push(CountVotes{!counting});
  hover_text("The keys 1 to 4 then count a vote for A to D, with Shift one less.");
}

// ---- clicks

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
    ImGui::PushStyleColor(ImGuiCol_Button, colour(found ? p.accent : p.raised));
    ImGui::PushStyleColor(ImGuiCol_Text, colour(found ? p.panel : p.text));
    const std::string id = fmt::format("{}###tile_{}", number, number);
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
  std::string& typed = own.typed[key_of(input)];
  const bool entered = text_field("##click", typed, ImGui::GetContentRegionAvail().x, input, "or write it");
  hover_text("Or write where it is: " + form);
  if (const std::string& wrong = own.typed[key_of(input, 1)]; !wrong.empty()) small_text(wrong);
  if (!entered || typed.empty()) return;
  const Result<lesson::Answer> answer = lesson::answer_in(typed, input.question);
  const auto* written = answer ? std::get_if<lesson::ClickAnswer>(&*answer) : nullptr;
  if (written == nullptr) {
    own.typed[key_of(input, 1)] = answer ? "" : answer.error().message;
    return;
  }
  for (const lesson::Target& target : written->clicked) actions.push(ClickAnswer{target});
  typed.clear();
  own.typed[key_of(input, 1)].clear();
}

// ---- a marker on a scale

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

// ---- bars in order

namespace {

// The grip at the left of a row that can be dragged.
void draw_grip(ImDrawList* draw, ImVec2 at, float height) {
  for (const float y : {-1.0f, 0.0f, 1.0f})
    for (const float x : {0.0f, 1.0f})
      draw->AddCircleFilled({at.x + scaled(8 + 6 * x), at.y + height / 2 + scaled(6 * y)}, scaled(1.6f),
                            colour(look().palette.quiet));
}

// Returns by how many places the row is to move: by a drag past its neighbour, or by Alt and an arrow.
int draw_item_row(const std::string& words, size_t place, bool fixed) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, pad = scaled(7);
  const float room = width - scaled(26) - pad, text = markdown_height(words, room);
  const float height = std::max(text + 2 * pad, ImGui::GetFrameHeight());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = fmt::format("##item_{}", place);
  ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
  const bool active = ImGui::IsItemActive(), focused = ImGui::IsItemFocused();
  int by = 0;
  if (!fixed && active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
    const float y = ImGui::GetMousePos().y;
    if (y < at.y) by = -1;
    if (y > at.y + height) by = 1;
  }
  if (!fixed && focused && ImGui::GetIO().KeyAlt) {
    // The arrows move the row, not the focus.
    const ImGuiID owner = ImGui::GetItemID();
    ImGui::SetKeyOwner(ImGuiKey_UpArrow, owner);
    ImGui::SetKeyOwner(ImGuiKey_DownArrow, owner);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) by = -1;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) by = 1;
  }
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  draw->AddRectFilled(at, end, colour(active ? mix(p.raised, p.accent, 0.18) : p.raised), scaled(5));
  draw->AddRect(at, end, colour(focused || active ? p.accent : p.line), scaled(5), 0, scaled(1));
  if (!fixed) draw_grip(draw, at, height);
  const ImVec2 after = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos({at.x + scaled(26), at.y + (height - text) / 2});
  ImGui::BeginGroup();
  draw_markdown_in(words, room);
  ImGui::EndGroup();
  ImGui::SetCursorPos(after);
  ImGui::Dummy({0, 0});
  return by;
}

}  // namespace

void draw_order(const AnswerInput& input, QuestionsState& own, Actions& actions) {
  const bool settled = input.own.settled();
  const auto* answer = std::get_if<lesson::OrderAnswer>(&input.own.answer);
  std::vector<uint32_t>& items = own.orders[input.index];
  if (items.empty()) items = lesson::offered_order(input.question, 1);
  if (settled && answer != nullptr) items = answer->items;
  if (!settled)
    small_text(std::string(input.question.items.empty() || input.question.items.front().value.empty()
                               ? "First at the top."
                           : input.question.largest_first ? "Largest at the top."
                                                          : "Smallest at the top.") +
               " Drag the rows, or move one with Alt and the arrow keys.");
  for (size_t place = 0; place < items.size(); ++place) {
    const std::string words = filled_text(input.state, input.question.items[items[place]].text.text);
    const int by = draw_item_row(words, place, settled);
    const auto to = static_cast<std::ptrdiff_t>(place) + by;
    if (by == 0 || to < 0 || to >= std::ssize(items)) continue;
    std::swap(items[place], items[static_cast<size_t>(to)]);
    // What is dragged or has the keys goes with its row.
    const std::string next = fmt::format("##item_{}", to);
    ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiID id = ImGui::GetID(next.c_str());
    if (g.ActiveId != 0) g.ActiveId = id;
    ImGui::SetFocusID(id, ImGui::GetCurrentWindow());
    break;
  }
  if (!settled && main_button(give_label(input.question)))
    give(input.index, lesson::OrderAnswer{items}, actions);
}

// ---- boxes of a formula

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
  if (at > 0 && !before_box) ImGui::SameLine();
  if (part.box && at == 0) ImGui::SetCursorPosX(left + rows.before + ImGui::GetStyle().ItemSpacing.x);
}

void draw_formula_boxes(const AnswerInput& input, QuestionsState& own, Actions& actions) {
  const lesson::Question& question = input.question;
  const auto count = static_cast<size_t>(std::ranges::count_if(question.formula, &lesson::FormulaPart::box));
  if (count == 0) return;
  std::vector<std::string> boxes(count);
  for (size_t i = 0; i < count; ++i) boxes[i] = own.typed[key_of(input, i)];
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
  for (size_t i = 0; i < count; ++i) own.typed[key_of(input, i)] = boxes[i];
  const bool pressed = main_button(give_label(question), all_filled(boxes));
  if ((pressed || entered) && all_filled(boxes)) give(input.index, lesson::FormulaAnswer{boxes}, actions);
}

}  // namespace warplens
