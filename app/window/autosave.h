// Keeps a session beside the settings while the window is open; one that is left over tells of a crash.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/state/state.h"

namespace warplens {

class Autosave {
 public:
  // An empty folder: nothing is kept.
  explicit Autosave(std::filesystem::path folder);
  ~Autosave();  // the window was closed in good order: what was kept goes
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  // Writes when the session is another one, every few seconds at most.
  void keep(const AppState& state, double now_s);
  // Writes at once, because this process ends without closing its window.
  void keep_now(const AppState& state);
  // The newest one that a process left which is no more, or that this one left before it began anew; removes
  // all of them. Null: none.
  std::shared_ptr<const Session> recover();

 private:
  std::filesystem::path m_folder, m_file;
  std::string m_kept;
  double m_last_s = -1e9;
};

}  // namespace warplens
