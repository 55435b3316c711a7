// The access that a warp waits for, found among what it executed.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/sm/model.h"

namespace warplens {
namespace {

// How often the instruction issues.
uint64_t issues_of(const sm::Instruction& i) {
  if (i.slots == 0) return 0;
  return i.kind == sm::Kind::arithmetic || i.kind == sm::Kind::special ? i.slots : 1;
}

// The warp's work, as far as it had it when the span began: the number of its next instruction that issues.
std::optional<std::pair<sm::WarpWork, uint64_t>> next_of(const SmView& view, const SmRow& row, size_t span) {
  const SmLife& life = row.life_of(span);
  const sm::Work& work = *view.model->work;
  const auto block = std::ranges::find(work.blocks, life.block, &sm::SampledBlock::block);
  if (block == work.blocks.end() || life.warp >= block->warps) return std::nullopt;
  uint64_t issued = 0;
  for (size_t i = life.first_span; i < span; ++i)
    if (view.span(row, i).state == WarpState::selected)
      issued += view.span(row, i).end - view.span(row, i).begin;
  const sm::WarpWork warp = work.warps[block->first_warp + life.warp];
  for (uint64_t at = warp.first; at < warp.first + warp.count; ++at) {
    const uint64_t here = issues_of(work.code.instructions[work.executed[at].instruction]);
    if (here > issued) return std::pair(warp, at);
    issued -= here;
  }
  return std::nullopt;
}

// The access whose result the instruction at `at` waits for.
std::optional<uint64_t> producer_of(const sm::Work& work, const sm::WarpWork& warp, uint64_t at,
                                    sm::Kind kind) {
  const auto instruction = [&](uint64_t i) -> const sm::Instruction& {
    return work.code.instructions[work.executed[i].instruction];
  };
  std::vector<bool> wanted(work.code.register_count, false);
  for (const uint32_t r : work.code.reads(instruction(at))) wanted[r] = true;
  for (const uint32_t r : work.code.writes(instruction(at))) wanted[r] = true;
  while (at-- > warp.first) {
    const sm::Instruction& i = instruction(at);
    bool writes = false;
    for (const uint32_t r : work.code.writes(i)) {
      writes |= wanted[r];
      wanted[r] = false;
    }
    if (!writes) continue;
    if (i.slots == 0)  // it moves what another one made
      for (const uint32_t r : work.code.reads(i)) wanted[r] = true;
    else if (i.kind == kind)
      return at;
  }
  return std::nullopt;
}

std::string access_text(const SmAccess& access) {
  const char* what = access.updates ? "atomic" : access.stores ? "store" : "load";
  const std::string of_line = access.line == 0 ? std::string() : fmt::format(" of line {}", access.line);
  const std::string lanes = count_text(access.access.lanes, "lane", "lanes");
  if (access.shared)
    return fmt::format(
        "{}{}, {}: {}", what, of_line, lanes,
        count_text(access.access.wavefronts, "wavefront of shared memory", "wavefronts of shared memory"));
  return fmt::format("{}{}, {}: {} in {} of 128 B", what, of_line, lanes,
                     count_text(access.access.sectors, "sector", "sectors"),
                     count_text(access.access.lines, "line", "lines"));
}

}  // namespace

std::optional<SmAccess> access_of(const SmView& view, const SmRow& row, size_t span) {
  const sm::Span& shown = view.span(row, span);
  const auto next = next_of(view, row, span);
  if (!next) return std::nullopt;
  const sm::Work& work = *view.model->work;
  const bool waits_for_access =
      shown.state == WarpState::long_scoreboard || shown.state == WarpState::short_scoreboard;
  const bool makes_it = shown.state == WarpState::selected || shown.state == WarpState::lg_throttle ||
                        shown.state == WarpState::mio_throttle;
  if (!waits_for_access && !makes_it) return std::nullopt;
  std::optional<uint64_t> at = next->second;
  if (shown.state == WarpState::long_scoreboard) at = producer_of(work, next->first, *at, sm::Kind::memory);
  if (shown.state == WarpState::short_scoreboard) at = producer_of(work, next->first, *at, sm::Kind::shared);
  if (!at || work.executed[*at].access == sm::no_access) return std::nullopt;
  const sm::Instruction& i = work.code.instructions[work.executed[*at].instruction];
  return SmAccess{work.accesses[work.executed[*at].access],
                  i.ptx < view.line_of.size() ? view.line_of[i.ptx] : 0, i.stores, i.updates,
                  i.kind == sm::Kind::shared};
}

std::string hint_of(const SmView& view, const SmRow& row, size_t index) {
  const sm::Span& span = view.span(row, index);
  const SmLife& life = row.life_of(index);
  std::string hint =
      fmt::format("Warp {} of block {} {} ≈\n", life.warp,
                  position_text(position_at(life.block, view.grid), view.grid), words_of(span.state).one);
  hint += fmt::format("{} · {} from cycle {} on", text_of(span.state).title,
                      count_text(span.end - span.begin, "cycle", "cycles"), with_separators(span.begin));
  if (const uint32_t line = view.line(span); line != 0) {
    std::string text = line <= view.lines.size() ? view.lines[line - 1] : std::string();
    text.erase(0, std::min(text.size(), text.find_first_not_of(' ')));
    hint += fmt::format("\nline {}: {}", line, text);
  }
  if (const auto access = access_of(view, row, index)) hint += "\n" + access_text(*access);
  return hint;
}

}  // namespace warplens
