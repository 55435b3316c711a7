// Keeps a session file next to the settings while the window is open. A file that is left over means that the
// program crashed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/state/state.h"
#include "app/worker/file_worker.h"

namespace warplens {

class Autosave {
 public:
  // If the folder is empty, nothing is kept.
  explicit Autosave(std::filesystem::path folder);
  ~Autosave();  // the window was closed normally: removes the file
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  // The work that writes the session, if it has changed; at most every few seconds.
  std::optional<FileWorker::Work> keep(const AppState& state, double now_s);
  // Writes at once, for a process that ends without closing its window.
  void keep_now(const AppState& state) const;
  // Stops saving. The file stays, and the caller removes it if that is wanted.
  void stop() { m_file.clear(); }
  // The newest session that was left by a process that no longer runs, or by this process before it
  // restarted itself. Removes all of them. Null if there is none.
  std::shared_ptr<const Session> recover();

 private:
  std::filesystem::path m_folder, m_file;
  std::string m_kept;
  double m_last_s = -1e9;
};

}  // namespace warplens
