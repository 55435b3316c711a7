// The desktop's own dialog for a file or a folder. The program does not wait for its answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::host {

struct FileQuestion {
  enum class For : unsigned char { open, save, folder } what = For::open;
  std::string title;
  std::string proposed_name;         // of a file that is saved
  std::vector<std::string> filters;  // pairs: "PTX", "*.ptx *.txt"
  bool several = false;              // a page may give several files, as if they were dropped
};

class FileDialog {
 public:
  FileDialog();
  ~FileDialog();  // closes it
  FileDialog(const FileDialog&) = delete;
  FileDialog& operator=(const FileDialog&) = delete;

  // Whether this desktop has one.
  static bool available();
  void ask(const FileQuestion& question);
  bool waiting() const;
  // The answer, once: a path, or an empty text if the user closed it.
  std::optional<std::string> answer();

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace warplens::host
