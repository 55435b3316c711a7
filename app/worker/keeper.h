// Keeps on disk what the window remembers between starts: settings, layout, progress and drafts. It writes
// what has changed, durably, and says once if a file cannot be written.
//
// Each window that is open at the same time has drafts of its own, drafts-1.json and so on. A lock file next
// to it says that its window is open, whatever ends the program.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/state/parts/drafts.h"
#include "app/worker/file_worker.h"

namespace warplens {

struct KeptFile {
  std::string name, text;
};

class Keeper {
 public:
  // If the folder is empty, nothing is kept.
  explicit Keeper(std::filesystem::path folder);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // What windows that are closed now have left, the newest on top of the others; or else what another window
  // has that is open. Null if there is nothing.
  std::shared_ptr<const OfferedPlace> found() const { return m_found; }
  // What could not be read of it, with the file that was kept for it. Empty if all could be read.
  const std::string& unread() const { return m_unread; }
  const std::string& name_of_drafts() const;

  // The work that writes those files whose text is not on disk yet. Nothing if there is none.
  std::optional<FileWorker::Work> keep(std::vector<KeptFile> files);
  // Writes at once, when the window closes.
  void keep_now(const std::vector<KeptFile>& files);
  // Removes a file. It is written again when its text changes.
  void forget(const std::string& name);
  // Removes all of them, and writes none any more.
  void forget_all();

 private:
  struct Disk;  // what is on disk, shared with the file worker

  void take_place();
  void read_drafts(const std::vector<std::string>& closed, const std::vector<std::string>& open);

  std::filesystem::path m_folder;
  int m_lock;
  std::shared_ptr<Disk> m_disk;
  std::shared_ptr<const OfferedPlace> m_found;
  std::string m_unread;
};

}  // namespace warplens
