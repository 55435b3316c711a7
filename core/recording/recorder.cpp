#include "core/recording/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "core/base/json/json.h"

namespace warplens::recording {

namespace {

constexpr size_t most_ranges = 1000;

std::optional<uint64_t> count_in(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

std::string dumped(const ReportJson& json) {
  return json.dump(-1, ' ', false, ReportJson::error_handler_t::replace);
}

constexpr const char* over_the_limit = "the recording had reached its limit (--record-limit)";

}  // namespace

bool Selection::takes(uint64_t number, uint64_t of_kernel) const {
  if (ranges.empty()) return of_kernel <= first_of_each;
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return number >= range.first && number <= range.second; });
}

std::optional<Selection> parse_selection(std::string_view text) {
  Selection selection;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const size_t dash = part.find('-');
    const auto first = count_in(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : count_in(part.substr(dash + 1));
    if (!first || !last || *last < *first || selection.ranges.size() >= most_ranges) return std::nullopt;
    selection.ranges.emplace_back(*first, *last);
    if (comma == std::string_view::npos) return selection;
    text.remove_prefix(comma + 1);
  }
}

Recorder::Recorder(const std::string& folder, Selection selection, uint64_t limit_bytes)
    : m_limit(limit_bytes), m_selection(std::move(selection)) {
  if (folder.empty()) return;
  const std::string path = fmt::format("{}/{}.launches", folder, getpid());
  m_file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

bool Recorder::append(ChunkKind kind, const std::string& head, std::span<const std::byte> body) {
  if (m_file < 0) return false;
  std::byte header[chunk_header_bytes];
  write_chunk_header(kind, head.size(), body.size(), header);
  const uint64_t all = sizeof header + head.size() + body.size();
  iovec parts[3] = {{header, sizeof header},
                    {const_cast<char*>(head.data()), head.size()},
                    {const_cast<std::byte*>(body.data()), body.size()}};
  m_written = std::min(m_limit, m_written + all);
  uint64_t done = 0;
  while (done < all) {
    const ssize_t wrote = writev(m_file, parts, 3);
    if (wrote <= 0) {
      // The disk is full: what is there stays readable up to the last whole chunk.
      close(m_file);
      m_file = -1;
      return false;
    }
    done += static_cast<uint64_t>(wrote);
    auto left = static_cast<size_t>(wrote);
    for (iovec& part : parts) {
      const size_t taken = std::min(left, part.iov_len);
      part.iov_base = static_cast<char*>(part.iov_base) + taken;
      part.iov_len -= taken;
      left -= taken;
    }
  }
  return true;
}

void Recorder::note(const LaunchRecording& launch) {
  m_noted = launch.number;
  std::string lacking(launch.lacking);
  const std::span ptx(reinterpret_cast<const std::byte*>(launch.ptx.data()), launch.ptx.size());
  const ContentName module = name_of(ptx);
  std::vector<Content> contents;
  std::set<ContentName> new_data;
  uint64_t needed = m_modules.contains(module) ? 0 : ptx.size();
  if (lacking.empty()) {
    for (const MemoryNote& piece : launch.memory) {
      contents.push_back(content_of(piece.bytes));
      const Content& made = contents.back();
      if (!m_data.contains(made.name) && new_data.insert(made.name).second) needed += made.bytes.size();
    }
    if (needed > room()) lacking = over_the_limit;
  }
  ReportJson memory = ReportJson::array(), parameters = ReportJson::array();
  if (lacking.empty() && m_modules.insert(module).second)
    append(ChunkKind::module, dumped({{"name", to_text(module)}}), ptx);
  for (size_t i = 0; lacking.empty() && i < contents.size(); ++i) {
    const MemoryNote& piece = launch.memory[i];
    const std::string name = to_text(contents[i].name);
    if (!contents[i].bytes.empty() && m_data.insert(contents[i].name).second)
      append(ChunkKind::data, dumped({{"name", name}}), contents[i].bytes);
    memory.push_back({{"name", piece.name},
                      {"kind", piece.kind},
                      {"symbol", piece.symbol},
                      {"address", piece.address},
                      {"bytes", piece.bytes.size()},
                      {"data", contents[i].bytes.empty() ? std::string() : name}});
  }
  for (const ParameterNote& parameter : launch.parameters)
    parameters.push_back({{"float", parameter.floating}, {"hex", hex_of(parameter.bytes)}});
  const ReportJson head = {{"process", getpid()},
                           {"number", launch.number},
                           {"kernel", launch.kernel},
                           {"entry", launch.entry},
                           {"module", to_text(module)},
                           {"place", {launch.place_global, launch.place_constant}},
                           {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                           {"block", {launch.block.x, launch.block.y, launch.block.z}},
                           {"shared", launch.shared_bytes},
                           {"cooperative", launch.cooperative},
                           {"parameters", std::move(parameters)},
                           {"max_registers", launch.max_registers},
                           {"all_memory", launch.all_memory},
                           {"lacking", lacking},
                           {"memory", std::move(memory)}};
  append(ChunkKind::launch, dumped(head), {});
}

void Recorder::note_end(const std::vector<MemoryNote>& memory, bool fault) {
  ReportJson after = ReportJson::array();
  for (const MemoryNote& piece : memory) {
    const Content content = content_of(piece.bytes);
    after.push_back(
        {{"address", piece.address}, {"data", content.bytes.empty() ? "" : to_text(content.name)}});
  }
  append(ChunkKind::launch,
         dumped({{"process", getpid()}, {"ended", m_noted}, {"fault", fault}, {"after", std::move(after)}}),
         {});
}

}  // namespace warplens::recording
