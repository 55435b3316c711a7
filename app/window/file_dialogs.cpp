#include "app/window/file_dialogs.h"

#include <portable_file_dialogs/portable_file_dialogs.h>

#include <optional>

namespace warplens {

struct FileDialogs::Impl {
  std::optional<pfd::open_file> open, file;
  std::optional<pfd::save_file> save, views, source, session, recording, hand_in;
  std::optional<pfd::select_folder> folder;
};

FileDialogs::FileDialogs() : m_impl(std::make_unique<Impl>()) {}

// Otherwise the libraries would wait for their child process, and the window would not close.
FileDialogs::~FileDialogs() {
  if (m_impl->open && !m_impl->open->ready(0)) m_impl->open->kill();
  if (m_impl->save && !m_impl->save->ready(0)) m_impl->save->kill();
  if (m_impl->file && !m_impl->file->ready(0)) m_impl->file->kill();
  if (m_impl->source && !m_impl->source->ready(0)) m_impl->source->kill();
  if (m_impl->session && !m_impl->session->ready(0)) m_impl->session->kill();
  if (m_impl->recording && !m_impl->recording->ready(0)) m_impl->recording->kill();
  if (m_impl->hand_in && !m_impl->hand_in->ready(0)) m_impl->hand_in->kill();
  if (m_impl->folder && !m_impl->folder->ready(0)) m_impl->folder->kill();
}

void FileDialogs::ask_folder(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::open_lesson});
  m_impl->folder.emplace("Folder of a lesson or a challenge", "");
}

void FileDialogs::ask_hand_in(const std::string& name, Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::save_hand_in});
  m_impl->hand_in.emplace("Hand in", name, std::vector<std::string>{"Hand-ins", "*.json"});
}

void FileDialogs::ask_open(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::open_picture});
  m_impl->open.emplace(
      "Open picture", "",
      std::vector<std::string>{"Pictures", "*.png *.jpg *.jpeg *.bmp *.tga *.gif *.psd *.ppm *.pgm",
                               "All files", "*"});
}

void FileDialogs::ask_file(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::open_file});
  m_impl->file.emplace("Open", "",
                       std::vector<std::string>{"Kernels, programs, sessions and recordings",
                                                "*.cu *.ptx *.py *.json *.warplens", "All files", "*"});
}

void FileDialogs::ask_save_session(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::save_session});
  m_impl->session.emplace("Save session", "session.json", std::vector<std::string>{"Sessions", "*.json"});
}

void FileDialogs::ask_save_recording(const std::string& name, Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::save_recording});
  m_impl->recording.emplace("Save recording", name, std::vector<std::string>{"Recordings", "*.warplens"});
}

void FileDialogs::ask_save_source(const std::string& name, Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::save_source});
  m_impl->source.emplace("Save code", name, std::vector<std::string>{"CUDA C++", "*.cu", "All files", "*"});
}

void FileDialogs::ask_save(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::save_result});
  m_impl->save.emplace(
      "Save result", "result.png",
      std::vector<std::string>{"PNG", "*.png", "JPEG", "*.jpg", "BMP", "*.bmp", "TGA", "*.tga"});
}

void FileDialogs::ask_save_views(Actions& actions) {
  if (waiting()) return;
  if (!pfd::settings::available()) return actions.push(ShowDialog{Dialog::save_views});
  m_impl->views.emplace("Save all views", "views.pdf", std::vector<std::string>{"PDF", "*.pdf"});
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
  if (m_impl->views && m_impl->views->ready(0)) {
    const std::string path = m_impl->views->result();
    m_impl->views.reset();
    if (!path.empty()) actions.push(SaveViewsAs{path});
  }
  if (m_impl->file && m_impl->file->ready(0)) {
    const auto paths = m_impl->file->result();
    m_impl->file.reset();
    if (!paths.empty()) actions.push(OpenFile{paths.front()});
  }
  if (m_impl->session && m_impl->session->ready(0)) {
    const std::string path = m_impl->session->result();
    m_impl->session.reset();
    if (!path.empty()) actions.push(SaveSessionAs{path});
  }
  if (m_impl->recording && m_impl->recording->ready(0)) {
    const std::string path = m_impl->recording->result();
    m_impl->recording.reset();
    if (!path.empty()) actions.push(SaveRecordingAs{path});
  }
  if (m_impl->hand_in && m_impl->hand_in->ready(0)) {
    const std::string path = m_impl->hand_in->result();
    m_impl->hand_in.reset();
    if (!path.empty()) actions.push(HandInAs{path});
  }
  if (m_impl->folder && m_impl->folder->ready(0)) {
    const std::string path = m_impl->folder->result();
    m_impl->folder.reset();
    if (!path.empty()) actions.push(OpenFolder{path});
  }
  if (m_impl->source && m_impl->source->ready(0)) {
    const std::string path = m_impl->source->result();
    m_impl->source.reset();
    if (!path.empty()) actions.push(SaveSourceAs{path});
  }
}

bool FileDialogs::waiting() const {
  return m_impl->open || m_impl->save || m_impl->file || m_impl->source || m_impl->session || m_impl->views ||
         m_impl->recording || m_impl->hand_in || m_impl->folder;
}

}  // namespace warplens
