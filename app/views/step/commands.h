// The commands of the Step view: one table for its buttons, its keys and the list of keys.
#pragma once

#include <span>
#include <string_view>

#include "app/state/frame/commands.h"

namespace warplens {

struct StepCommand {
  std::string_view id;     // of its button
  std::string_view label;  // empty if there is no button in the row
  std::string_view words;  // what it does
  KeyPress key;
  std::string_view brief = {};  // the label where there is little room; empty if it is not there then
  bool begins = false;          // a group: move, play, jump, search
};
std::span<const StepCommand> step_commands();
const StepCommand& step_command(std::string_view id);

}  // namespace warplens
