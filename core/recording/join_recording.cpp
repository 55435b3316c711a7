#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/base/json/json_values.h"
#include "core/base/system/files.h"
#include "core/recording/journal.h"
#include "core/recording/recorder.h"
#include "core/recording/recording.h"
#include "core/recording/values.h"

namespace warplens::recording {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const std::string& folder, const char* ending) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ending) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class RecordingWriter {
 public:
  RecordingWriter(const std::string& path, uint64_t limit)
      : m_file(path, std::ios::binary | std::ios::trunc), m_limit(limit) {
    m_file.write(magic.data(), static_cast<std::streamsize>(magic.size()));
  }
  void add(ChunkKind kind, std::string_view head, std::span<const std::byte> body) {
    std::byte header[chunk_header_bytes];
    write_chunk_header(kind, head.size(), body.size(), header);
    m_file.write(reinterpret_cast<const char*>(header), sizeof header);
    m_file.write(head.data(), static_cast<std::streamsize>(head.size()));
    m_file.write(reinterpret_cast<const char*>(body.data()), static_cast<std::streamsize>(body.size()));
    m_written += sizeof header + head.size() + body.size();
  }
  bool has_room_for(uint64_t bytes) const { return m_written + bytes <= m_limit; }
  bool is_good() {
    m_file.flush();
    return m_file.good();
  }

 private:
  std::ofstream m_file;
  uint64_t m_limit = 0, m_written = 0;
};

// Contents that several processes wrote are written once. False if something was left out, here or by the
// driver.
bool add_launches(const fs::path& file, RecordingWriter& writer, std::set<std::string, std::less<>>& known) {
  const Result<std::vector<std::byte>> bytes = read_bytes(file.string(), max_recording_bytes);
  if (!bytes) return false;
  bool all = true;
  size_t at = 0;
  while (const std::optional<Chunk> chunk = chunk_at(*bytes, at)) {
    at = chunk->end;
    if (chunk->kind == ChunkKind::launch && chunk->head.find(over_the_limit) != chunk->head.npos) all = false;
    const bool is_content = chunk->kind != ChunkKind::launch;
    std::string key;
    if (is_content) key = fmt::format("{} {}", static_cast<uint32_t>(chunk->kind), chunk->head);
    if (is_content && known.contains(key)) continue;
    if (!writer.has_room_for(chunk->head.size() + chunk->body.size() + chunk_header_bytes)) {
      all = false;
      continue;
    }
    if (is_content) known.insert(std::move(key));
    writer.add(chunk->kind, chunk->head, chunk->body);
  }
  return all;
}

}  // namespace

Result<bool> join_recording(const std::string& journals, const std::string& launches, const ProgramEnd& end,
                            uint64_t limit_bytes, const std::string& path) {
  bool all = true;
  const auto write = [&](const std::string& temporary) -> Result<void> {
    RecordingWriter writer(temporary, limit_bytes);
    const auto head_of = [&](bool cut) {
      return json_values::one_line(
          {{"command", end.command},
           {"device", end.device},
           {"exit_status", end.exit_status ? ReportJson(*end.exit_status) : ReportJson(nullptr)},
           {"wall_ms", end.wall_ms},
           {"cut", cut}});
    };
    writer.add(ChunkKind::head, head_of(false), {});
    for (const fs::path& file : files_in(journals, ".journal")) {
      const Result<std::vector<std::byte>> text = read_bytes(file.string(), uint64_t{1} << 30);
      if (!text) continue;
      const std::string head =
          json_values::one_line({{"process", std::strtoull(file.stem().string().c_str(), nullptr, 10)}});
      if (!writer.has_room_for(text->size() + head.size())) {
        all = false;
        continue;
      }
      writer.add(ChunkKind::journal, head, *text);
    }
    std::set<std::string, std::less<>> known;
    for (const fs::path& file : files_in(launches, ".launches"))
      all = add_launches(file, writer, known) && all;
    all = all && !has_lost(journals) && !has_lost(launches);
    if (!all) writer.add(ChunkKind::head, head_of(true), {});  // the last one counts
    if (writer.is_good()) return {};
    return failed(fmt::format("{}: it could not be written: is the disk full?", path));
  };
  if (const Result<void> written = write_with(path, write); !written) return written.error();
  return all;
}

}  // namespace warplens::recording
