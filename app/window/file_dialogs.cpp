#include "app/window/file_dialogs.h"

#include <fmt/format.h>
#include <portable_file_dialogs/portable_file_dialogs.h>

#include <variant>

#include "app/state/file_dialogs.h"

namespace warplens {

namespace {

// "*.png *.jpg", and all files where one is opened.
std::vector<std::string> filters_of(const FileDialog& asked) {
  std::string patterns;
  for (const std::string_view ending : asked.endings)
    patterns += fmt::format("{}*{}", patterns.empty() ? "" : " ", ending);
  std::vector<std::string> filters = {asked.kind, patterns};
  if (!asked.saves() || asked.dialog == Dialog::save_source)
    filters.insert(filters.end(), {"All files", "*"});
  return filters;
}

}  // namespace

struct FileDialogs::Impl {
  const FileDialog* asked = nullptr;
  std::variant<std::monostate, pfd::open_file, pfd::save_file, pfd::select_folder> shown;
};

FileDialogs::FileDialogs() : m_impl(std::make_unique<Impl>()) {}

// Otherwise the library would wait for its child process, and the window would not close.
FileDialogs::~FileDialogs() {
  if (auto* open = std::get_if<pfd::open_file>(&m_impl->shown); open && !open->ready(0)) open->kill();
  if (auto* save = std::get_if<pfd::save_file>(&m_impl->shown); save && !save->ready(0)) save->kill();
  if (auto* folder = std::get_if<pfd::select_folder>(&m_impl->shown); folder && !folder->ready(0))
    folder->kill();
}

void FileDialogs::ask(Dialog dialog, const std::string& proposed_name, Actions& actions) {
  const FileDialog* asked = find_file_dialog(dialog);
  if (waiting() || asked == nullptr) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{dialog});
  m_impl->asked = asked;
  if (asked->saves())
    m_impl->shown.emplace<pfd::save_file>(asked->title, proposed_name, filters_of(*asked));
  else if (asked->what == FileDialog::For::folder)
    m_impl->shown.emplace<pfd::select_folder>(asked->title, "");
  else
    m_impl->shown.emplace<pfd::open_file>(asked->title, "", filters_of(*asked));
}

void FileDialogs::poll(Actions& actions) {
  std::string path;
  if (auto* open = std::get_if<pfd::open_file>(&m_impl->shown)) {
    if (!open->ready(0)) return;
    const std::vector<std::string> paths = open->result();
    if (!paths.empty()) path = paths.front();
  } else if (auto* save = std::get_if<pfd::save_file>(&m_impl->shown)) {
    if (!save->ready(0)) return;
    path = save->result();
  } else if (auto* folder = std::get_if<pfd::select_folder>(&m_impl->shown)) {
    if (!folder->ready(0)) return;
    path = folder->result();
  } else {
    return;
  }
  m_impl->shown.emplace<std::monostate>();
  if (!path.empty()) actions.push(m_impl->asked->answer(path));
}

bool FileDialogs::waiting() const { return !std::holds_alternative<std::monostate>(m_impl->shown); }

}  // namespace warplens
