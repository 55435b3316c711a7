#include "core/recording/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/recording/journal.h"
#include "core/system/files.h"
#include "core/system/own_process.h"

namespace warplens::recording {

namespace {

constexpr size_t most_ranges = 1000;

std::optional<uint64_t> count_in(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

std::string data_text(const Content& content) {
  return content.bytes.empty() ? std::string() : to_text(content.name);
}

// Larger bodies are written without a copy.
constexpr size_t most_copied = 16 * 1024;

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
    : m_process(own_process_id()), m_limit(limit_bytes), m_selection(std::move(selection)) {
  open_in(folder);
}

void Recorder::move_to(const std::string& folder) {
  close_file(std::exchange(m_file, no_file));
  m_written = 0;
  m_data.clear();
  m_modules.clear();
  m_described.clear();
  open_in(folder);
}

void Recorder::open_in(const std::string& folder) {
  if (folder.empty()) return;
  m_path = fmt::format("{}/{}.launches", folder, m_process);
  m_file = append_to(m_path);
  if (size_of(m_file).value_or(0) == 0) return;
  // The process has recorded launches and then replaced itself (exec). Numbers start again from 1, so new
  // launches would be taken for the first ones.
  close_file(std::exchange(m_file, no_file));
}

void Recorder::write_all(std::span<const std::byte> bytes) {
  if (m_file == no_file || warplens::write_all(m_file, bytes)) return;
  // The disk is full: the file stays readable up to its last whole chunk.
  close_file(std::exchange(m_file, no_file));
  mark_lost(m_path);
}

void Recorder::flush() {
  write_all(m_unwritten);
  m_unwritten.clear();
}

void Recorder::put(ChunkKind kind, std::string_view head, std::span<const std::byte> body) {
  std::byte header[chunk_header_bytes];
  write_chunk_header(kind, head.size(), body.size(), header);
  const auto add = [&](std::span<const std::byte> bytes) {
    m_unwritten.insert(m_unwritten.end(), bytes.begin(), bytes.end());
  };
  add(header);
  add(std::as_bytes(std::span(head)));
  m_written = std::min(m_limit, m_written + sizeof header + head.size() + body.size());
  if (body.size() <= most_copied) return add(body);
  flush();
  write_all(body);
}

ContentName Recorder::module_of(const LaunchRecording& launch) const {
  const auto at = m_described.find(launch.entry);
  if (at != m_described.end() && launch.ptx_owner != nullptr &&
      at->second.ptx_owner.lock() == launch.ptx_owner)
    return at->second.module;
  return name_of(std::as_bytes(std::span(launch.ptx)));
}

// Null if no similar launch was written.
const Recorder::Described* Recorder::described(const LaunchRecording& launch,
                                               const ContentName& module) const {
  const auto at = m_described.find(launch.entry);
  if (at == m_described.end()) return nullptr;
  const Described& d = at->second;
  const bool same_kernel =
      d.module == module && d.kernel == launch.kernel && d.place_global == launch.place_global &&
      d.place_constant == launch.place_constant && d.max_registers == launch.max_registers &&
      d.cooperative == launch.cooperative && d.all_memory == launch.all_memory;
  const bool same_parameters =
      std::equal(d.parameters.begin(), d.parameters.end(), launch.parameters.begin(), launch.parameters.end(),
                 [](const std::pair<bool, size_t>& a, const ParameterNote& b) {
                   return a.first == b.floating && a.second == b.bytes.size();
                 });
  const bool same_memory = std::equal(d.memory.begin(), d.memory.end(), launch.memory.begin(),
                                      launch.memory.end(), [](const Row& a, const MemoryNote& b) {
                                        return a.address == b.address && a.bytes == b.bytes.size() &&
                                               a.name == b.name && a.kind == b.kind && a.symbol == b.symbol;
                                      });
  return same_kernel && same_parameters && same_memory ? &d : nullptr;
}

void Recorder::write_full(const LaunchRecording& launch, const ContentName& module,
                          const std::string& lacking, std::span<const Content> contents) {
  Described made{.number = launch.number,
                 .kernel = std::string(launch.kernel),
                 .ptx_owner = launch.ptx_owner,
                 .module = module,
                 .place_global = launch.place_global,
                 .place_constant = launch.place_constant,
                 .max_registers = launch.max_registers,
                 .cooperative = launch.cooperative,
                 .all_memory = launch.all_memory,
                 .parameters = {},
                 .memory = {}};
  ReportJson memory = ReportJson::array(), parameters = ReportJson::array();
  for (size_t i = 0; i < contents.size(); ++i) {
    const MemoryNote& piece = launch.memory[i];
    memory.push_back({{"name", piece.name},
                      {"kind", piece.kind},
                      {"symbol", piece.symbol},
                      {"address", piece.address},
                      {"bytes", piece.bytes.size()},
                      {"data", data_text(contents[i])}});
    made.memory.push_back({std::string(piece.name), std::string(piece.kind), std::string(piece.symbol),
                           piece.address, piece.bytes.size(), contents[i].name});
  }
  for (const ParameterNote& parameter : launch.parameters) {
    parameters.push_back({{"float", parameter.floating}, {"hex", hex_of(parameter.bytes)}});
    made.parameters.emplace_back(parameter.floating, parameter.bytes.size());
  }
  const ReportJson head = {{"process", m_process},
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
  put(ChunkKind::launch, json_values::one_line(head), {});
  if (lacking.empty()) m_described[std::string(launch.entry)] = std::move(made);
}

void Recorder::write_like(const LaunchRecording& launch, const Described& like,
                          std::span<const Content> contents) {
  m_head.clear();
  auto out = std::back_inserter(m_head);
  fmt::format_to(
      out,
      R"({{"process":{},"number":{},"like":{},"grid":[{},{},{}],"block":[{},{},{}],"shared":{},"parameters":")",
      m_process, launch.number, like.number, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
      launch.block.y, launch.block.z, launch.shared_bytes);
  for (const ParameterNote& parameter : launch.parameters) m_head += hex_of(parameter.bytes);
  m_head += R"(","changed":[)";
  bool first = true;
  for (size_t i = 0; i < contents.size(); ++i) {
    if (contents[i].name == like.memory[i].before) continue;
    fmt::format_to(out, R"({}{{"address":{},"data":"{}"}})", first ? "" : ",", launch.memory[i].address,
                   data_text(contents[i]));
    first = false;
  }
  m_head += "]}";
  put(ChunkKind::launch, m_head, {});
}

void Recorder::note(const LaunchRecording& launch) {
  m_noted = launch.number;
  m_before.clear();
  std::string lacking(launch.lacking);
  const ContentName module = module_of(launch);
  std::vector<Content> contents;
  Names new_data;
  uint64_t needed = m_modules.contains(module) ? 0 : launch.ptx.size();
  if (lacking.empty()) {
    for (const MemoryNote& piece : launch.memory) {
      contents.push_back(content_of(piece.bytes));
      const Content& made = contents.back();
      if (!m_data.contains(made.name) && new_data.insert(made.name).second) needed += made.bytes.size();
    }
    if (needed > room()) lacking = over_the_limit;
  }
  if (lacking.empty()) {
    if (m_modules.insert(module).second)
      put(ChunkKind::module, json_values::one_line({{"name", to_text(module)}}),
          std::as_bytes(std::span(launch.ptx)));
    for (const Content& content : contents) {
      m_before.push_back(content.name);
      if (!content.bytes.empty() && m_data.insert(content.name).second)
        put(ChunkKind::data, fmt::format(R"({{"name":"{}"}})", to_text(content.name)), content.bytes);
    }
  } else {
    contents.clear();
  }
  const Described* like = lacking.empty() ? described(launch, module) : nullptr;
  if (like != nullptr) {
    write_like(launch, *like, contents);
  } else {
    write_full(launch, module, lacking, contents);
  }
  flush();
}

void Recorder::note_end(const std::vector<MemoryNote>& memory, bool fault) {
  m_head.clear();
  auto out = std::back_inserter(m_head);
  fmt::format_to(out, R"({{"process":{},"ended":{},"fault":{},"others_same":{},"after":[)", m_process,
                 m_noted, fault, !memory.empty() || m_before.empty());
  bool first = true;
  for (size_t i = 0; i < std::min(memory.size(), m_before.size()); ++i) {
    const Content content = content_of(memory[i].bytes);
    if (content.name == m_before[i]) continue;
    fmt::format_to(out, R"({}{{"address":{},"data":"{}"}})", first ? "" : ",", memory[i].address,
                   data_text(content));
    first = false;
  }
  m_head += "]}";
  put(ChunkKind::launch, m_head, {});
  flush();
}

}  // namespace warplens::recording
