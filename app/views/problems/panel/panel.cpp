#include "app/views/problems/panel/panel.h"

#include <algorithm>
#include <utility>

#include "app/state/parts/problems.h"
#include "app/state/runs/shown_run.h"
#include "app/widgets/cards.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

uint32_t edge_colour(ProblemLevel level) {
  const Palette& p = look().palette;
  if (level == ProblemLevel::fault) return p.fault;
  return level == ProblemLevel::note ? p.accent : p.warning;
}

void draw_place(const Problem& problem) {
  // Most messages name the thread themselves.
  const bool named = problem.message.find("block (") != std::string::npos;
  const std::string place = place_text(problem), thread = named ? "" : thread_text(problem);
  for (const std::string& part : {place, thread}) {
    if (part.empty()) continue;
    ImGui::PushFont(look().mono, body_size);
    wrap_before(size_of_words(part).x);
    ImGui::PopFont();
    mono_text(part, look().palette.quiet);
  }
}

void draw_problem(const Problem& problem, size_t index, Actions& actions) {
  ImGui::PushID(static_cast<int>(index));
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImGui::Indent(scaled(12));
  ImGui::BeginGroup();
  level_glyph(problem.level);
  ImGui::SameLine();
  ImGui::PushFont(look().strong, body_size);
  show_wrapped(problem.title);
  ImGui::PopFont();
  draw_place(problem);
  quiet_text(problem.message);
  if (!problem.consequence.empty()) quiet_text("A program that does not check: " + problem.consequence);
  ImGui::EndGroup();
  if (problem.block) {
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    hover_text("Click: show this block and thread in every view");
    if (ImGui::IsItemClicked()) actions.push(SelectProblem{index});
  }
  if (problem.launch != 0 && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (problem.launch != 0 && ImGui::IsItemClicked()) actions.push(SelectProblem{index});
  draw_fix(problem, actions);
  if ((problem.block || problem.launch != 0) && problem.level <= ProblemLevel::finding &&
      link("Step to this ›##step"))
    actions.push(StepToProblem{index});
  if (problem.finding) {
    ImGui::SameLine(0, scaled(14));
    if (link("Both orders ›##orders")) actions.push(StepToProblem{index, true});
    hover_text("Run the block twice, with either access first, and compare the two results");
  }
  ImGui::Unindent(scaled(12));
  const float bottom = ImGui::GetItemRectMax().y;
  ImGui::GetWindowDrawList()->AddRectFilled(start, {start.x + scaled(4), bottom},
                                            colour(edge_colour(problem.level)), scaled(2));
  ImGui::Dummy({0, scaled(2)});
  ImGui::PopID();
}

// Draws the output of printf. Dear ImGui skips the lines outside of the child window, so a full buffer takes
// no longer.
void draw_console(const std::string& console) {
  ImGui::Spacing();
  ImGui::PushFont(look().strong, body_size);
  show_words("Console");
  ImGui::PopFont();
  ImGui::PushFont(look().mono, body_size);
  const float height = std::max(scaled(120), ImGui::GetContentRegionAvail().y);
  if (ImGui::BeginChild("console", {0, height}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar))
    ImGui::TextUnformatted(console.data(), console.data() + console.size());
  ImGui::EndChild();
  ImGui::PopFont();
}

}  // namespace

void draw_problems(const AppState& state, ProblemsPanelState& own, Actions& actions) {
  // A new fault, finding or error stands first, and is scrolled to.
  const bool wrong = !state.problems.all.empty() && state.problems.all.front().level <= ProblemLevel::error &&
                     state.problems.all.front().level != ProblemLevel::warning;
  std::string worst = wrong ? state.problems.all.front().title + state.problems.all.front().message : "";
  if (!worst.empty() && worst != own.worst) ImGui::SetScrollY(0);
  own.worst = std::move(worst);
  if (state.problems.all.empty()) {
    quiet_text("Nothing is wrong: no fault, no warning.");
  }
  for (size_t i = 0; i < state.problems.all.size(); ++i) draw_problem(state.problems.all[i], i, actions);
  if (!is_about_program(state) && speaks_of_shown_run(state) && !state.runs.result->console.empty())
    draw_console(state.runs.result->console);
}

namespace {

class ProblemsPanel : public PanelOf<ProblemsPanelState, draw_problems> {
 public:
  std::string beside_title(const AppState& state) const override {
    return state.problems.all.empty() ? "" : " " + std::to_string(state.problems.all.size());
  }
};

}  // namespace

std::unique_ptr<ViewPanel> make_problems_panel() { return std::make_unique<ProblemsPanel>(); }

}  // namespace warplens
