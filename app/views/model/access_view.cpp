#include "app/views/model/access_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/base/format.h"

namespace warplens {

namespace {

const char* noun_of(AccessKind kind) {
  return kind == AccessKind::load ? "load" : kind == AccessKind::store ? "store" : "atomic";
}

const BufferSpec* buffer_of(const LaunchRequest& request, const WarpAccess& access) {
  const auto index = static_cast<size_t>(access.buffer);
  return access.buffer >= 0 && index < request.buffers.size() ? &request.buffers[index] : nullptr;
}

// Numbers of the sectors that the lanes touch, each once, in order.
std::set<uint64_t> touched_sectors(const WarpAccess& access) {
  std::set<uint64_t> sectors;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((access.mask >> lane & 1) == 0) continue;
    const uint64_t last = access.offset[lane] + std::max<uint32_t>(1, access.bytes_per_lane) - 1;
    for (uint64_t s = access.offset[lane] / sector_bytes; s <= last / sector_bytes; ++s) sectors.insert(s);
  }
  return sectors;
}

std::vector<SectorRun> runs_of(const std::set<uint64_t>& sectors) {
  std::vector<SectorRun> runs;
  for (const uint64_t sector : sectors) {
    if (!runs.empty() && runs.back().first + runs.back().count == sector) {
      ++runs.back().count;
    } else {
      runs.push_back({sector, 1, UINT64_MAX, 0, {}});
    }
  }
  return runs;
}

std::string place_of(const BufferSpec* spec, const SectorRun& run) {
  if (spec == nullptr || spec->height <= 1 || spec->width == 0) return {};
  const uint64_t row_bytes = uint64_t{spec->width} * spec->channels * bytes_of(spec->dtype);
  const uint64_t first = run.first_byte / row_bytes, last = run.last_byte / row_bytes;
  return first == last ? "row " + with_separators(first)
                       : fmt::format("rows {} to {}", with_separators(first), with_separators(last));
}

void add_sectors(AccessView& view, const WarpAccess& access, const BufferSpec* spec) {
  view.runs = runs_of(touched_sectors(access));
  for (LaneTarget& target : view.lanes) {
    const uint64_t sector = target.offset / sector_bytes;
    const auto after = std::upper_bound(view.runs.begin(), view.runs.end(), sector,
                                        [](uint64_t s, const SectorRun& run) { return s < run.first; });
    target.run = static_cast<size_t>(after - view.runs.begin()) - 1;
    SectorRun& run = view.runs[target.run];
    run.first_byte = std::min(run.first_byte, target.offset);
    run.last_byte = std::max(run.last_byte, target.offset + std::max(1u, target.bytes) - 1);
  }
  for (SectorRun& run : view.runs) run.place = place_of(spec, run);
}

void add_banks(AccessView& view) {
  std::set<uint64_t> words;
  for (LaneTarget& target : view.lanes) {
    target.run = target.offset / bank_bytes % shared_banks;
    const uint64_t last = target.offset + std::max(1u, target.bytes) - 1;
    for (uint64_t word = target.offset / bank_bytes; word <= last / bank_bytes; ++word) words.insert(word);
  }
  for (const uint64_t word : words) ++view.bank_words[word % shared_banks];
}

std::string sentence_of(const AccessView& view, const WarpAccess& access) {
  const std::string lanes = count_text(view.lanes.size(), "lane", "lanes");
  const std::string asked = fmt::format("{} × {} B", lanes, access.bytes_per_lane);
  if (view.space == Space::shared)
    return fmt::format("{}: {}", asked, count_text(view.wavefronts, "wavefront", "wavefronts"));
  if (view.space != Space::global) return asked;
  return fmt::format("{}: {} of 32 B touched, {} ideal", asked, count_text(view.sectors, "sector", "sectors"),
                     view.sectors_ideal);
}

}  // namespace

AccessView view_access(const LaunchRequest& request, const BlockFootprint& footprint, size_t index) {
  AccessView view;
  if (index >= footprint.accesses.size()) return view;
  const WarpAccess& access = footprint.accesses[index];
  const BufferSpec* spec = buffer_of(request, access);
  view.index = index;
  view.warp = access.warp;
  view.space = access.space;
  view.kind = access.kind;
  view.line = access.source_line;
  view.sectors = access.sectors;
  view.sectors_ideal = access.sectors_ideal;
  view.wavefronts = access.wavefronts;
  view.buffer = spec != nullptr                   ? spec->name
                : access.space == Space::shared   ? "shared memory"
                : access.space == Space::local    ? "local memory"
                : access.space == Space::constant ? "constant memory"
                                                  : "";
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    if ((access.mask >> lane & 1) != 0)
      view.lanes.push_back({lane, access.offset[lane], access.bytes_per_lane, 0});
  if (access.space == Space::shared) {
    add_banks(view);
  } else {
    add_sectors(view, access, spec);
  }
  view.title = noun_of(view.kind);
  if (!view.buffer.empty())
    view.title += (view.kind == AccessKind::store  ? " to "
                   : view.kind == AccessKind::load ? " of "
                                                   : " on ") +
                  view.buffer;
  if (view.line != 0) view.title += fmt::format(" · line {}", view.line);
  view.sentence = sentence_of(view, access);
  return view;
}

std::vector<size_t> accesses_of_warp(const BlockFootprint& footprint, uint32_t warp, size_t limit) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < footprint.accesses.size() && indices.size() < limit; ++i) {
    const WarpAccess& access = footprint.accesses[i];
    if (access.warp == warp && access.space != Space::parameter && access.mask != 0) indices.push_back(i);
  }
  return indices;
}

ThreadWork thread_work(const BlockFootprint& footprint, Dim3 block) {
  ThreadWork work;
  work.wrote.resize(block.count());
  work.touched.resize(block.count());
  for (const WarpAccess& access : footprint.accesses) {
    if (access.space == Space::parameter || access.space == Space::constant) continue;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const uint64_t thread = uint64_t{access.warp} * warp_lanes + lane;
      if ((access.mask >> lane & 1) == 0 || thread >= work.touched.size()) continue;
      work.touched[thread] = true;
      if (access.kind != AccessKind::load && access.space != Space::shared && access.space != Space::local)
        work.wrote[thread] = true;
    }
  }
  return work;
}

LoadTotals totals_like(const BlockFootprint& footprint, size_t index) {
  LoadTotals totals;
  if (index >= footprint.accesses.size()) return totals;
  const WarpAccess& like = footprint.accesses[index];
  std::set<uint64_t> sectors, bytes;
  for (const WarpAccess& access : footprint.accesses) {
    if (access.warp != like.warp || access.kind != like.kind || access.space != like.space ||
        access.buffer != like.buffer)
      continue;
    ++totals.accesses;
    totals.sectors += access.sectors;
    sectors.merge(touched_sectors(access));
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      for (uint32_t i = 0; (access.mask >> lane & 1) != 0 && i < access.bytes_per_lane; ++i)
        bytes.insert(access.offset[lane] + i);
  }
  totals.distinct_sectors = sectors.size();
  totals.distinct_bytes = bytes.size();
  return totals;
}

}  // namespace warplens
