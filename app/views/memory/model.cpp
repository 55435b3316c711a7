#include "app/views/memory/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "core/base/text_line.h"
#include "core/job/cache_pass.h"

namespace warplens {

namespace {

std::vector<MemoryFlow> flows_of(const Counters& c) {
  using S = MemorySpace;
  using K = FlowKind;
  return {
      {S::global, K::load, c.global_load_requests, c.global_load_sectors, {}, {}},
      {S::global, K::store, c.global_store_requests, c.global_store_sectors, {}, {}},
      {S::global, K::atomic, c.atomic_requests, c.atomic_sectors, {}, {}},
      {S::global, K::copy, c.async_copy_requests, c.async_copy_global_sectors, {}, {}},
      {S::local, K::load, {}, c.local_load_sectors, {}, {}},
      {S::local, K::store, {}, c.local_store_sectors, {}, {}},
      {S::texture, K::load, c.texture_requests, c.texture_sectors, {}, {}},
      {S::constant, K::load, c.constant_load_requests, {}, {}, {}},
      {S::shared,
       K::load,
       c.shared_load_requests,
       {},
       c.shared_load_wavefronts,
       c.shared_load_bank_conflicts},
      {S::shared,
       K::store,
       c.shared_store_requests,
       {},
       c.shared_store_wavefronts,
       c.shared_store_bank_conflicts},
      {S::shared,
       K::atomic,
       c.shared_atomic_requests,
       {},
       c.shared_atomic_wavefronts,
       c.shared_atomic_bank_conflicts},
      {S::shared,
       K::copy,
       c.async_copy_requests,
       {},
       c.async_copy_shared_wavefronts,
       c.async_copy_bank_conflicts},
  };
}

std::string file_name(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

// Only the kernel's own text is available, not that of headers.
std::string text_of_line(const RunResult& result, const LineCounters& line) {
  if (!result.request || !result.request->module) return {};
  const ModuleText& module = *result.request->module;
  if (!line.file.empty() && !module.source_name.empty() &&
      file_name(line.file) != file_name(module.source_name))
    return {};
  return std::string(trimmed_line_of(module.source, line.line));
}

std::vector<MemoryLine> lines_of(const RunResult& result) {
  std::vector<MemoryLine> lines;
  for (const LineCounters& line : result.lines) {
    if (line.global_requests + line.bank_conflicts + line.local_requests + line.constant_requests +
            line.texture_requests ==
        0)
      continue;
    lines.push_back({line.file, line.line, text_of_line(result, line), line.global_requests,
                     line.global_sectors, line.global_sectors_ideal, line.bank_conflicts, line.local_requests,
                     line.local_sectors, line.constant_requests, line.texture_requests});
  }
  return lines;
}

std::string cache_gap_words(const RunResult& result) {
  const std::string why = why_no_caches(result);
  if (why.empty()) return "the model of the caches is at work.";
  return why + ". warplens run --observe trace models every run.";
}

void add_caches(const RunResult& result, MemoryView& view) {
  const Counters& c = *result.counters;
  const uint64_t stored = c.global_store_sectors + c.local_store_sectors;
  view.l1_to_l2 = {"L1", "L2", c.l2_read_sectors, {}, {}, {}, "read sectors that L1 did not hold"};
  view.l2_to_dram = {"L2", "DRAM", {}, c.dram_read_bytes, {}, {}, "bytes that L2 did not hold"};
  // L1 writes through; L2 keeps what was written.
  if (stored != 0) view.l1_to_l2.written_sectors = stored;
  if (stored + c.atomic_sectors != 0) view.l2_to_dram.written_bytes = c.dram_write_bytes;
  view.l1_hit_percent = l1_hit_percent(c);
  if (!c.l1_hit_sectors && !c.l2_read_sectors)
    view.cache_words = "Hits in L1 and L2, and what reaches DRAM, are not known: " + cache_gap_words(result);
}

void describe(const Counters& c, MemoryView& view) {
  for (const MemoryLine& line : view.lines) {
    view.sectors += line.sectors;
    view.sectors_ideal += line.sectors_ideal;
    view.conflicts += line.conflicts;
  }
  if (view.sectors == 0 && shared_counts(c).requests == 0) {
    view.answer = "This run touched no global and no shared memory.";
    return;
  }
  const std::string sectors = count_text(view.sectors, "sector", "sectors");
  const uint64_t local = c.local_load_sectors + c.local_store_sectors;
  const std::string conflicts = count_text(view.conflicts, "bank conflict", "bank conflicts");
  if (view.sectors == view.sectors_ideal && view.conflicts > 0) {
    view.answer = fmt::format("Shared memory: {}.", conflicts);
    view.detail = fmt::format(
        "Lanes of a warp want different words of one bank, and the bank serves one at a time. Global memory: "
        "{}, and every one is needed.",
        sectors);
    return;
  }
  if (view.sectors == view.sectors_ideal && local > view.sectors) {
    view.answer = fmt::format("Local memory moves {}, more than global memory.", bytes_text(local * 32));
    view.detail =
        "It holds what does not fit into registers, or is indexed at run time. It is stored in DRAM and "
        "cached like global memory.";
    return;
  }
  if (view.sectors > view.sectors_ideal) {
    view.answer = fmt::format("{} move, {} would hold all that was asked for.", sectors,
                              with_separators(view.sectors_ideal));
    view.detail =
        fmt::format("{} times the ideal: lanes of a warp access bytes that are far apart.",
                    significant(double(view.sectors) / double(std::max<uint64_t>(1, view.sectors_ideal))));
  } else {
    view.answer = fmt::format("{} move, and every one is needed.", sectors);
    view.detail = "Neighbouring lanes ask for neighbouring bytes: the access is coalesced.";
  }
  if (view.conflicts > 0) view.detail += fmt::format(" Shared memory: {}.", conflicts);
}

std::string bytes_of_level(std::optional<uint64_t> bytes, const char* tail) {
  return bytes ? bytes_text(*bytes) + tail : std::string();
}

}  // namespace

const char* to_string(MemorySpace space) {
  switch (space) {
    case MemorySpace::global:
      return "global";
    case MemorySpace::local:
      return "local";
    case MemorySpace::texture:
      return "texture";
    case MemorySpace::constant:
      return "constant";
    case MemorySpace::shared:
      return "shared";
  }
  return "";
}

const char* to_string(FlowKind kind) {
  switch (kind) {
    case FlowKind::load:
      return "load";
    case FlowKind::store:
      return "store";
    case FlowKind::atomic:
      return "atomic";
    case FlowKind::copy:
      return "background copy";
  }
  return "";
}

MemoryView view_memory(const RunResult& result) {
  MemoryView view;
  if (!result.counters) {
    view.message = result.status == RunStatus::refused
                       ? "CUDA refuses this launch, so nothing was read or written."
                       : "This run counted nothing: run it with counters to see its memory traffic.";
    return view;
  }
  view.flows = flows_of(*result.counters);
  view.lines = lines_of(result);
  add_caches(result, view);
  describe(*result.counters, view);
  if (result.request) {
    const Device& device = result.request->device;
    view.levels[0] = bytes_of_level(device.l1_bytes_per_sm, "/SM");
    view.levels[1] = bytes_of_level(device.l2_bytes, "");
    view.levels[2] = bytes_of_level(device.memory_bytes, "");
  }
  return view;
}

Table memory_table(const MemoryView& view) {
  Table table{{"part", "name", "kind", "line", "requests", "sectors", "sectors_ideal", "bytes", "wavefronts",
               "bank_conflicts", "local_sectors", "constant_requests", "texture_requests", "source"},
              {}};
  const auto cell = [](const std::optional<uint64_t>& value) { return value ? std::to_string(*value) : ""; };
  for (const MemoryFlow& flow : view.flows)
    table.rows.push_back({"flow", to_string(flow.space), to_string(flow.kind), "", cell(flow.requests),
                          cell(flow.sectors), "", cell(flow.bytes()), cell(flow.wavefronts),
                          cell(flow.conflicts), "", "", "", ""});
  for (const CacheFlow* flow : {&view.l1_to_l2, &view.l2_to_dram}) {
    const std::string between = flow->from + " to " + flow->to;
    table.rows.push_back({"cache", between, "load", "", "", cell(flow->sectors), "", cell(flow->read_bytes),
                          "", "", "", "", "", ""});
    table.rows.push_back({"cache", between, "store", "", "", cell(flow->written_sectors), "",
                          cell(flow->written_bytes), "", "", "", "", "", ""});
  }
  for (const MemoryLine& line : view.lines)
    table.rows.push_back({"line", line.file, "", std::to_string(line.line), std::to_string(line.requests),
                          std::to_string(line.sectors), std::to_string(line.sectors_ideal), "", "",
                          std::to_string(line.conflicts), std::to_string(line.local_sectors),
                          std::to_string(line.constant_requests), std::to_string(line.texture_requests),
                          line.source});
  return table;
}

}  // namespace warplens
