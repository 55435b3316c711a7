#include "app/window/frame/learn.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/state/parts/course.h"
#include "app/widgets/list_row.h"
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

// What Enter in the field takes: the first that is found, or else the lesson that comes next.
struct Found {
  bool entered = false, any = false;
};

void draw_lessons(const AppState& state, const std::string& typed, Found& found, Actions& actions) {
  const CourseLesson* next = next_lesson(state.progress);
  bool begun = false;
  for (const CourseLesson& lesson : course_lessons(spoken())) {
    if (!is_found(typed, fmt::format("{} {} {}", lesson.number, lesson.title, lesson.about))) continue;
    if (!std::exchange(begun, true)) heading("Lessons");
    const size_t done = steps_done(state.progress, lesson);
    ListRow row;
    row.number = lesson.number == 0 ? "" : std::to_string(lesson.number);
    row.title = lesson.title;
    row.about = lesson.about;
    const std::string after = after_words(lesson, state.progress);
    if (!after.empty() && done == 0) row.about += " (" + after + ")";
    const bool is_next = next != nullptr && lesson.name == next->name;
    const bool first = !std::exchange(found.any, true);
    row.next = typed.empty() ? is_next : first;
    row.beside = progress_words(lesson, done) + in_english(lesson.language);
    if (is_next) row.beside += done > 0 ? " · go on" : " · begin here";
    row.share = lesson.steps.empty() ? 0 : float(done) / float(lesson.steps.size());
    if (draw_list_row("##lesson_" + lesson.name, row) || (found.entered && row.next))
      actions.push(OpenLesson{lesson.name});
  }
}

void draw_challenges(const AppState& state, const std::string& typed, Found& found, Actions& actions) {
  uint32_t level = 0;
  for (const CourseChallenge& challenge : course_challenges(spoken())) {
    if (!is_found(typed, fmt::format("{} {} {}", challenge.number, challenge.title, challenge.about)))
      continue;
    if (std::exchange(level, challenge.level) != challenge.level) {
      ImGui::Dummy({0, scaled(4)});
      heading(fmt::format("Challenges, level {} of 5", challenge.level));
    }
    const auto kept = state.progress.challenges.find(challenge.name);
    ListRow row;
    row.number = challenge.number == 0 ? "" : std::to_string(challenge.number);
    row.title = challenge.title;
    row.about = challenge.about;
    row.beside = lesson::stars_text(kept == state.progress.challenges.end() ? 0 : kept->second.stars) +
                 in_english(challenge.language);
    row.next = !std::exchange(found.any, true) && !typed.empty();
    if (draw_list_row("##challenge_" + challenge.name, row) || (found.entered && row.next))
      actions.push(OpenChallenge{challenge.name});
  }
}

// "27 of 152 steps · 12 of 90 stars", with a bar.
void draw_progress(const ProgressState& progress) {
  constexpr size_t most_stars = 3;
  size_t done = 0, steps = 0, stars = 0;
  for (const CourseLesson& lesson : course_lessons()) {
    done += steps_done(progress, lesson);
    steps += lesson.steps.size();
  }
  for (const CourseChallenge& challenge : course_challenges())
    if (const auto kept = progress.challenges.find(challenge.name); kept != progress.challenges.end())
      stars += kept->second.stars;
  if (steps == 0) return;
  small_text(fmt::format("{} of {} steps · {} of {} stars", done, steps, stars,
                         most_stars * course_challenges().size()));
  if (const std::string score = calibration_text(progress); !score.empty()) small_text(score);
  progress_bar(static_cast<float>(done) / static_cast<float>(steps), ImGui::GetContentRegionAvail().x);
}

}  // namespace

void draw_learn(const AppState& state, std::string& typed, Actions& actions) {
  title("Learn");
  draw_progress(state.progress);
  Found found;
  found.entered = search_field("##search_course", "Type to search", typed);
  const float footer = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  const float height = ImGui::GetMainViewport()->Size.y * 0.8f - footer - ImGui::GetCursorPosY();
  ImGui::BeginChild("course", {0, std::max(height, scaled(120))}, ImGuiChildFlags_NavFlattened);
  if (course_lessons().empty()) quiet_text("This program has no lessons of its own. Open a folder with one.");
  draw_lessons(state, typed, found, actions);
  draw_challenges(state, typed, found, actions);
  if (!typed.empty() && !found.any) quiet_text("No lesson and no challenge has these words.");
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
