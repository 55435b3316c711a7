// The Code view as a picture: source and PTX side by side, the cost of each line, and the PTX of each source
// line.
#pragma once

#include <string>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "app/views/code/links.h"
#include "app/views/model/incident_marks.h"
#include "core/base/provenance.h"
#include "core/launch/run_result.h"

namespace warplens {

struct CodeViewInput {
  const KernelDescription* kernel = nullptr;
  const CodeLinks* links = nullptr;
  const RunResult* result = nullptr;  // null if there are no counters yet
  uint32_t line = 0;                  // source line whose PTX is shown; 0 for the costliest
  std::vector<IncidentMark> incidents = {};
};

void draw_code_view(Picture& picture, const Style& style, Box box, const CodeViewInput& input);

// The counters of a line of this kernel's source. Null if it ran no instructions.
const LineCounters* counters_of_line(const RunResult* result, const KernelDescription& kernel, uint32_t line);
// The line with most warp instructions. 0 if none was counted.
uint32_t costliest_line(const RunResult* result, const KernelDescription& kernel);

// The resources that the assembler gave the kernel: "12 registers", "0 B spilled", …. Empty if it is not
// known.
std::vector<Figure> resource_figures(const Resources* resources);

// The work of a line, in a sentence: "98,304 × 32 lanes · 100 % active · 4 sectors where 1 would do".
std::string line_sentence(const LineCounters& counters);

}  // namespace warplens
