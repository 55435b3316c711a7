#include "app/window/autosave.h"

#include <charconv>

#include "app/state/files/session.h"
#include "core/base/system/files.h"
#include "core/system/own_process.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_between = 2;
constexpr std::string_view prefix = "autosave-", ending = ".json";

// The process that keeps this file. 0 if it is not a file of this program.
long process_of(const std::string& name) {
  if (!name.starts_with(prefix) || !name.ends_with(ending)) return 0;
  long id = 0;
  const char *from = name.data() + prefix.size(), *to = name.data() + name.size() - ending.size();
  const auto [end, error] = std::from_chars(from, to, id);
  return error == std::errc() && end == to ? id : 0;
}

void write(const fs::path& folder, const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  (void)write_text(file.string(), text);
}

}  // namespace

Autosave::Autosave(fs::path folder) : m_folder(std::move(folder)) {
  if (!m_folder.empty())
    m_file = m_folder / (std::string(prefix) + std::to_string(own_process_id()) + std::string(ending));
}

Autosave::~Autosave() {
  std::error_code error;
  if (!m_file.empty()) fs::remove(m_file, error);
}

// What cannot be written is tried again with the next change.
std::optional<FileWorker::Work> Autosave::keep(const AppState& state, double now_s) {
  if (m_file.empty() || now_s - m_last_s < seconds_between) return std::nullopt;
  m_last_s = now_s;
  std::string text = session_text(session_of(state));
  if (text == m_kept) return std::nullopt;
  m_kept = text;
  return [folder = m_folder, file = m_file, text = std::move(text)] {
    write(folder, file, text);
    return std::nullopt;
  };
}

void Autosave::keep_now(const AppState& state) const {
  if (!m_file.empty()) write(m_folder, m_file, session_text(session_of(state)));
}

std::shared_ptr<const Session> Autosave::recover() {
  std::shared_ptr<const Session> found;
  fs::file_time_type newest = fs::file_time_type::min();
  std::error_code error;
  if (m_folder.empty()) return found;
  for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, error)) {
    const long id = process_of(entry.path().filename().string());
    if (id == 0 || (id != own_process_id() && process_is_alive(id))) continue;
    const Result<Session> session = read_session(entry.path().string());
    std::error_code ignored;
    const fs::file_time_type time = entry.last_write_time(ignored);
    if (session && time >= newest) {
      newest = time;
      found = std::make_shared<const Session>(*session);
    }
    fs::remove(entry.path(), ignored);
  }
  return found;
}

}  // namespace warplens
