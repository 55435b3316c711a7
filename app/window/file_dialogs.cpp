#include "app/window/file_dialogs.h"

#include <portable_file_dialogs/portable_file_dialogs.h>

#include <optional>

namespace warplens {

struct FileDialogs::Impl {
  std::optional<pfd::open_file> open;
  std::optional<pfd::save_file> save;
};

FileDialogs::FileDialogs() : m_impl(std::make_unique<Impl>()) {}

// The libraries wait for their child otherwise, and the window would not close.
FileDialogs::~FileDialogs() {
  if (m_impl->open && !m_impl->open->ready(0)) m_impl->open->kill();
  if (m_impl->save && !m_impl->save->ready(0)) m_impl->save->kill();
}

void FileDialogs::ask_open(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::open_path});
  m_impl->open.emplace(
      "Open picture", "",
      std::vector<std::string>{"Pictures", "*.png *.jpg *.jpeg *.bmp *.tga *.gif *.psd *.ppm *.pgm",
                               "All files", "*"});
}

void FileDialogs::ask_save(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::save_path});
  m_impl->save.emplace(
      "Save result", "result.png",
      std::vector<std::string>{"PNG", "*.png", "JPEG", "*.jpg", "BMP", "*.bmp", "TGA", "*.tga"});
}

void FileDialogs::poll(Actions& actions) {
  if (m_impl->open && m_impl->open->ready(0)) {
    const auto paths = m_impl->open->result();
    m_impl->open.reset();
    if (!paths.empty()) actions.push(ChoosePicture{paths.front()});
  }
  if (m_impl->save && m_impl->save->ready(0)) {
    const std::string path = m_impl->save->result();
    m_impl->save.reset();
    if (!path.empty()) actions.push(SaveResultAs{path});
  }
}

bool FileDialogs::waiting() const { return m_impl->open || m_impl->save; }

}  // namespace warplens
