// The data of a traced block's page: what a browser needs to step through it. assets/trace/page.js reads it.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "app/cli/trace/trace_lines.h"
#include "app/cli/trace/trace_rows.h"
#include "core/base/json/json.h"

namespace warplens {

// Makes a step of the page of each line or instruction that was traced: what is another than it was at this
// warp's step before.
class PageSteps {
 public:
  PageSteps(const stepping::BlockStepper& stepper, std::optional<uint32_t> lane, bool by_lines);

  // The stepper is after the line.
  ReportJson step(const TracedLine& line);
  ReportJson variables() const;  // [group, name, type] by their number in the steps
  ReportJson arrays() const;     // of shared memory, with what they hold now; call it before the first step

 private:
  struct WarpRows {
    std::map<uint32_t, TraceRow> rows;
    std::vector<uint32_t> order;
  };
  uint32_t number_of(const TraceRow& row);
  void add_rows(const TracedLine& line, ReportJson& step);
  void add_cells(ReportJson& step);
  ReportJson access_json(const stepping::SteppedAccess& access) const;
  std::vector<std::string> cells_of(size_t array) const;

  const stepping::BlockStepper& m_stepper;
  TraceWriter m_texts;
  bool m_by_lines;
  using Name = std::tuple<std::string, std::string, std::string, uint32_t>;  // group, name, type, variable
  std::map<Name, uint32_t> m_numbers;
  std::vector<const Name*> m_names;
  std::map<uint32_t, WarpRows> m_warps;
  std::vector<std::vector<std::string>> m_cells;  // of each shared array
};

}  // namespace warplens
