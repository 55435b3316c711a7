#include "core/recording/launch_count.h"

#include <fstream>

#include "core/base/json/json.h"
#include "core/recording/event.h"

namespace warplens::recording {

uint64_t LaunchCount::count(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) read_on(entry.path());
  return m_launches;
}

void LaunchCount::read_on(const std::filesystem::path& journal) {
  std::ifstream file(journal, std::ios::binary);
  std::streamoff& read = m_read[journal];
  file.seekg(read);
  JournalPlace place;  // the program's times and lines are not needed here
  for (std::string line; std::getline(file, line) && !file.eof();) {
    read += static_cast<std::streamoff>(line.size()) + 1;
    const Result<Json> json = parse_json(line, "");
    if (!json || !json->is_object()) continue;
    const std::optional<Event> event = event_of(*json, 0, place);
    if (event && event->kind == Event::Kind::launch) m_launches += event->count;
  }
}

}  // namespace warplens::recording
