#include "app/views/step/panel.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/widgets.h"

namespace warplens {
namespace {

constexpr double slowest = 1, fastest = 64;  // lines a second

StepViewInput input_of(const AppState& state, const StepPanelState& own) {
  const StepState& step = state.step;
  StepViewInput input;
  input.shown = step.shown.get();
  input.message = !step.error.empty() ? "This block cannot be stepped: " + step.error
                  : step.request ? "Compiling it for the names of its variables, and opening the block…"
                                 : "No run yet: a block can be stepped when there is one.";
  input.request = step.request.get();
  if (step.shown && step.shown->stepped && step.shown->stepped->module) {
    const ModuleText& code = *step.shown->stepped->module;
    input.source = code.source;
    input.source_name = code.source_name;
    input.ptx = code.ptx;
  }
  input.block = step.block;
  if (state.runs.result) {
    input.grid = state.runs.result->shape.grid;
    input.threads = state.runs.result->shape.block;
  }
  input.lane = step.lane;
  input.show_ptx = own.show_ptx;
  input.playing = step.playing;
  input.lines_per_second = step.lines_per_second;
  input.moving = step.moving;
  return input;
}

StepMove move_of(const StepState& step, StepMoveKind kind, uint64_t value = 0) {
  StepMove move{kind};
  move.warp = step.shown ? step.shown->warp : 0;
  move.value = value;
  return move;
}

void follow(const std::string& id, const AppState& state, StepPanelState& own, Actions& actions) {
  const StepState& step = state.step;
  const auto go = [&](StepMoveKind kind, uint64_t value = 0) {
    actions.push(StepBy{move_of(step, kind, value)});
  };
  if (id == step_ptx_id) own.show_ptx = !own.show_ptx;
  if (id == step_start_id) go(StepMoveKind::to_position);
  if (id == step_play_id) actions.push(StepPlay{!step.playing, step.lines_per_second});
  if (id == step_slower_id)
    actions.push(StepPlay{step.playing, std::max(slowest, step.lines_per_second / 2)});
  if (id == step_faster_id)
    actions.push(StepPlay{step.playing, std::min(fastest, step.lines_per_second * 2)});
  if (const auto kind = number_after(id, step_do_id)) go(static_cast<StepMoveKind>(*kind));
  if (const auto line = number_after(id, step_line_id)) go(StepMoveKind::to_line, *line);
  if (const auto lane = number_after(id, step_lane_id)) actions.push(ShowLane{static_cast<uint32_t>(*lane)});
  if (const auto warp = number_after(id, step_warp_id)) {
    StepMove look{StepMoveKind::look};
    look.warp = static_cast<uint32_t>(*warp);
    actions.push(StepBy{look});
  }
}

void scrub(const AppState& state, const StepLayout& layout, ImVec2 origin, Actions& actions) {
  const Canvas canvas = canvas_item("##scrubber", layout.scrubber, origin);
  const StepSnapshot& shown = *state.step.shown;
  const uint64_t length = shown.length.value_or(shown.recorded);
  const bool dragged = ImGui::IsItemActive() || canvas.clicked;
  if (!dragged || length == 0 || layout.scrubber.width <= 0) return;
  const double share =
      std::clamp(double(canvas.at.x - layout.scrubber.x) / double(layout.scrubber.width), 0.0, 1.0);
  const auto position = static_cast<uint64_t>(std::lround(share * double(length)));
  if (position != shown.position)
    actions.push(StepBy{move_of(state.step, StepMoveKind::to_position, position)});
}

void use_keys(const AppState& state, Actions& actions) {
  if (ImGui::GetIO().WantTextInput) return;
  struct Row {
    ImGuiKeyChord key;
    StepMoveKind kind;
  };
  constexpr Row rows[] = {{ImGuiKey_F10, StepMoveKind::line},
                          {ImGuiMod_Shift | ImGuiKey_F10, StepMoveKind::back_line},
                          {ImGuiMod_Alt | ImGuiKey_F10, StepMoveKind::instruction},
                          {ImGuiKey_Home, StepMoveKind::to_position},
                          {ImGuiKey_End, StepMoveKind::to_end}};
  for (const Row& row : rows)
    if (ImGui::Shortcut(row.key, ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_Repeat) && !state.step.moving)
      actions.push(StepBy{move_of(state.step, row.kind)});
  if (ImGui::Shortcut(ImGuiKey_P, ImGuiInputFlags_RouteGlobal))
    actions.push(StepPlay{!state.step.playing, state.step.lines_per_second});
}

}  // namespace

void draw_step(const AppState& state, StepPanelState& own, Actions& actions) {
  own.picture.textures.collect();
  // A new tab is drawn once, also behind others. Nothing is opened for that.
  const bool looked_at = state.frame.view == View::step || !ImGui::IsWindowDocked();
  if (looked_at && step_is_due(state)) actions.push(OpenStep{});
  StepViewInput input = input_of(state, own);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  StepLayout layout;
  const auto draw = [&](Picture& picture, const Style& style, Box box, bool interactive) {
    input.interactive = interactive;
    StepLayout drawn = draw_step_view(picture, style, box, input);
    if (interactive) layout = drawn;
    return drawn.bottom;
  };
  const std::string id = draw_scrolled({"step", draw, {}, {}}, own.picture, state, actions);
  follow(id, state, own, actions);
  if (!state.step.shown) return;
  scrub(state, layout, origin, actions);
  use_keys(state, actions);
}

std::unique_ptr<ViewPanel> make_step_panel() { return make_panel<StepPanelState, draw_step>(); }

}  // namespace warplens
