// A page has no dialog that answers with a path of the person's own: what is opened is uploaded first, and
// what is saved is written into the page's memory and handed out as a download.
#include "app/host/file_dialog.h"

#include <filesystem>
#include <utility>

#include "app/host/web/page.h"

namespace warplens::host {
namespace {

// From pairs of a name and patterns, "*.ptx *.txt", to ".ptx,.txt". Empty where all files are offered.
std::string endings_of(const std::vector<std::string>& filters) {
  std::string endings;
  for (size_t i = 1; i < filters.size(); i += 2) {
    if (filters[i] == "*") return "";
    for (const char letter : filters[i]) {
      if (letter == ' ') endings += ',';
      if (letter != ' ' && letter != '*') endings += letter;
    }
  }
  return endings;
}

}  // namespace

struct FileDialog::Impl {
  std::optional<std::string> answer;  // of a file that is saved
  bool asked = false;
};

FileDialog::FileDialog() : m_impl(std::make_unique<Impl>()) {}
FileDialog::~FileDialog() = default;
bool FileDialog::available() { return true; }

void FileDialog::ask(const FileQuestion& question) {
  if (question.what == FileQuestion::For::save) {
    std::error_code there_already;
    std::filesystem::create_directory(folder_of_downloads, there_already);
    m_impl->answer = std::string(folder_of_downloads) + "/" + question.proposed_name;
    return;
  }
  const bool folder = question.what == FileQuestion::For::folder;
  m_impl->asked = true;
  ask_for_files(folder ? "" : endings_of(question.filters), folder);
}

bool FileDialog::waiting() const { return m_impl->asked || m_impl->answer; }

std::optional<std::string> FileDialog::answer() {
  if (m_impl->answer) return std::exchange(m_impl->answer, std::nullopt);
  std::string path;
  if (!m_impl->asked || chosen_file(path) == Asked::waiting) return std::nullopt;
  m_impl->asked = false;
  return path;
}

}  // namespace warplens::host
