// Answers by clicking: the names that expressions have for a click, and how many right ones there are.
#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/play/question_judges.h"

namespace warplens::lesson {
namespace {

std::optional<uint64_t> block_count(const std::vector<uint64_t>& counts, const BlockStats& stats,
                                    Dim3 block) {
  if (block.x >= stats.grid.x || block.y >= stats.grid.y || block.z >= stats.grid.z) return std::nullopt;
  const uint64_t bin = linear_index(block, stats.grid) / std::max<uint64_t>(1, stats.blocks_per_bin);
  return bin < counts.size() ? std::optional(counts[bin]) : std::nullopt;
}

std::optional<uint64_t> largest(const std::vector<uint64_t>& counts) {
  return counts.empty() ? std::nullopt : std::optional(*std::ranges::max_element(counts));
}

void add_block_counts(Facts& facts, const Target& clicked, const RunResult* result) {
  const BlockStats* stats = result ? result->blocks.get() : nullptr;
  const auto set = [&](const char* name, const std::vector<uint64_t> BlockStats::*counts) {
    facts.set(std::string("click.") + name,
              stats ? block_count(stats->*counts, *stats, clicked.block) : std::nullopt);
    facts.set(std::string("most.") + name, stats ? largest(stats->*counts) : std::nullopt);
  };
  set("instructions", &BlockStats::warp_instructions);
  set("divergent", &BlockStats::divergent_branches);
  set("sectors", &BlockStats::global_sectors);
}

// The number of things that can be clicked, and the i-th of them. Empty if there is no limit.
struct Domain {
  uint64_t count = 0;
  Dim3 grid, block;
  Target at(Target::Kind kind, uint64_t i) const {
    Target target;
    target.kind = kind;
    target.index = i;
    if (kind == Target::Kind::thread) {
      target.thread = position_at(i % block.count(), block);
      target.block = position_at(i / block.count(), grid);
    } else if (kind == Target::Kind::block) {
      target.block = position_at(i, grid);
    } else if (kind == Target::Kind::warp) {
      const uint64_t warps = ceil_div(block.count(), warp_lanes);
      target.index = i % warps;
      target.block = position_at(i / warps, grid);
    }
    return target;
  }
};

constexpr uint64_t most_clickable = 20'000;  // for each, the condition is evaluated

std::optional<Domain> domain_of(const Question& question, const Facts& facts, const RunResult* result) {
  const auto number = [&](const char* name) {
    const auto found = facts.known.find(name);
    return found == facts.known.end() ? 0u : uint32_t(found->second.whole());
  };
  Domain domain;
  domain.grid = {number("launch.grid.x"), number("launch.grid.y"), number("launch.grid.z")};
  domain.block = {number("launch.block.x"), number("launch.block.y"), number("launch.block.z")};
  switch (question.what) {
    case Target::Kind::thread:
      domain.count = domain.grid.count() * domain.block.count();
      break;
    case Target::Kind::block:
      domain.count = domain.grid.count();
      break;
    case Target::Kind::warp:
      domain.count = domain.grid.count() * ceil_div(domain.block.count(), warp_lanes);
      break;
    case Target::Kind::lane:
    case Target::Kind::bank:
      domain.count = 32;
      break;
    case Target::Kind::line:
      domain.count = 1000;
      break;
    case Target::Kind::element:
      if (!result || !result->request) return std::nullopt;
      for (const BufferSpec& buffer : result->request->buffers)
        if (buffer.name == question.array || (question.array.empty() && buffer.output))
          domain.count = buffer.bytes / bytes_of(buffer.dtype);
      break;
    case Target::Kind::nothing:
      break;
  }
  if (domain.count == 0) return std::nullopt;
  return domain;
}

}  // namespace

void add_click(Facts& facts, const Target& clicked, const RunResult* result) {
  constexpr Target::Kind in_block[] = {Target::Kind::thread, Target::Kind::block, Target::Kind::warp};
  const bool placed = std::ranges::find(in_block, clicked.kind) != std::end(in_block);
  const auto set = [&](const char* name, bool has, uint64_t value) {
    facts.set(name, has ? expression::Value(value) : expression::Value{});
  };
  set("click.block.x", placed, clicked.block.x);
  set("click.block.y", placed, clicked.block.y);
  set("click.block.z", placed, clicked.block.z);
  const bool thread = clicked.kind == Target::Kind::thread;
  set("click.thread.x", thread, clicked.thread.x);
  set("click.thread.y", thread, clicked.thread.y);
  set("click.thread.z", thread, clicked.thread.z);
  std::optional<uint64_t> warp, lane;
  if (clicked.kind == Target::Kind::warp) warp = clicked.index;
  if (clicked.kind == Target::Kind::lane) lane = clicked.index;
  if (thread && facts.known.contains("launch.block.x")) {
    const auto extent = [&](const char* name) { return static_cast<uint32_t>(facts.known[name].whole()); };
    const Dim3 block{extent("launch.block.x"), extent("launch.block.y"), extent("launch.block.z")};
    const uint64_t index = linear_index(clicked.thread, block);
    const uint64_t warp_index = index / warp_lanes;
    warp = warp_index;
    lane = index % warp_lanes;
  }
  facts.set("click.warp", warp);
  facts.set("click.lane", lane);
  set("click.bank", clicked.kind == Target::Kind::bank, clicked.index);
  set("click.line", clicked.kind == Target::Kind::line, clicked.index);
  const bool element = clicked.kind == Target::Kind::element;
  set("click.index", element, clicked.index);
  Dim3 at{0, 0, 0};
  bool plane = false;
  if (element && result && result->request)
    for (const BufferSpec& buffer : result->request->buffers)
      if ((buffer.name == clicked.array || (clicked.array.empty() && buffer.output)) && buffer.width > 0) {
        const uint64_t pixel = clicked.index / std::max(1u, buffer.channels);
        at = {uint32_t(pixel % buffer.width), uint32_t(pixel / buffer.width % std::max(1u, buffer.height)),
              uint32_t(clicked.index % std::max(1u, buffer.channels))};
        plane = true;
      }
  set("click.x", plane, at.x);
  set("click.y", plane, at.y);
  set("click.z", plane, at.z);
  add_block_counts(facts, clicked, result);
}

Result<Verdict> judge_clicks(const Question& question, const ClickAnswer& answer, const Facts& facts,
                             const RunResult* result) {
  Verdict verdict;
  const auto fulfils = [&](const Target& target) {
    Facts more = facts;
    add_click(more, target, result);
    return value_of(question.right.text, more);
  };
  std::vector<Target> found;
  for (uint32_t i = 0; i < answer.clicked.size(); ++i) {
    const Result<std::optional<double>> value = fulfils(answer.clicked[i]);
    if (!value) return value.error();
    if (!*value) verdict.known = false;
    const bool right = *value && **value != 0;
    const bool twice = std::ranges::find(found, answer.clicked[i]) != found.end();
    if (!right) {
      verdict.wrong_parts.push_back(i);
      Facts more = facts;
      add_click(more, answer.clicked[i], result);
      if (verdict.because.empty()) verdict.because = filled_in(question.otherwise.text, more);
    } else if (!twice) {
      found.push_back(answer.clicked[i]);
    }
  }
  verdict.found = uint32_t(found.size());
  verdict.wanted = 1;
  if (!question.find.empty()) {
    const Result<std::optional<double>> wanted = value_of(question.find.text, facts);
    if (!wanted) return wanted.error();
    if (!*wanted) verdict.known = false;
    verdict.wanted = uint32_t(std::clamp(wanted->value_or(1), 1.0, 1e6));
  } else if (question.find_all) {
    const std::optional<Domain> domain = domain_of(question, facts, result);
    verdict.known = verdict.known && domain.has_value();
    if (domain && domain->count > most_clickable)
      return bad_input(
          fmt::format("find: all counts at most {} things, and there are {}: write find: and a number",
                      most_clickable, domain->count));
    verdict.wanted = 0;
    // One copy of the facts for all of them: only the names of a click change.
    Facts more = facts;
    for (uint64_t i = 0; domain && i < domain->count; ++i) {
      add_click(more, domain->at(question.what, i), result);
      const Result<std::optional<double>> value = value_of(question.right.text, more);
      if (value && *value && **value != 0) ++verdict.wanted;
    }
  }
  verdict.right =
      verdict.known && verdict.wrong_parts.empty() && verdict.found > 0 && verdict.found >= verdict.wanted;
  verdict.truth_text = question.right.text;
  return verdict;
}

}  // namespace warplens::lesson
