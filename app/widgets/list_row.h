// A row of a list of things to choose: a number, a title, a sentence about it, a word at the right, and how
// much of it is done.
#pragma once

#include <string>

namespace warplens {

struct ListRow {
  std::string number, title, about, beside;
  float share = -1;   // of what is done; below 0 for none
  bool next = false;  // the one to take next, which stands out
};

// It can be clicked, and reached by Tab.
bool draw_list_row(const std::string& id, const ListRow& row);

// A bar of this width at the cursor.
void progress_bar(float share, float width);

// A field that filters the list below it. True in the frame in which Enter was pressed. It has the keyboard
// when the dialog opens.
bool search_field(const char* id, const char* hint, std::string& typed);
// Whether a text has every word that was typed, in upper or lower case.
bool is_found(const std::string& typed, const std::string& text);

}  // namespace warplens
