#include "app/cli/trace/trace_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <sstream>

#include "core/gpu/observe/coalescing.h"

namespace warplens {

namespace {

constexpr uint64_t most_cells = 1024;  // of a shared array

ptx::Modifier type_of_cell(const stepping::SharedArray& array) {
  using enum ptx::Modifier;
  const uint64_t bytes = array.element_bytes;
  if (array.is_float) return bytes == 8 ? f64 : bytes == 2 ? f16 : f32;
  if (array.is_signed) return bytes == 8 ? s64 : bytes == 4 ? s32 : bytes == 2 ? s16 : s8;
  return bytes == 8 ? u64 : bytes == 4 ? u32 : bytes == 2 ? u16 : u8;
}

bool is_grid(const stepping::SharedArray& array) { return array.is_number && !array.is_scalar; }

uint64_t count_of_cells(const stepping::SharedArray& array) {
  return array.bytes / std::max<uint64_t>(array.element_bytes, 1);
}

ReportJson texts_json(const TraceRow& row) {
  const auto first = static_cast<size_t>(std::countr_zero(row.has));
  ReportJson texts = ReportJson::array();
  bool same = true;
  for (uint32_t rest = row.has; rest != 0; rest &= rest - 1) {
    const std::string& text = row.texts[static_cast<size_t>(std::countr_zero(rest))];
    same = same && text == row.texts[first];
    texts.push_back(text);
  }
  if (row.has == 0) return "";
  return same ? ReportJson(row.texts[first]) : texts;
}

uint32_t changed_in(const TracedLine& line, const TraceRow& row) {
  if (row.of_caller) return 0;
  for (const ChangedVariable& changed : line.changed) {
    const bool named = changed.name == row.name || changed.name.ends_with(": " + row.name);
    if (named && changed.variable == row.variable && changed.space.empty() != row.common)
      return changed.lanes;
  }
  return 0;
}

std::string cost_of(const stepping::SteppedAccess& access) {
  if (access.space == Space::shared) {
    const auto waves = observe::wavefronts_of(access.address.data(), access.lanes, access.bytes,
                                              access.kind == AccessKind::load);
    if (waves.conflicts == 0)
      return fmt::format("{} wavefront{}, no bank conflict", waves.count, waves.count == 1 ? "" : "s");
    return fmt::format("{} wavefronts, {} of them by bank conflicts", waves.count, waves.conflicts);
  }
  const observe::Sectors sectors = observe::sectors_of(access.address.data(), access.lanes, access.bytes);
  return fmt::format("{} sector{} of 32 bytes; {} would do", sectors.touched, sectors.touched == 1 ? "" : "s",
                     sectors.ideal);
}

std::string state_of(const stepping::WarpView& view) {
  for (const stepping::PathView& path : view.paths) {
    if (path.wait != stepping::Wait::barrier) continue;
    return path.at.line != 0 ? fmt::format("waits at the barrier of line {}", path.at.line)
                             : fmt::format("waits at the barrier of PTX line {}", path.at.ptx_line);
  }
  return {};
}

}  // namespace

PageSteps::PageSteps(const stepping::BlockStepper& stepper, std::optional<uint32_t> lane, bool by_lines)
    : m_stepper(stepper), m_texts(stepper, lane), m_by_lines(by_lines) {
  for (size_t i = 0; i < stepper.shared_arrays().size(); ++i) m_cells.push_back(cells_of(i));
}

std::vector<std::string> PageSteps::cells_of(size_t number) const {
  std::vector<std::string> cells;
  const stepping::SharedArray& array = m_stepper.shared_arrays()[number];
  if (!is_grid(array)) return cells;
  const uint64_t count = std::min(count_of_cells(array), most_cells);
  const Result<Bytes> bytes = m_stepper.read(Space::shared, array.address, count * array.element_bytes);
  if (!bytes) return cells;
  for (uint64_t i = 0; i < count; ++i) {
    stepping::LaneBits bits;
    std::memcpy(&bits.low, bytes->data() + i * array.element_bytes,
                std::min<uint64_t>(array.element_bytes, 8));
    cells.push_back(stepping::text_of(type_of_cell(array), bits));
  }
  return cells;
}

ReportJson PageSteps::arrays() const {
  ReportJson all = ReportJson::array();
  for (size_t i = 0; i < m_cells.size(); ++i) {
    const stepping::SharedArray& array = m_stepper.shared_arrays()[i];
    if (!is_grid(array)) continue;
    all.push_back({{"name", array.name},
                   {"element", array.element},
                   {"extents", array.extents},
                   {"bytes", array.element_bytes},
                   {"cells", m_cells[i].size()},
                   {"left_out", count_of_cells(array) - m_cells[i].size()},
                   {"values", m_cells[i]}});
  }
  return all;
}

uint32_t PageSteps::number_of(const TraceRow& row) {
  const auto [place, is_new] = m_numbers.try_emplace({row.group, row.name, row.type, row.variable},
                                                     static_cast<uint32_t>(m_numbers.size()));
  if (is_new) m_names.push_back(&place->first);
  return place->second;
}

ReportJson PageSteps::variables() const {
  ReportJson all = ReportJson::array();
  for (const auto* name : m_names)
    all.push_back({std::get<0>(*name), std::get<1>(*name), std::get<2>(*name)});
  return all;
}

void PageSteps::add_rows(const TracedLine& line, ReportJson& step) {
  WarpRows& warp = m_warps[line.warp];
  const uint32_t lanes = m_texts.shown(~0u);
  const std::vector<TraceRow> rows = m_by_lines ? variable_rows(m_stepper, line.warp, lanes, {16, 3})
                                                : register_rows(m_stepper, line.warp, lanes);
  std::vector<uint32_t> order;
  ReportJson other = ReportJson::array(), changed = ReportJson::array();
  for (const TraceRow& row : rows) {
    const uint32_t number = number_of(row);
    order.push_back(number);
    const auto known = warp.rows.find(number);
    const bool is_same = known != warp.rows.end() && known->second == row;
    uint32_t lit = m_by_lines ? changed_in(line, row) : 0;
    if (!is_same && !m_by_lines)
      for (uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (known == warp.rows.end() || known->second.texts[lane] != row.texts[lane])
          lit |= row.has & 1u << lane;
    if (lit != 0) changed.push_back({number, lit});
    if (is_same) continue;
    other.push_back({number, row.in_scope, row.has, texts_json(row), row.not_set, row.no_place});
    warp.rows.insert_or_assign(number, row);
  }
  if (!other.empty()) step["r"] = std::move(other);
  if (!changed.empty()) step["c"] = std::move(changed);
  if (order == warp.order) return;
  step["k"] = order;
  warp.order = std::move(order);
}

// Cells are numbered among the arrays that are in the page.
void PageSteps::add_cells(ReportJson& step) {
  ReportJson all = ReportJson::array();
  size_t number = 0;
  for (size_t i = 0; i < m_cells.size(); ++i) {
    if (!is_grid(m_stepper.shared_arrays()[i])) continue;
    std::vector<std::string> now = cells_of(i);
    ReportJson cells = ReportJson::array();
    for (size_t at = 0; at < std::min(now.size(), m_cells[i].size()); ++at)
      if (now[at] != m_cells[i][at]) cells.push_back({at, now[at]});
    if (!cells.empty()) all.push_back({number, std::move(cells)});
    m_cells[i] = std::move(now);
    ++number;
  }
  if (!all.empty()) step["m"] = std::move(all);
}

ReportJson PageSteps::access_json(const stepping::SteppedAccess& access) const {
  const AccessPlace place = m_texts.place_of(access);
  ReportJson offsets = ReportJson::array();
  const uint32_t lanes = m_texts.shown(access.lanes);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    offsets.push_back(access.address[static_cast<size_t>(std::countr_zero(rest))] - place.base);
  size_t array = 0, number = SIZE_MAX;
  for (const stepping::SharedArray& shared : m_stepper.shared_arrays()) {
    if (!is_grid(shared)) continue;
    if (access.space == Space::shared && shared.name == place.name) number = array;
    ++array;
  }
  ReportJson json{
      {"v", place.verb}, {"sp", to_string(access.space)}, {"l", lanes}, {"o", std::move(offsets)}};
  json["base"] = place.base % 128;
  json["n"] = number == SIZE_MAX ? -1 : static_cast<int>(number);
  json["d"] = m_texts.access_text(access);
  json["c"] = cost_of(access);
  return json;
}

ReportJson PageSteps::step(const TracedLine& line) {
  ReportJson step{{"i", line.index}, {"n", line.instructions}, {"w", line.warp}, {"l", line.lanes}};
  step["s"] = line.place.line;
  step["p"] = line.place.ptx_line;
  if (line.place.line != 0 && line.place.file != m_stepper.request().module->source_name)
    step["f"] = line.place.file;
  if (!m_by_lines) step["t"] = m_stepper.text_of(line.place.instruction);
  const stepping::WarpView view = m_stepper.warp(line.warp);
  if (view.live == 0) step["e"] = 1;
  if (std::string words = state_of(view); !words.empty()) step["z"] = std::move(words);
  std::istringstream sentences(m_texts.paths(line.warp));
  ReportJson paths = ReportJson::array();
  for (const stepping::PathView& path : view.paths) {
    std::string sentence;
    if (path.runs_next || !std::getline(sentences, sentence)) continue;
    const size_t begin = sentence.find("| ");
    ReportJson one{{"l", path.lanes}, {"s", path.at.line}, {"p", path.at.ptx_line}};
    if (path.wait != stepping::Wait::none) one["x"] = 1;
    one["d"] = begin == sentence.npos ? sentence : sentence.substr(begin + 2);
    paths.push_back(std::move(one));
  }
  if (!paths.empty()) step["q"] = std::move(paths);
  ReportJson accesses = ReportJson::array();
  for (const stepping::SteppedAccess& access : line.accesses)
    if (m_texts.shown(access.lanes) != 0) accesses.push_back(access_json(access));
  if (!accesses.empty()) step["a"] = std::move(accesses);
  add_rows(line, step);
  add_cells(step);
  return step;
}

}  // namespace warplens
