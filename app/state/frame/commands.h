// All commands of the program in one table, which menus, palette and shortcuts use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

enum class Menu : uint8_t { file, run, view, learn, help, none };  // none: only in the palette

struct KeyPress {
  bool ctrl = false, shift = false;
  std::string_view name;  // "F5", "O", "+", "Esc"; empty if there is no key
  bool alt = false;
};

struct Command {
  Menu menu = Menu::none;
  std::string title;
  KeyPress key;
  Action action;
  bool enabled = true;
  bool checked = false;
  bool separator = false;  // a line above it in the menu
  std::string words = {};  // what else the palette finds it by
};

// Whether the key types, moves or changes something in a text field, so that it is the field's while the user
// types.
bool belongs_to_text(const KeyPress& key);
std::string key_text(const KeyPress& key);  // "Ctrl+Shift+Z"

// The commands of the menus, in their order.
std::vector<Command> menu_commands(const AppState& state);
// The same, and a command for each kernel, device, sample picture and fix of a warning.
std::vector<Command> all_commands(const AppState& state);

// The rank of a title for the typed words. Every word must occur, in any order, in upper or lower case, in
// the title or in the further `words`; one in the title counts more, and most at its start or at the start of
// a word. The whole title comes first. 0 if it does not match.
int match_score(std::string_view title, std::string_view typed, std::string_view words = {});
// Words that find a kernel, in addition to its title.
std::string words_of(const KernelDescription& kernel);
// The matching commands, best first. All of them if nothing was typed.
std::vector<size_t> matching_commands(const std::vector<Command>& commands, std::string_view typed);

}  // namespace warplens
