// The palette of commands, the list of keys, the manual, About, and what to open or to save.
#pragma once

#include "app/widgets/choice_list.h"
#include "app/widgets/panel.h"
#include "app/window/frame/file_browser.h"

namespace warplens {

struct DialogsState {
  Dialog shown = Dialog::none;  // shown in the last frame
  ChoiceListState palette;
  FileBrowserState files;
  std::string lock;             // the number that is being typed
  std::string link;             // that is being typed or pasted
  std::string course, student;  // that is searched for
  bool wrong_lock = false;
};

void draw_dialogs(const AppState& state, DialogsState& own, Actions& actions);

}  // namespace warplens
