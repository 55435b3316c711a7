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

  // Show a dialog. If the desktop has none, the window's own list of files opens instead.
  void ask_open(Actions& actions);
  void ask_file(Actions& actions);  // a kernel, a program, a session, a recording or a picture
  void ask_save_session(Actions& actions);
  void ask_save_recording(const std::string& name, Actions& actions);
  void ask_save_source(const std::string& name, Actions& actions);
  void ask_save(Actions& actions);
  void ask_save_views(Actions& actions);
  void ask_folder(Actions& actions);  // of a lesson or a challenge
  void ask_hand_in(const std::string& name, Actions& actions);
  // Pushes the answer as soon as there is one.
  void poll(Actions& actions);
  bool waiting() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace warplens
