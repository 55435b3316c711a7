// Counts the launches in a program's journals while the program still runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ios>
#include <map>
#include <string>

namespace warplens::recording {

class LaunchCount {
 public:
  // The launches in all journals in the folder (core/recording/journal.h). Each byte is read once; an
  // incomplete line is read again later. Never throws; a file that is not a journal counts as empty.
  uint64_t count(const std::string& folder);

 private:
  void read_on(const std::filesystem::path& journal);

  std::map<std::filesystem::path, std::streamoff> m_read;
  uint64_t m_launches = 0;
};

}  // namespace warplens::recording
