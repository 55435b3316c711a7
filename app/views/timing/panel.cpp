#include "app/views/timing/panel.h"

#include <algorithm>

#include "app/state/sweeps.h"
#include "app/widgets/widgets.h"

namespace warplens {

namespace {

// More lines are never seen at once.
constexpr size_t most_runs = 12;

std::optional<SweepKind> sweep_of(TimingMode mode) {
  if (mode == TimingMode::blocks) return SweepKind::blocks;
  if (mode == TimingMode::sizes) return SweepKind::sizes;
  return std::nullopt;
}

void add_runs(const AppState& state, TimingInput& input) {
  for (size_t i = 0; i < std::min(state.history.size(), most_runs); ++i) {
    const RunRecord& run = state.history[i];
    input.runs.push_back({run.serial, run_words(run), run.time.kernel});
  }
  const RunRecord *shown = shown_run(state), *other = compared_run(state);
  if (shown != nullptr && other != nullptr) input.comparison = compare_runs(*other, *shown);
}

TimingInput input_of(const AppState& state, TimingPanelState& own, Actions& actions) {
  TimingInput input;
  input.mode = own.mode;
  if (state.result) {
    const auto view = own.view.get(state.result, true, [&] { return view_timing(*state.result); });
    input.view = view.get();  // kept by `own`
    input.today = state.setup.block;
  }
  if (own.mode == TimingMode::runs) add_runs(state, input);
  const std::optional<SweepKind> kind = sweep_of(own.mode);
  if (!kind) return input;
  if (sweep_is_due(state, *kind)) actions.push(WantSweep{*kind});
  const SweepState& sweep = state.sweeps[static_cast<size_t>(*kind)];
  input.sweep = sweep.result.get();
  input.sweeping = sweep.wanted;
  input.sweep_error = sweep.error;
  return input;
}

void follow(const std::string& id, const TimingInput& input, TimingPanelState& own, Actions& actions) {
  if (id.empty()) return;
  if (id == timing_save_id) ImGui::OpenPopup(save_popup_id);
  if (id == timing_cancel_id) actions.push(CancelSweeps{});
  for (const TimingMode mode : all_timing_modes)
    if (id == std::string(timing_mode_id) + to_string(mode)) own.mode = mode;
  if (const auto serial = number_after(id, compare_id)) actions.push(CompareWith{*serial});
  const auto point = number_after(id, sweep_point_id);
  if (point && input.sweep && *point < input.sweep->points.size())
    actions.push(SetBlock{input.sweep->points[*point].block});
}

Picture compose(const TimingInput& shown, const Style& style, float width, float height) {
  TimingInput input = shown;
  input.interactive = false;
  Picture picture;
  picture.width = width;
  picture.title = "WarpLens: timing";
  picture.background = solid(style.palette.panel);
  const float margin = 20;
  const TimingLayout layout = draw_timing_view(picture, style, Box{0, 0, width, height}.inset(margin), input);
  picture.height = std::max(height, layout.bottom + margin);
  return picture;
}

}  // namespace

void draw_timing(const AppState& state, TimingPanelState& own, Actions& actions) {
  own.textures.collect();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const TimingInput input = input_of(state, own, actions);
  Picture picture;
  picture.width = room.x;
  const TimingLayout layout = draw_timing_view(picture, window_style(), {0, 0, room.x, room.y}, input);
  picture.height = layout.bottom;
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  follow(picture_areas(picture, origin), input, own, actions);
  draw_save_popup(
      own.save, "timing.png", state, actions,
      [&](const Style& style, float width, float height) { return compose(input, style, width, height); },
      [&] { return timing_table(input); });
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({room.x, layout.bottom});  // longer than the panel: it scrolls
}

}  // namespace warplens
