// The desktop's own file dialogs, asked without waiting for the answer.
#pragma once

#include <memory>
#include <string>

#include "app/state/actions.h"

namespace warplens {

class FileDialogs {
 public:
  FileDialogs();
  ~FileDialogs();

  // Shows them; where the desktop has none, the window's own path dialog opens instead.
  void ask_open(Actions& actions);
  void ask_file(Actions& actions);  // a kernel, a session or a picture
  void ask_save_session(Actions& actions);
  void ask_save_source(const std::string& name, Actions& actions);
  void ask_save(Actions& actions);
  // Pushes the answer once it is there.
  void poll(Actions& actions);
  bool waiting() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace warplens
