#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "core/base/system/files.h"
#include "core/recording/recording.h"
#include "core/recording/values.h"

namespace warplens::recording {

namespace {

// More than any time line can show.
constexpr size_t most_events = 2'000'000, most_pieces = 1'000'000;

using LaunchKey = std::pair<uint64_t, uint64_t>;  // process and its number there

class RecordingReader {
 public:
  RecordingReader(Recording& made, std::string name) : m_made(made), m_name(std::move(name)) {}

  void chunk(const Chunk& chunk) {
    const Result<Json> head = parse_json(chunk.head, m_name);
    if (!head || !head->is_object()) {
      m_made.cut = true;
      return;
    }
    switch (chunk.kind) {
      case ChunkKind::head:
        return start(*head);
      case ChunkKind::journal:
        return journal(*head, chunk.body);
      case ChunkKind::module:
        m_made.modules.emplace(text(*head, "name"), chunk.body);
        return;
      case ChunkKind::data:
        m_made.data.emplace(text(*head, "name"), chunk.body);
        return;
      case ChunkKind::launch:
        return launch(*head);
    }  // unknown kinds are from later versions
  }

  void finish() {
    std::stable_sort(m_made.events.begin(), m_made.events.end(),
                     [](const Event& a, const Event& b) { return a.at_us < b.at_us; });
    const double first = m_made.events.empty() ? 0 : m_made.events.front().at_us;
    uint64_t number = 0;
    for (Event& event : m_made.events) {
      event.at_us -= first;
      if (event.kind != Event::Kind::launch) continue;
      const auto recorded = m_launches.find({event.process, event.number});
      if (recorded != m_launches.end()) event.launch = recorded->second;
      event.number = ++number;
      m_made.launches.push_back(&event);
    }
    for (const auto& [key, recorded] : m_launches)
      if (recorded->lacking.find("limit") != std::string::npos) m_made.cut = true;
  }

 private:
  void start(const Json& head) {
    m_made.device = text(head, "device");
    if (const auto status = maybe(head, "exit_status"); status && *status >= 0 && *status < 256)
      m_made.exit_status = static_cast<uint64_t>(*status);
    m_made.wall_ms = real(head, "wall_ms");
    m_made.cut = m_made.cut || truth(head, "cut");
    const Json* command = value(head, "command");
    m_made.command.clear();
    if (command == nullptr || !command->is_array()) return;
    for (const Json& word : *command)
      if (word.is_string()) m_made.command.push_back(word.get<std::string>());
  }

  void journal(const Json& head, std::span<const std::byte> body) {
    std::string all(reinterpret_cast<const char*>(body.data()), body.size());
    const uint64_t process = number(head, "process");
    std::string_view left = all;
    uint64_t launches = 0;
    JournalPlace place;
    while (!left.empty()) {
      const size_t end = left.find('\n');
      if (end == std::string_view::npos) break;
      const Result<Json> line = parse_json(left.substr(0, end), m_name);
      left.remove_prefix(end + 1);
      if (line && line->is_object()) event(*line, process, launches, place);
    }
    m_made.journals.push_back(std::move(all));
  }

  void event(const Json& line, uint64_t process, uint64_t& launches, JournalPlace& place) {
    if (text(line, "clock") == "measured") m_made.device_name = text(line, "device_name");
    if (value(line, "devices") != nullptr) m_made.devices = texts(line, "devices");
    std::optional<Event> e = event_of(line, process, place);
    if (!e) return;
    std::vector<Event>& list = is_sum(line) ? m_made.sums : m_made.events;
    if (list.size() >= most_events) {
      m_made.cut = true;
      return;
    }
    if (e->kind == Event::Kind::launch && &list == &m_made.events) e->number = ++launches;
    list.push_back(std::move(*e));
  }

  void launch(const Json& head) {
    const uint64_t process = number(head, "process");
    if (const uint64_t ended = number(head, "ended"); ended != 0) {
      const auto at = m_launches.find({process, ended});
      if (at != m_launches.end()) end_of(head, *at->second);
      return;
    }
    if (const uint64_t like = number(head, "like"); like != 0) return launch_like(head, process, like);
    auto made = std::make_shared<RecordedLaunch>();
    made->entry = text(head, "entry");
    made->module = text(head, "module");
    read_shape(head, *made);
    made->max_registers = static_cast<uint32_t>(std::min<uint64_t>(number(head, "max_registers"), 255));
    made->cooperative = truth(head, "cooperative");
    made->all_memory = truth(head, "all_memory");
    made->lacking = text(head, "lacking");
    if (const Json* place = value(head, "place");
        place != nullptr && place->is_array() && place->size() == 2) {
      const auto at = [&](size_t i) {
        return (*place)[i].is_number_unsigned() ? (*place)[i].get<uint64_t>() : 0;
      };
      made->place_global = at(0);
      made->place_constant = at(1);
    }
    read_parameters(head, *made);
    read_memory(head, *made);
    std::stable_sort(made->memory.begin(), made->memory.end(),
                     [](const auto& a, const auto& b) { return a.address < b.address; });
    m_launches[{process, number(head, "number")}] = std::move(made);
  }

  static void read_shape(const Json& head, RecordedLaunch& made) {
    made.grid = extent(head, "grid");
    made.block = extent(head, "block");
    made.shared_bytes = static_cast<uint32_t>(std::min<uint64_t>(number(head, "shared"), UINT32_MAX));
  }

  static void read_parameters(const Json& head, RecordedLaunch& made) {
    const Json* parameters = value(head, "parameters");
    if (parameters == nullptr || !parameters->is_array()) return;
    for (const Json& p : *parameters) {
      auto bytes = bytes_of_hex(text(p, "hex"));
      if (!bytes) made.lacking = "its parameters are not readable";
      made.parameters.push_back({truth(p, "float"), bytes.value_or(std::vector<std::byte>{})});
    }
  }

  void read_memory(const Json& head, RecordedLaunch& made) {
    const Json* memory = value(head, "memory");
    if (memory == nullptr || !memory->is_array()) return;
    for (const Json& row : *memory) {
      if (++m_pieces > most_pieces) {
        made.lacking = "it has more memory than is read";
        return;
      }
      made.memory.push_back({text(row, "name"),
                             text(row, "kind"),
                             text(row, "symbol"),
                             number(row, "address"),
                             number(row, "bytes"),
                             text(row, "data"),
                             {}});
    }
  }

  // Members that are missing in its head are as in an earlier launch, which may have been left out at the
  // limit.
  void launch_like(const Json& head, uint64_t process, uint64_t like) {
    const auto at = m_launches.find({process, like});
    if (at == m_launches.end()) {
      m_made.cut = true;
      return;
    }
    auto made = std::make_shared<RecordedLaunch>(*at->second);
    made->fault = false;
    read_shape(head, *made);
    const auto bytes = bytes_of_hex(text(head, "parameters"));
    std::span<const std::byte> left;
    if (bytes) left = *bytes;
    for (RecordedParameter& parameter : made->parameters) {
      if (left.size() < parameter.bytes.size()) {
        made->lacking = "its parameters are not readable";
        break;
      }
      std::copy_n(left.begin(), parameter.bytes.size(), parameter.bytes.begin());
      left = left.subspan(parameter.bytes.size());
    }
    m_pieces += made->memory.size();
    if (m_pieces > most_pieces) {
      made->lacking = "it has more memory than is read";
      made->memory.clear();
    }
    for (RecordedPiece& piece : made->memory) piece.after.reset();
    for_rows(head, "changed", *made,
             [](RecordedPiece& piece, std::string data) { piece.before = std::move(data); });
    m_launches[{process, number(head, "number")}] = std::move(made);
  }

  static void end_of(const Json& head, RecordedLaunch& made) {
    made.fault = truth(head, "fault");
    if (truth(head, "others_same"))
      for (RecordedPiece& piece : made.memory) piece.after = piece.before;
    for_rows(head, "after", made,
             [](RecordedPiece& piece, std::string data) { piece.after = std::move(data); });
  }

  // The pieces in rows of {"address", "data"}.
  template <class F>
  static void for_rows(const Json& head, const char* name, RecordedLaunch& made, F f) {
    const Json* rows = value(head, name);
    if (rows == nullptr || !rows->is_array()) return;
    for (const Json& row : *rows) {
      const uint64_t address = number(row, "address");
      const auto at = std::lower_bound(made.memory.begin(), made.memory.end(), address,
                                       [](const auto& piece, uint64_t a) { return piece.address < a; });
      if (at != made.memory.end() && at->address == address) f(*at, text(row, "data"));
    }
  }

  Recording& m_made;
  std::string m_name;
  std::map<LaunchKey, std::shared_ptr<RecordedLaunch>> m_launches;
  size_t m_pieces = 0;
};

}  // namespace

bool is_recording(std::span<const std::byte> bytes) {
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), reinterpret_cast<const char*>(bytes.data()));
}

Result<Recording> parse_recording(std::shared_ptr<const std::vector<std::byte>> file,
                                  const std::string& name) {
  const std::string_view start = magic.substr(0, magic.find_last_of(' ') + 1);
  const std::span<const std::byte> bytes(*file);
  if (!is_recording(bytes)) {
    const std::string_view begin(reinterpret_cast<const char*>(bytes.data()),
                                 std::min(bytes.size(), magic.size()));
    if (begin.starts_with(start))
      return bad_input(fmt::format(
          "{}: this recording was written by a later version of WarpLens: open it with that one.", name));
    return bad_input(
        fmt::format("{}: this is no recording: warplens program --record FILE writes one.", name));
  }
  Recording made;
  made.file = std::move(file);
  RecordingReader reader(made, name);
  size_t at = magic.size();
  while (at < bytes.size()) {
    const std::optional<Chunk> chunk = chunk_at(bytes, at);
    if (!chunk) {
      made.cut = true;
      break;
    }
    reader.chunk(*chunk);
    at = chunk->end;
  }
  reader.finish();
  return made;
}

Result<Recording> read_recording(const std::string& path) {
  Result<std::vector<std::byte>> bytes = read_bytes(path, max_recording_bytes);
  if (!bytes) return bytes.error();
  return parse_recording(std::make_shared<const std::vector<std::byte>>(std::move(*bytes)), path);
}

ProgramSummary summary_of(const Recording& recording, const DeviceFigures& device) {
  SummaryReader reader;
  for (const std::string& journal : recording.journals) reader.add(journal);
  return reader.take(device);
}

}  // namespace warplens::recording
