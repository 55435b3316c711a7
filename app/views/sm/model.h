// The SM view: what each resident warp of one SM does from cycle to cycle, as modelled, and what its
// schedulers issue. docs/sm-model.md has the model.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/base/draw/table.h"
#include "app/views/model/time_rows.h"
#include "core/job/sm_pass.h"

namespace warplens {

// Warp instructions of the sample: so many are modelled while a slider moves.
constexpr uint64_t sm_view_instructions = 60'000;
constexpr double shortest_cycles = 12;  // that a picture shows

// What the view says of a state.
struct SmStateWords {
  char letter;        // in a wide bar, and in the legend
  const char* one;    // "waits for memory", of a warp
  const char* brief;  // "memory"
  const char* many;   // "wait for memory"
};
const SmStateWords& words_of(WarpState state);

// A warp while it is on the SM, in cycles.
struct SmLife {
  uint64_t block = 0;  // in the grid
  uint32_t warp = 0;   // in its block
  uint32_t scheduler = 0;
  double begin = 0, end = 0;
  size_t first_span = 0, spans = 0;  // in its row
};

// One place of a scheduler for a resident warp: the warps that take it, one after the other.
// TimeSpan::item is the span in sm::Run::spans.
struct SmRow : TimeRow {
  uint32_t scheduler = 0;
  std::vector<SmLife> lives;  // by begin
  const SmLife* life_at(double cycle) const;
  const SmLife& life_of(size_t span) const;
};

struct SmScheduler {
  size_t first_row = 0, rows = 0;
  std::vector<uint64_t> issues;  // the cycles in which it issues, ascending
  size_t issued(double from, double to) const;
};

// The same blocks with another number of warps on the SM.
struct SmOther {
  uint64_t warps = 0;  // on the SM together
  double issue_slots = 0;
};

struct SmView {
  std::shared_ptr<const SmModel> model;  // null: `message` says why, and `advice` what to do
  std::string message, advice;
  bool stopped = false;  // and nothing else is said
  Dim3 grid, block;
  size_t launches = 1;  // of the run, of which this is the first
  double cycles = 0;
  std::vector<SmRow> rows;  // scheduler by scheduler
  std::vector<SmScheduler> schedulers;
  std::vector<std::pair<double, uint32_t>> resident;  // warps on the SM from a cycle on
  std::vector<uint32_t> line_of;   // of each PTX instruction, in the kernel's own file; 0: nowhere there
  std::vector<std::string> lines;  // of that file
  uint64_t warps = 0;              // that are on the SM together
  std::array<double, warp_states> shares{};  // of the warps' cycles
  WarpState stall = WarpState::wait;         // the largest one
  std::optional<SmOther> other;

  double issue_slots() const { return model->states->issue_slots; }
  const sm::Span& span(const SmRow& row, size_t index) const {
    return model->run.spans[row.spans[index].item];
  }
  uint32_t line(const sm::Span& span) const { return span.ptx < line_of.size() ? line_of[span.ptx] : 0; }
};
SmView view_sm(const RunResult& result, std::stop_token stop = {});

// Of 100, rounded: "31"; "less than 1" for what is there, but rounds to 0.
std::string sm_hundredths(double share);
// "Of 100 cycles 31 issue an instruction; in the others the warps mostly wait for memory."
std::string sm_sentence(const SmView& view);
// "With 32 warps on the SM instead of 8 it would be 74." Empty if nothing else was modelled.
std::string sm_other_sentence(const SmView& view);
// "128 of the 512 blocks of one SM".
std::string sm_sample_text(const SmView& view);

// The access that a warp waits for in a span, or makes.
struct SmAccess {
  sm::Access access;
  uint32_t line = 0;  // of the instruction that makes it
  bool stores = false, updates = false, shared = false;
};
std::optional<SmAccess> access_of(const SmView& view, const SmRow& row, size_t span);
// What a span is, in words: the warp, its state, the cycles, the line, and the access with its sectors.
std::string hint_of(const SmView& view, const SmRow& row, size_t span);
// The state of the row's warp in this cycle; empty if it has none.
std::optional<size_t> span_at_cycle(const SmRow& row, double cycle);

Table sm_table(const SmView& view);

}  // namespace warplens
