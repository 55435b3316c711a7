#include "app/window/frame/class_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/classroom/class_report.h"
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

void draw_students(const ClassReport& report) {
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  const float row = ImGui::GetTextLineHeightWithSpacing() + 2 * ImGui::GetStyle().CellPadding.y;
  const float rows = static_cast<float>(std::min<size_t>(report.students.size(), 14) + 1);
  if (!ImGui::BeginTable("students", 5, flags, {0, rows * row})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  const std::pair<const char*, float> columns[] = {
      {"student", 2.2f}, {"furthest lesson", 4}, {"steps done", 1.2f}, {"minutes", 1}, {"stars", 1}};
  for (const auto& [title, share] : columns)
    ImGui::TableSetupColumn(shown_label(title).c_str(), ImGuiTableColumnFlags_WidthStretch, share);
  ImGui::TableHeadersRow();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(report.students.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ClassStudent& student = report.students[static_cast<size_t>(i)];
      const bool said =
          std::ranges::any_of(student.stars, [](const auto& one) { return !one.second.judged; });
      const std::string cells[] = {student.name, student.where, std::to_string(student.steps),
                                   std::to_string(minutes_of(student)),
                                   fmt::format("{}{}", stars_of(student), said ? "?" : "")};
      ImGui::TableNextRow();
      for (const std::string& cell : cells) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(cell.c_str());
      }
    }
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

void draw_class_table(const AppState& state, Actions& actions) {
  const ClassState& of = state.classroom;
  title("Class");
  quiet_text(of.folder);
  draw_choices(state, actions);
  if (of.working) quiet_text(of.report ? "The answers are being judged…" : "The hand-ins are being read…");
  if (!of.error.empty()) body_text(of.error);
  if (!of.report) return;
  ImGui::BeginChild("class", {0, ImGui::GetMainViewport()->Size.y * 0.7f}, ImGuiChildFlags_NavFlattened);
  body_text(class_head(*of.report));
  draw_students(*of.report);
  draw_mistakes("Questions that most got wrong", of.report->questions);
  draw_mistakes("Answers that were rejected", of.report->rejections);
  if (!of.report->said.empty()) heading("Not in the table");
  for (const std::string& sentence : of.report->said) small_text(sentence);
  ImGui::EndChild();
}

}  // namespace warplens
