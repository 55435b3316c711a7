#include "app/views/launch/panel/answer_widgets_panel.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <numeric>

#include "app/base/format.h"
#include "app/views/launch/lesson_words.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
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

bool draw_choice_row(const AnswerInput& input, uint32_t letter, const markdown::Spans& words,
                     const ChoiceLook& shown) {
  const Palette& p = look().palette;
  const auto& votes = input.own.votes;
  const uint32_t most = sees_votes(input.state, input.own) ? *std::ranges::max_element(votes) : 0;
  const float width = ImGui::GetContentRegionAvail().x, pad = scaled(8), tile = scaled(34);
  const std::string count = most > 0 ? std::to_string(votes[letter]) : "";
  const float right = count.empty() ? 0 : size_of_words(count).x + pad;
  const float room = width - tile - 3 * pad - right;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float text = height_of_spans(words, room);
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
  draw_spans(words, room);
  ImGui::EndGroup();
  if (!count.empty())
    draw->AddText({end.x - right, at.y + (height - ImGui::GetFontSize()) / 2}, colour(p.text),
                  warplens::shown(count).c_str());
  ImGui::SetCursorPos(after);
  ImGui::Dummy({0, 0});
  return pressed && !input.own.settled();
}

// For the teacher, who counts while the class votes: how many votes there are, but not yet for what.
void draw_vote_tools(const AnswerInput& input, Actions& actions) {
  const bool counting = input.state.lesson.votes, shows = input.state.lesson.shows_votes;
  if (on_off("count the class's votes###votes", counting)) actions.push(CountVotes{!counting});
  hover_text("The keys 1 to 4 then count a vote for A to D, with Shift one less.");
  const uint32_t all = std::accumulate(input.own.votes.begin(), input.own.votes.end(), 0u);
  if (all == 0) return;
  const std::string label = count_text(all, "vote", "votes") + (shows ? "" : ", hidden") + "###show_votes";
  wrap_before(on_off_width(label));
  if (on_off(label, shows)) actions.push(ShowVotes{!shows});
  hover_text("Shows the class how many voted for what (V). Until then nobody can follow the others.");
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
    if (draw_choice_row(
            input, letter,
            markdown::read_line(filled_text(input.state, input.question.choices[letter].text.text)), shown) &&
        (ImGui::GetTime() - own.opened_s > not_at_once_s || !ImGui::IsMouseReleased(ImGuiMouseButton_Left)))
      give(input.index, lesson::ChoiceAnswer{letter}, actions);
  }
  const bool counting = input.state.lesson.votes;
  if (input.own.settled() || !(input.state.frame.present || counting)) return;  // only a teacher counts
  draw_vote_tools(input, actions);
}

}  // namespace warplens
