#include "app/views/timing/panel/panel.h"

#include <algorithm>

#include "app/state/parts/sweeps.h"
#include "app/views/model/baseline.h"
#include "app/views/model/lesson_marks.h"
#include "app/views/model/run_differences.h"
#include "app/widgets/widgets.h"

namespace warplens {

namespace {

// As lessons and sessions name the modes.
constexpr std::array<std::string_view, 6> timing_part_names = {"steps", "timer",    "blocks",
                                                               "sizes", "roofline", "runs"};

// More lines are never visible at once.
constexpr size_t most_runs = 12;

std::optional<SweepKind> sweep_of(TimingMode mode) {
  if (mode == TimingMode::blocks) return SweepKind::blocks;
  if (mode == TimingMode::sizes) return SweepKind::sizes;
  return std::nullopt;
}

void add_runs(const AppState& state, TimingInput& input) {
  const std::vector<std::string> differences = run_differences(state.runs.history);
  for (size_t i = 0; i < std::min(state.runs.history.size(), most_runs); ++i) {
    const RunRecord& run = state.runs.history[i];
    input.runs.push_back({run.serial, run_words(run, differences[i]), run.time.kernel});
  }
  const RunRecord *shown = shown_run(state), *other = compared_run(state);
  if (shown != nullptr && other != nullptr) input.comparison = compare_runs(*other, *shown);
}

TimingInput input_of(const AppState& state, TimingPanelState& own, Actions& actions) {
  TimingInput input;
  input.mode = own.mode;
  if (state.runs.result) {
    const auto view = own.view.get(state.runs.result, true, [&] { return view_timing(*state.runs.result); });
    input.view = view.get();  // kept by `own`
    input.today = state.setup.launch.block;
  }
  if (const RunRecord* baseline = baseline_of(state); baseline && baseline->result) {
    input.baseline =
        own.baseline.get(baseline->result, true, [&] { return view_timing(*baseline->result); }).get();
    input.baseline_label = baseline->label;
  }
  if (own.mode == TimingMode::runs) add_runs(state, input);
  const std::optional<SweepKind> kind = sweep_of(own.mode);
  if (!kind) return input;
  if (sweep_is_due(state, *kind)) actions.push(WantSweep{*kind});
  const SweepState& sweep = state.sweeps[static_cast<size_t>(*kind)];
  if (!sweep.of || !same_sweep(*kind, *sweep.of, state.setup.choice())) return input;  // of another kernel
  input.sweep = sweep.result.get();
  input.sweeping = sweep.wanted;
  input.sweep_error = sweep.error;
  input.marks = lesson_marks(state, timing_part_names[static_cast<size_t>(own.mode)]);
  return input;
}

void follow(const Click& click, const TimingInput& input, TimingPanelState& own, Actions& actions) {
  if (click.is(TimingVerb::cancel)) actions.push(CancelSweeps{});
  if (click.is(TimingVerb::mode)) own.mode = static_cast<TimingMode>(click.number());
  if (click.is(TimingVerb::compare)) actions.push(PinBaseline{click.number()});
  if (click.is(TimingVerb::point) && input.sweep && click.number() < input.sweep->points.size())
    actions.push(SetBlock{input.sweep->points[click.number()].block});
}

}  // namespace

void draw_timing(const AppState& state, TimingPanelState& own, Actions& actions) {
  own.picture.textures.collect();
  follow_part(state, View::timing, own.part, [&](std::string_view part) {
    for (size_t i = 0; i < all_timing_modes.size(); ++i)
      if (part == timing_part_names[i]) own.mode = all_timing_modes[i];
  });
  tell_part(View::timing, timing_part_names[static_cast<size_t>(own.mode)], own.part, actions);
  TimingInput input = input_of(state, own, actions);
  const auto draw = [&](Picture& picture, const Style& style, Box box, bool interactive) {
    input.interactive = interactive;
    return draw_timing_view(picture, style, box, input).bottom;
  };
  const Click click =
      draw_scrolled({"timing", draw, [&] { return timing_table(input); }}, own.picture, state, actions);
  follow(click, input, own, actions);
}

std::unique_ptr<ViewPanel> make_timing_panel() { return make_panel<TimingPanelState, draw_timing>(); }

}  // namespace warplens
