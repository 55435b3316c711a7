// Shared by the tests of the Step view.
#pragma once

#include <unistd.h>

#include <filesystem>

#include "core/base/system/files.h"
#include "tests/ui/driver.h"

namespace warplens::step_view {

inline const StepState& step_of(Driver& d) { return d.state().step; }

// Waits until the block is open and idle, and its whole run is known.
inline bool wait_for_step(Driver& d) {
  return d.wait_until([&] { return step_of(d).shown && step_of(d).shown->timeline && !step_of(d).moving; });
}
inline bool go_to_step(Driver& d) {
  d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_5);
  d.ui->Yield(2);
  return wait_for_step(d);
}
inline bool open_step(Driver& d, const char* kernel) {
  if (!d.wait_for_result()) return false;
  d.shell.actions().push(ChooseKernel{kernel});
  return d.wait_for_result() && go_to_step(d);
}

// Calls `act`, which moves the block, and waits until it has moved.
inline bool moved_by(Driver& d, const std::function<void()>& act) {
  const auto before = step_of(d).shown;
  act();
  return d.wait_until([&] { return step_of(d).shown != before && !step_of(d).moving; });
}
inline bool press(Driver& d, ImGuiKeyChord keys) {
  return moved_by(d, [&] { d.ui->KeyPress(keys); });
}
inline bool click(Driver& d, const std::string& item) {
  return moved_by(d, [&] { d.ui->ItemClick(("//###step/" + item).c_str()); });
}
inline std::string id_of(StepMoveKind kind) { return "do:" + std::to_string(static_cast<int>(kind)); }

// A kernel of the user's own, in a file of a folder that the test removes.
class OwnKernels {
 public:
  OwnKernels()
      : m_folder(std::filesystem::temp_directory_path() / ("warplens_step_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(m_folder);
  }
  ~OwnKernels() {
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
  }
  // False if there is no compiler.
  bool open(Driver& d, const std::string& name, const std::string& text) const {
    const std::string path = (m_folder / name).string();
    if (!write_text(path, text) || !d.wait_for_result()) return false;
    d.shell.actions().push(OpenFile{path});
    d.ui->Yield(2);
    return d.wait_for_result() && d.state().setup.own_kernel != nullptr;
  }

 private:
  std::filesystem::path m_folder;
};

}  // namespace warplens::step_view
