// A page has no dialog that gives a path on the user's disk. A file to open is uploaded first. A file to save
// is written into the page's memory, and the page gives it to the user as a download.
#include "app/host/file_dialog.h"

#include <filesystem>
#include <utility>

#include "app/host/web/page.h"
#include "core/system/paths.h"

namespace warplens::host {
namespace {

// Makes ".ptx,.txt" from pairs of a name and patterns, "*.ptx *.txt". Empty if all files are offered.
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
  std::optional<std::string> answer;  // the path of a file to save
  bool asked = false;
};

FileDialog::FileDialog() : m_impl(std::make_unique<Impl>()) {}
FileDialog::~FileDialog() = default;
bool FileDialog::available() { return true; }

void FileDialog::ask(const FileQuestion& question) {
  if (question.what == FileQuestion::For::save) {
    m_impl->answer = (folder_of_downloads() / question.proposed_name).string();
    return;
  }
  const bool folder = question.what == FileQuestion::For::folder;
  m_impl->asked = true;
  const Chooser chooser = folder ? Chooser::folder : question.several ? Chooser::files : Chooser::file;
  ask_for_files(folder ? "" : endings_of(question.filters), chooser);
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
