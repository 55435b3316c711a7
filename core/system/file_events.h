// Sleeps until the system tells of a change of a file. It does not for every file system (those of other
// machines, and of a host of this one), so a sleeper looks again by itself from time to time.
#pragma once

#include <chrono>
#include <string>

namespace warplens {

class FileEvents {
 public:
  FileEvents();
  ~FileEvents();
  FileEvents(const FileEvents&) = delete;
  FileEvents& operator=(const FileEvents&) = delete;

  // The file that is slept for, and whether the system can tell of it: it watches the file's folder, so the
  // file may be replaced or not be there yet. Empty: none.
  bool watch(const std::string& path);
  // Returns when something changed in the folder, when wake() was called, or after `longest`.
  void sleep(std::chrono::milliseconds longest);
  // From any thread: ends a sleep, also one that has not begun.
  void wake();

 private:
  [[maybe_unused]] int m_events = -1, m_waker = -1, m_folder = -1;  // unused without a system
};

}  // namespace warplens
