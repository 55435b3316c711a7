// Every command of the program in one table: menus, palette and shortcuts read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

enum class Menu : uint8_t { file, run, view, help, none };  // none: in the palette only

struct KeyPress {
  bool ctrl = false, shift = false;
  std::string_view name;  // "F5", "O", "+", "Esc", empty: no key
};

struct Command {
  Menu menu = Menu::none;
  std::string title;
  KeyPress key;
  Action action;
  bool enabled = true;
  bool checked = false;
  bool separator = false;  // in the menu, a line above it
};

std::string key_text(const KeyPress& key);  // "Ctrl+Shift+Z"

// Commands of the menus, in their order.
std::vector<Command> menu_commands(const AppState& state);
// Those, and one for each kernel, device, sample picture and warning's fix.
std::vector<Command> all_commands(const AppState& state);

// Rank of a command for what was typed: every word must occur, in any order, without case; a word at the
// start of a word of the title counts more. 0: does not match.
int match_score(std::string_view title, std::string_view typed);
// The matching ones, best first; all of them where nothing was typed.
std::vector<size_t> matching_commands(const std::vector<Command>& commands, std::string_view typed);

}  // namespace warplens
