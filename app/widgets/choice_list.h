// A field for typing with a list below it. What is typed filters the list, the arrows move a mark in it, and
// Enter takes the marked row: the field keeps the keyboard all the time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

struct ChoiceRow {
  std::string id;  // unique in the list
  std::string text;
  std::string beside;   // quiet, at the right edge
  std::string hint;     // hover text
  std::string heading;  // above the row, if it differs from the heading of the row before
  bool current = false;
  bool enabled = true;
};

struct ChoiceListState {
  std::string typed;
  int marked = -1;       // row; −1 for the current one, or else the first
  bool entered = false;  // Enter was pressed in this frame
};

struct ChoiceList {
  const char* hint = "search";  // in the empty field
  const char* nothing = "Nothing has this name.";
  // The rows for what is typed, the best first.
  std::function<std::vector<ChoiceRow>(const std::string& typed)> rows;
  float height = 0;           // of the list at most
  bool keeps_height = false;  // of the list, whatever is typed
  bool marks_first = true;    // else Enter takes a row only if the arrows have marked one
  bool keeps_typed = false;   // when the popup opens
};

// In a popup, which it does not close. Returns the index of the row that was taken by Enter or a click.
std::optional<size_t> draw_choice_list(const ChoiceList& list, ChoiceListState& own);

// Keys that are held down act no longer, until they are released. Call it when a key has closed a dialog: the
// next widget would get its repetitions.
void hold_back_keys();

}  // namespace warplens
