#include "app/widgets/cards.h"

#include <fmt/format.h>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {

void draw_fix(const Problem& problem, Actions& actions) {
  if (problem.fix && link(problem.fix->label + " ›##fix")) actions.push(ApplyFix{*problem.fix});
  if (problem.notice != 0 && link("Dismiss##dismiss")) actions.push(DismissNotice{problem.notice});
}

void draw_card(const Problem& problem, std::string_view place, Actions& actions) {
  const Palette& p = look().palette;
  const bool fault = problem.level == ProblemLevel::fault;
  begin_card(fmt::format("card_{}", place), fault ? p.fault : p.warning);
  level_glyph(problem.level);
  ImGui::SameLine();
  ImGui::PushFont(look().strong, body_size);
  show_wrapped(problem.title);
  ImGui::PopFont();
  quiet_text(problem.message);
  draw_fix(problem, actions);
  end_card();
}

}  // namespace warplens
