// The desktop's own file dialogs. The program does not wait for their answers.
#pragma once

#include <string>

#include "app/host/file_dialog.h"
#include "app/state/actions.h"

namespace warplens {

struct FileDialog;

class FileDialogs {
 public:
  // Shows a dialog of app/state/files/file_dialogs.h; the one that is open stays. If the desktop has none,
  // the window's own list of files opens instead.
  void ask(Dialog dialog, const std::string& proposed_name, Actions& actions);
  // Pushes the answer as soon as there is one.
  void poll(Actions& actions);
  bool waiting() const { return m_dialog.waiting(); }

 private:
  host::FileDialog m_dialog;
  const FileDialog* m_asked = nullptr;
};

}  // namespace warplens
