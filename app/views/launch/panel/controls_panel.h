// The controls of the Launch panel, which lessons show one by one.
#pragma once

#include <optional>
#include <utility>

#include "app/views/launch/model.h"
#include "app/widgets/panel.h"

namespace warplens {

// The least and the largest extent that a lesson allows; empty for what the device allows.
using ExtentRange = std::optional<std::pair<double, double>>;

void draw_argument(const AppState& state, const ArgumentRow& row, Actions& actions);
void draw_block(const AppState& state, const LaunchView& view, Actions& actions,
                const ExtentRange& range = {});
void draw_grid_size(const AppState& state, const LaunchView& view, Actions& actions,
                    const ExtentRange& range = {});
void draw_shared(const AppState& state, const LaunchView& view, Actions& actions);

}  // namespace warplens
