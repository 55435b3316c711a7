#include "app/views/launch/panel/changes_panel.h"

#include <algorithm>

#include "app/views/launch/panel/controls_panel.h"
#include "app/widgets/cards.h"
#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

void draw_order_row(const AppState& state, const lesson::Change& change, Actions& actions) {
  SliderRow row{"order", "order of warps and blocks (0: one after the other)", double(state.setup.order), 0,
                99};
  row.label_above = true;
  if (change.range) {
    row.minimum = change.range->first;
    row.maximum = change.range->second;
  }
  const SliderChange moved = slider_row(row);
  if (moved.changed)
    actions.push(SetOrder{static_cast<uint64_t>(std::max(moved.value, 0.0)), moved.dragging});
}

// A control of the Launch panel, with the range that the step allows.
void draw_change(const AppState& state, const LaunchView& launch, const lesson::Change& change,
                 Actions& actions) {
  if (change.name == "block") return draw_block(state, launch, actions, change.range);
  if (change.name == "grid") return draw_grid_size(state, launch, actions, change.range);
  if (change.name == "shared") return draw_shared(state, launch, actions);
  if (change.name == "order") return draw_order_row(state, change, actions);
  if (change.name == "code") {
    const View view = state.program.run.given ? View::program : View::code;
    if (state.frame.view != view && chip("Open the code")) actions.push(ShowView{view});
    return;
  }
  for (ArgumentRow row : launch.arguments) {
    const bool wanted = row.name == change.name || (change.name == "seed" && row.control == Control::seed) ||
                        (change.name == "image" && row.control == Control::image);
    if (!wanted) continue;
    if (change.range) {
      row.minimum = std::max(row.minimum, change.range->first);
      row.maximum = std::min(row.maximum, change.range->second);
      if (row.control == Control::log_slider && row.maximum < 8 * std::max(row.minimum, 1.0))
        row.control = Control::slider;
    }
    draw_argument(state, row, actions);
  }
}

}  // namespace

void draw_changes_of(const AppState& state, const LaunchView& launch,
                     const std::vector<lesson::Change>& changes, Actions& actions) {
  for (const lesson::Change& change : changes) draw_change(state, launch, change, actions);
  if (launch.refusal) draw_card(*launch.refusal, "lesson", actions);  // next to its cause
}

}  // namespace warplens
