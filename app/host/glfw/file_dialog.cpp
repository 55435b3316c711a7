#include "app/host/file_dialog.h"

#include <portable_file_dialogs/portable_file_dialogs.h>

#include <variant>

namespace warplens::host {

struct FileDialog::Impl {
  std::variant<std::monostate, pfd::open_file, pfd::save_file, pfd::select_folder> shown;
};

FileDialog::FileDialog() : m_impl(std::make_unique<Impl>()) {}

// Otherwise the library would wait for its child process, and the window would not close.
FileDialog::~FileDialog() {
  std::visit(
      [](auto& dialog) {
        if constexpr (!std::is_same_v<decltype(dialog), std::monostate&>)
          if (!dialog.ready(0)) dialog.kill();
      },
      m_impl->shown);
}

bool FileDialog::available() { return pfd::settings::available(); }

void FileDialog::ask(const FileQuestion& question) {
  if (question.what == FileQuestion::For::save)
    m_impl->shown.emplace<pfd::save_file>(question.title, question.proposed_name, question.filters);
  else if (question.what == FileQuestion::For::folder)
    m_impl->shown.emplace<pfd::select_folder>(question.title, "");
  else
    m_impl->shown.emplace<pfd::open_file>(question.title, "", question.filters);
}

bool FileDialog::waiting() const { return !std::holds_alternative<std::monostate>(m_impl->shown); }

std::optional<std::string> FileDialog::answer() {
  std::string path;
  if (auto* open = std::get_if<pfd::open_file>(&m_impl->shown)) {
    if (!open->ready(0)) return std::nullopt;
    const std::vector<std::string> paths = open->result();
    if (!paths.empty()) path = paths.front();
  } else if (auto* save = std::get_if<pfd::save_file>(&m_impl->shown)) {
    if (!save->ready(0)) return std::nullopt;
    path = save->result();
  } else if (auto* folder = std::get_if<pfd::select_folder>(&m_impl->shown)) {
    if (!folder->ready(0)) return std::nullopt;
    path = folder->result();
  } else {
    return std::nullopt;
  }
  m_impl->shown.emplace<std::monostate>();
  return path;
}

}  // namespace warplens::host
