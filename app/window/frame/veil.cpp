#include "app/window/frame/veil.h"

#include <imgui.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/launch/marker_plot.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/masked_figure.h"
#include "core/lesson/goals/facts.h"

namespace warplens {

std::string veiled_because(const AppState& state, View view) {
  const auto hides = [&](std::initializer_list<std::string_view> groups) {
    return std::ranges::any_of(groups, [&](std::string_view group) { return any_hidden(state, group); });
  };
  bool covered = false;
  switch (view) {
    case View::grid:
      covered = hides({"launch.blocks", "launch.threads"});
      break;
    case View::image:
      covered = hides({"result"});
      break;
    case View::memory:
      covered = hides({"counters"});
      break;
    case View::occupancy:
      covered = hides({"occupancy", "limit", "limiter"});
      break;
    case View::timing:
      covered = hides({"time"});
      break;
    case View::profile:
      covered = hides(
          {"counters", "time", "occupancy", "limit", "limiter", "launch.blocks", "launch.threads", "sm"});
      break;
    case View::sm:
      covered = hides({"sm", "occupancy", "time", "launch.blocks"});
      break;
    case View::code:
      covered = hides({"code"});
      break;
    case View::inspector:
      covered = hides({"inspector", "formula"});
      break;
    default:
      break;
  }
  if (!covered) return "";
  return state.lesson.is_open() ? "Hidden until you have answered" : "Hidden until you have guessed";
}

namespace {

// Whether a marker is asked for on a plot of this view: then its empty plot is drawn.
bool draw_marker_plot(const AppState& state, View view, float height, Actions& actions) {
  const auto asked = marker_plot(state, view, window_style(), ImGui::GetContentRegionAvail().x, height);
  if (!asked) return false;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const Box& plot = asked->plot;
  ImGui::SetCursorScreenPos({origin.x + plot.x, origin.y + plot.y});
  ImGui::InvisibleButton("##plot_marker", {plot.width, plot.height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemActive())
    actions.push(
        SetAnswer{asked->question, lesson::NumberAnswer{asked->value_at(ImGui::GetMousePos().x - origin.x)}});
  TextureCache none;  // there is no image in it
  draw_picture(asked->picture, origin, *ImGui::GetWindowDrawList(), none);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({asked->picture.width, height});
  return true;
}

// The source that runs; empty where it is hidden too, or where its formula is what is asked for. Without the
// comment that is WarpLens's own: what it says stands above, and a student would take it for CUDA.
std::string code_to_guess_from(const AppState& state) {
  if (any_hidden(state, "code") || any_hidden(state, "formula") || !state.setup.kernel) return {};
  std::string code = state.code.own ? state.code.text : state.setup.kernel->source;
  constexpr std::string_view comment = "// warplens:";
  for (size_t at = 0; at < code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size() - 1) + 1;
    if (std::string_view(code).substr(at).starts_with(comment))
      code.erase(at, end - at);
    else
      at = end;
  }
  return code;
}

}  // namespace

std::vector<std::string> given_to_guess(const AppState& state) {
  std::vector<std::string> lines;
  if (!state.setup.kernel || !state.setup.outlook.error.empty()) return lines;
  const LaunchShape& shape = state.setup.outlook.shape;
  if (any_hidden(state, "launch.blocks"))
    lines.push_back(extent_text(shape.block) + " threads a block");
  else
    lines.push_back(extent_text(shape.grid) + (shape.grid.count() == 1 ? " block of " : " blocks of ") +
                    extent_text(shape.block) + " threads");
  for (const auto* list : {&state.setup.kernel->settings, &state.setup.kernel->arguments})
    for (const KernelArgument& argument : *list) {
      if (argument.is_buffer || !argument.expression.empty() || any_hidden(state, argument.name)) continue;
      const auto chosen = state.setup.launch.values.find(argument.name);
      lines.push_back(
          argument.name + " = " +
          lesson::number_text(chosen == state.setup.launch.values.end() ? argument.value : chosen->second));
    }
  return lines;
}

namespace {

void draw_given(const AppState& state, const std::string& code) {
  ImGui::BeginChild("given", {0, 0}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_HorizontalScrollbar);
  heading("What you know");
  for (const std::string& line : given_to_guess(state)) body_text(line);
  ImGui::Dummy({0, scaled(4)});
  mono_text(code);
  ImGui::EndChild();
}

// The picture without what is asked for: its cells can be pointed at and clicked.
void draw_masked(const AppState& state, ViewPanel& panel, const std::string& words, Actions& actions) {
  quiet_text("? " + words);
  const std::string code = code_to_guess_from(state);
  const float room = ImGui::GetContentRegionAvail().y;
  const bool with_code = !code.empty() && room > 20 * ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("masked", {0, with_code ? room * 0.55f : 0}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  panel.draw(state, actions);
  ImGui::EndChild();
  if (with_code) draw_given(state, code);
}

}  // namespace

void draw_veil(const AppState& state, View view, const std::string& words, ViewPanel& panel,
               Actions& actions) {
  if (view == View::image) return draw_masked(state, panel, words, actions);
  const float height = ImGui::GetContentRegionAvail().y;
  if (!draw_marker_plot(state, view, std::clamp(height * 0.6f, scaled(90), scaled(340)), actions)) {
    quiet_text("? " + words);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float figure = std::min(height * 0.4f, scaled(240));
    draw_masked_figure(state, view, {at.x, at.y + scaled(6), room.x, figure});
    ImGui::Dummy({room.x, figure + scaled(18)});
  }
  const std::string code = code_to_guess_from(state);
  if (code.empty() || ImGui::GetContentRegionAvail().y < 6 * ImGui::GetTextLineHeightWithSpacing()) return;
  draw_given(state, code);
}

}  // namespace warplens
