// The commands of the Step view: one table for its buttons, its keys and the list of keys.
#pragma once

#include <span>
#include <string_view>

#include "app/base/draw/click.h"
#include "app/state/frame/commands.h"
#include "app/views/step/picture.h"

namespace warplens {

struct StepCommand {
  StepVerb verb;
  StepMoveKind move;       // of StepVerb::move
  std::string_view label;  // empty if there is no button in the row
  std::string_view words;  // what it does
  KeyPress key;
  std::string_view brief = {};  // the label where there is little room; empty if it is not there then
  bool begins = false;          // a group: move, play, jump, search
};
std::span<const StepCommand> step_commands();
// The first one of the verb; of a move, the one of its kind.
const StepCommand& step_command(StepVerb verb, StepMoveKind move = StepMoveKind::look);
Click click_of(const StepCommand& command);

}  // namespace warplens
