// Chooses a file to open or to save, where the desktop has no dialog of its own: the list of a folder, in
// which typing filters, and in whose field a path can be typed as well.
#pragma once

#include <string>
#include <vector>

#include "app/widgets/built.h"
#include "app/widgets/choice_list.h"
#include "app/widgets/panel.h"
#include "core/system/folder.h"

namespace warplens {

// A folder as it was when the browser came there.
struct FolderKey {
  std::string folder;
  uint64_t visit = 0;
  bool operator==(const FolderKey&) const = default;
};
struct Listing {
  FolderKey key;
  std::vector<FolderEntry> entries;
  std::string error;  // why there are none
};

struct FileBrowserState {
  std::string folder;  // kept from one dialog to the next
  ChoiceListState list;
  Built<FolderKey, Listing> listing;
  uint64_t visit = 0;
  std::string replace;  // the file that is there already, while the dialog asks
  std::string message;  // what went wrong
};

// Call it when the dialog opens.
void start_browser(const AppState& state, FileBrowserState& own, Dialog dialog);
void draw_file_browser(const AppState& state, FileBrowserState& own, Dialog dialog, Actions& actions);

}  // namespace warplens
