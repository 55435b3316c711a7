// The folder of a program that runs: made for it, gone with it, and found again where its launcher was
// killed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/user_program/environment.h"
#include "core/base/result.h"

namespace warplens::program_run {

bool is_there(const std::string& path);

// The description of a launcher in its folder.
struct FolderNote {
  std::vector<std::string> command;
  std::string device;
  bool record = false;
  uint64_t record_limit = 0;
};
// Makes it in the folder for temporary files.
Result<std::string> make_folder();
// The file that is open and locked while the launcher lives.
Result<int> write_note(const std::string& folder, const FolderNote& noted);

// Files that were made for a program are removed when it ends, in whatever way.
class FolderGuard {
 public:
  explicit FolderGuard(const ProgramEnvironment& made) : FolderGuard(made.folder, made.lock) {}
  FolderGuard(std::string folder, int lock) : m_folder(std::move(folder)), m_lock(lock) {}
  ~FolderGuard();
  FolderGuard(const FolderGuard&) = delete;
  FolderGuard& operator=(const FolderGuard&) = delete;
  void keep() { m_folder.clear(); }  // the caller removes it

 private:
  std::string m_folder;
  int m_lock;
};

// The folder of a launcher that was killed before it could write its recording.
struct LeftOver {
  std::string folder;
  std::vector<std::string> command;
  std::string device;
  uint64_t record_limit = 0;
  std::string journals() const { return folder + "/journals"; }
  std::string launches() const { return folder + "/launches"; }
};
// Kind bad input where the folder is of another kind, or its launcher still runs.
Result<LeftOver> left_over_in(const std::string& folder);
// This user's folders with a recording, in the folder for temporary files. Others are removed.
std::vector<std::string> left_overs();

}  // namespace warplens::program_run
