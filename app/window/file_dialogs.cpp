#include "app/window/file_dialogs.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "app/state/files/file_dialogs.h"

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

host::FileQuestion::For purpose_of(const FileDialog& asked) {
  using For = host::FileQuestion::For;
  if (asked.saves()) return For::save;
  return asked.what == FileDialog::For::folder ? For::folder : For::open;
}

}  // namespace

void FileDialogs::ask(Dialog dialog, const std::string& proposed_name, Actions& actions) {
  const FileDialog* asked = find_file_dialog(dialog);
  if (waiting() || asked == nullptr) return;
  if (!host::FileDialog::available()) return actions.push(ShowDialog{dialog});
  m_asked = asked;
  m_dialog.ask({purpose_of(*asked), std::string(asked->title), proposed_name, filters_of(*asked),
                dialog == Dialog::open_file});
}

void FileDialogs::poll(Actions& actions) {
  const std::optional<std::string> path = m_dialog.answer();
  if (path && !path->empty()) actions.push(m_asked->answer(*path));
}

}  // namespace warplens
