// The desktop's own file dialogs. The program does not wait for their answers.
#pragma once

#include <memory>
#include <string>

#include "app/state/actions.h"

namespace warplens {

class FileDialogs {
 public:
  FileDialogs();
  ~FileDialogs();

  // Shows a dialog of app/state/file_dialogs.h; the one that is open stays. If the desktop has none, the
  // window's own list of files opens instead.
  void ask(Dialog dialog, const std::string& proposed_name, Actions& actions);
  // Pushes the answer as soon as there is one.
  void poll(Actions& actions);
  bool waiting() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace warplens
