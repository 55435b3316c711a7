#include "app/window/frame/class_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/classroom/class_report.h"
#include "app/state/parts/course.h"
#include "app/widgets/list_row.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

constexpr size_t most_places = 12;  // of wrong answers

void draw_judging(const ClassState& of, Actions& actions) {
  if (main_button("Judge the answers", !of.working && !of.judged && of.report != nullptr))
    actions.push(OpenClass{of.folder, of.names, true});
  hover_text(
      "Judges every answer again, each in its own process, as warplens grade does. Until then the stars are "
      "those that the students' own programs report.");
  wrap_before(on_off_width("Names"));
}

void draw_choices(const AppState& state, Actions& actions) {
  const ClassState& of = state.classroom;
  if (!state.frame.in_a_page) draw_judging(of, actions);  // which starts no processes
  if (on_off("Names", of.names, !of.working)) actions.push(OpenClass{of.folder, !of.names, of.judged});
  hover_text(
      "With the names in the hand-ins and their files, in place of made-up ones that you can show to the "
      "class.");
  wrap_before(chip_width("Save as a page…"));
  if (chip("Save as a page…", false, of.report != nullptr)) actions.push(SaveClassPage{});
  wrap_before(chip_width("Another class…"));
  if (chip("Another class…", false, !of.working)) actions.push(OpenClass{});
}

size_t steps_of_the_course() {
  size_t steps = 0;
  for (const CourseLesson& lesson : course_lessons()) steps += lesson.steps.size();
  return std::max<size_t>(steps, 1);
}

// A bar of the whole course, with the number of steps beside it.
void draw_steps_cell(size_t steps, size_t of) {
  const float number = text_width("999") + scaled(8), room = ImGui::GetContentRegionAvail().x - number;
  const std::string words = std::to_string(steps);
  ImGui::TextUnformatted(words.c_str());
  if (room < scaled(30)) return;
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPos({ImGui::GetCursorPosX() + number - text_width(words),
                       ImGui::GetCursorPosY() + ImGui::GetTextLineHeight() * 0.5f - scaled(1.5f)});
  progress_bar(static_cast<float>(steps) / static_cast<float>(of), room);
}

void draw_student(const ClassStudent& student, size_t steps) {
  const bool said = std::ranges::any_of(student.stars, [](const auto& one) { return !one.second.judged; });
  ImGui::TableNextRow();
  const auto cell = [](const std::string& words) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(cut_to(words, ImGui::GetContentRegionAvail().x).c_str());
  };
  cell(student.name);
  cell(student.where);
  ImGui::TableNextColumn();
  draw_steps_cell(student.steps, steps);
  cell(std::to_string(minutes_of(student)));
  cell(fmt::format("{} ★{}", stars_of(student), said ? " ?" : ""));
}

// Where `room` is too low for the list, all of the dialog's part scrolls instead.
void draw_students(const ClassReport& report, const std::string& typed, float room) {
  std::vector<const ClassStudent*> found;
  for (const ClassStudent& student : report.students)
    if (is_found(typed, student.name + " " + student.where)) found.push_back(&student);
  if (found.empty()) return quiet_text("No student has these words.");
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  const float row = ImGui::GetTextLineHeightWithSpacing() + 2 * ImGui::GetStyle().CellPadding.y;
  const float rows = static_cast<float>(std::min<size_t>(report.students.size(), 14) + 1);
  const bool scrolls = rows * row <= room;
  if (!ImGui::BeginTable("students", 5, scrolls ? flags | ImGuiTableFlags_ScrollY : flags,
                         {0, scrolls ? rows * row : 0}))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  const std::pair<const char*, float> columns[] = {
      {"student", 2.2f}, {"furthest lesson", 3}, {"steps done", 1.8f}, {"minutes", 1.2f}, {"stars", 1.2f}};
  for (const auto& [title, share] : columns)
    ImGui::TableSetupColumn(shown_label(title).c_str(), ImGuiTableColumnFlags_WidthStretch, share);
  ImGui::TableHeadersRow();
  const size_t steps = steps_of_the_course();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_student(*found[static_cast<size_t>(i)], steps);
  ImGui::EndTable();
}

void draw_mistakes(const char* title, const std::vector<ClassMistakes>& all) {
  if (all.empty()) return;
  heading(title);
  for (size_t i = 0; i < std::min(all.size(), most_places); ++i) {
    body_text(fmt::format("{} of {}: {}", all[i].wrong, all[i].students, all[i].where));
    if (!all[i].commonest.empty()) small_text(commonest_words(all[i]));
  }
  if (all.size() > most_places) quiet_text(fmt::format("and {} more, on the page", all.size() - most_places));
}

}  // namespace

void draw_class_table(const AppState& state, std::string& typed, Actions& actions) {
  const ClassState& of = state.classroom;
  title("Class");
  quiet_text(of.folder);
  draw_choices(state, actions);
  if (of.working) quiet_text(of.report ? "The answers are being judged…" : "The hand-ins are being read…");
  if (!of.error.empty()) body_text(of.error);
  if (!of.report) return;
  body_text(class_head(*of.report));
  search_field("##search_class", "Type to search", typed);
  const float room = std::max(ImGui::GetMainViewport()->Size.y * 0.88f - ImGui::GetCursorPosY(), scaled(80));
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, room});
  ImGui::BeginChild("class", {0, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AutoResizeY);
  draw_students(*of.report, typed, room);
  draw_mistakes("Questions that most got wrong", of.report->questions);
  draw_mistakes("Answers that were rejected", of.report->rejections);
  if (!of.report->said.empty()) heading("Not in the table");
  for (const std::string& sentence : of.report->said) small_text(sentence);
  ImGui::EndChild();
}

}  // namespace warplens
