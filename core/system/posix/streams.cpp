// Redirects this process's standard output and standard error.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

#include "core/system/own_process.h"

namespace warplens {

ErrorsToFile::ErrorsToFile(const std::string& path) : m_saved(-1) {
  const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return;
  m_saved = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(file, STDERR_FILENO);
  ::close(file);
}

ErrorsToFile::~ErrorsToFile() { end(); }

void ErrorsToFile::end() {
  if (m_saved < 0) return;
  ::dup2(m_saved, STDERR_FILENO);
  ::close(std::exchange(m_saved, -1));
}

namespace {

class FileCapture final : public OutputCapture {
 public:
  explicit FileCapture(std::FILE* file) : m_file(file) { ::dup2(::fileno(file), STDOUT_FILENO); }
  ~FileCapture() override { std::fclose(m_file); }
  FileCapture(const FileCapture&) = delete;
  FileCapture& operator=(const FileCapture&) = delete;

  void begin() override {
    std::fflush(stdout);
    [[maybe_unused]] const int cut = ::ftruncate(STDOUT_FILENO, 0);
    ::lseek(STDOUT_FILENO, 0, SEEK_SET);
  }

  std::string end() override {
    std::fflush(stdout);
    std::string text;
    std::array<char, 65536> piece{};
    ssize_t got = 0;
    while ((got = ::pread(STDOUT_FILENO, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0)
      text.append(piece.data(), static_cast<size_t>(got));
    return text;
  }

 private:
  std::FILE* m_file;
};

}  // namespace

std::unique_ptr<OutputCapture> OutputCapture::start() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return nullptr;
  return std::make_unique<FileCapture>(file);
}

}  // namespace warplens
