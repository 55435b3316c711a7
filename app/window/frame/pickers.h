// The buttons that choose the kernel and the device: a list with a search field opens from each.
#pragma once

#include <string>

#include "app/widgets/choice_list.h"
#include "app/widgets/panel.h"

namespace warplens {

struct PickersState {
  ChoiceListState kernel, device;
};

std::string kernel_label(const AppState& state);
std::string device_label(const AppState& state);
float picker_width(const std::string& label);

// The kernel's title is cut where it has less than this room.
void draw_kernel_picker(const AppState& state, PickersState& own, Actions& actions, float room = 1e6f);
void draw_device_picker(const AppState& state, PickersState& own, Actions& actions);

}  // namespace warplens
