// How many launches the processes of a program have noted so far, while it still runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ios>
#include <map>
#include <string>

namespace warplens::recording {

class LaunchCount {
 public:
  // Of all journals in the folder (core/recording/journal.h). Each byte is read once; a line that is not
  // whole yet is read again. Never throws; what is no journal counts as none.
  uint64_t count(const std::string& folder);

 private:
  void read_on(const std::filesystem::path& journal);

  std::map<std::filesystem::path, std::streamoff> m_read;
  uint64_t m_launches = 0;
};

}  // namespace warplens::recording
