#include "app/window/frame/learn.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/state/parts/course.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/strips.h"
#include "core/lesson/judge/judge_report.h"

namespace warplens {
namespace {

std::string progress_words(const CourseLesson& lesson, size_t done) {
  if (done == 0) return fmt::format("{} steps · {} min", lesson.steps.size(), lesson.minutes);
  if (done == lesson.steps.size()) return fmt::format("✓ all {} steps", done);
  return fmt::format("{} of {} steps", done, lesson.steps.size());
}

std::string after_words(const CourseLesson& lesson, const ProgressState& progress) {
  std::string words;
  for (const CourseLesson& other : course_lessons(spoken())) {
    const bool named = std::ranges::find(lesson.after, other.name) != lesson.after.end();
    if (named && steps_done(progress, other) < other.steps.size())
      words += (words.empty() ? "best after: " : ", ") + other.title;
  }
  return words;
}

// Said of what has no words in the window's language.
const char* in_english(const std::string& language) {
  return !spoken().empty() && language == "en" ? " · in English" : "";
}

struct RowLook {
  std::string number, title, about, beside;
  float share = -1;  // of what is done; below 0 for none
  bool next = false;
};

// A row that can be clicked, and reached by Tab.
bool draw_row(const std::string& id, const RowLook& row) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, pad = scaled(9), number = scaled(34);
  const float title_height = ImGui::GetTextLineHeight();
  const float beside = text_width(row.beside) + 2 * pad;
  const float room = width - number - 2 * pad;
  const float about = size_of_words(row.about, room).y;
  const float height = title_height + about + 2 * pad + (row.share >= 0 ? scaled(8) : 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
  const bool lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  draw->AddRectFilled(at, end, colour(lit ? mix(p.raised, p.accent, 0.12) : p.raised), scaled(6));
  if (row.next || lit) draw->AddRect(at, end, colour(p.accent), scaled(6), 0, scaled(1.5f));
  const float x = at.x + number + pad, y = at.y + pad;
  draw->AddText({at.x + pad, y}, colour(p.quiet), row.number.c_str());
  ImGui::PushFont(look().strong, 0.0f);
  draw->AddText({x, y}, colour(p.text),
                cut_to(row.title, width - number - pad - beside, look().strong).c_str());
  ImGui::PopFont();
  draw->AddText({end.x - beside + pad, y}, colour(row.next ? p.accent : p.quiet), said(row.beside).c_str());
  draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {x, y + title_height + scaled(2)}, colour(p.quiet),
                said(row.about).c_str(), nullptr, room);
  if (row.share < 0) return pressed;
  const float bar = end.y - pad;
  draw->AddRectFilled({x, bar}, {end.x - pad, bar + scaled(3)}, colour(p.line), scaled(1.5f));
  draw->AddRectFilled({x, bar}, {x + (end.x - pad - x) * row.share, bar + scaled(3)}, colour(p.accent),
                      scaled(1.5f));
  return pressed;
}

void draw_lessons(const AppState& state, Actions& actions) {
  heading("Lessons");
  const CourseLesson* next = next_lesson(state.progress);
  if (course_lessons().empty()) quiet_text("This program has no lessons of its own. Open a folder with one.");
  for (const CourseLesson& lesson : course_lessons(spoken())) {
    const size_t done = steps_done(state.progress, lesson);
    RowLook row;
    row.number = lesson.number == 0 ? "" : std::to_string(lesson.number);
    row.title = lesson.title;
    row.about = lesson.about;
    const std::string after = after_words(lesson, state.progress);
    if (!after.empty() && done == 0) row.about += " (" + after + ")";
    row.next = next != nullptr && lesson.name == next->name;
    row.beside = progress_words(lesson, done) + in_english(lesson.language);
    if (row.next) row.beside += done > 0 ? " · go on" : " · begin here";
    row.share = lesson.steps.empty() ? 0 : float(done) / float(lesson.steps.size());
    if (draw_row("##lesson_" + lesson.name, row)) actions.push(OpenLesson{lesson.name});
    if (!row.next) continue;
    ImGui::SetItemDefaultFocus();  // Enter takes it
    if (ImGui::IsWindowAppearing()) ImGui::SetNavCursorVisible(true);
  }
}

void draw_challenges(const AppState& state, Actions& actions) {
  uint32_t level = 0;
  for (const CourseChallenge& challenge : course_challenges(spoken())) {
    if (std::exchange(level, challenge.level) != challenge.level) {
      ImGui::Dummy({0, scaled(4)});
      heading(fmt::format("Challenges, level {} of 5", challenge.level));
    }
    const auto kept = state.progress.challenges.find(challenge.name);
    RowLook row;
    row.number = challenge.number == 0 ? "" : std::to_string(challenge.number);
    row.title = challenge.title;
    row.about = challenge.about;
    row.beside = lesson::stars_text(kept == state.progress.challenges.end() ? 0 : kept->second.stars) +
                 in_english(challenge.language);
    if (draw_row("##challenge_" + challenge.name, row)) actions.push(OpenChallenge{challenge.name});
  }
}

}  // namespace

void draw_learn(const AppState& state, Actions& actions) {
  title("Learn");
  const std::string score = calibration_text(state.progress);
  if (!score.empty()) small_text(score);
  const float footer = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  const float height = ImGui::GetMainViewport()->Size.y * 0.8f - footer - ImGui::GetCursorPosY();
  ImGui::BeginChild("course", {0, std::max(height, scaled(120))}, ImGuiChildFlags_NavFlattened);
  draw_lessons(state, actions);
  draw_challenges(state, actions);
  ImGui::EndChild();
  if (chip("Open a folder…")) actions.push(OpenFolder{});
  hover_text("A lesson or a challenge of your own: its folder, or a file that you drop on the window.");
  wrap_before(chip_width("Hand in…"));
  if (chip("Hand in…###hand_in_progress", false, !state.progress.empty())) actions.push(AskHandIn{});
  hover_text(
      "Writes one file for the teacher: the steps that you have done, your stars, your answers to questions, "
      "and "
      "the time that you took.");
  wrap_before(chip_width("Forget my progress"));
  if (chip("Forget my progress", false, !state.progress.empty())) actions.push(ForgetMe{});
  hover_text("For a computer that several people use. It cannot be taken back.");
}

}  // namespace warplens
