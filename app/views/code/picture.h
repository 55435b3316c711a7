// The Code view as a picture: source and PTX side by side, what each line cost, and which line became which.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.h"
#include "app/draw/style.h"
#include "app/views/code/links.h"
#include "core/base/source.h"
#include "core/launch/run_result.h"

namespace warplens {

struct CodeViewInput {
  const KernelDescription* kernel = nullptr;
  const CodeLinks* links = nullptr;
  const RunResult* result = nullptr;  // null: no counters yet
  uint32_t line = 0;                  // of the source, whose PTX is shown; 0: the costliest
};

void draw_code_view(Picture& picture, const Style& style, Box box, const CodeViewInput& input);

// Counters of one line of this kernel's source; null: it ran no instructions.
const LineCounters* counters_of_line(const RunResult* result, const KernelDescription& kernel, uint32_t line);
// The line with most warp instructions; 0: none was counted.
uint32_t costliest_line(const RunResult* result, const KernelDescription& kernel);

// "12 registers", "0 B spilled", …: what the assembler gave the kernel; empty where it was not asked.
std::vector<Figure> resource_figures(const Resources* resources);

// "98,304 × 32 lanes · 100 % active · 4 sectors where 1 would do": what a line did, in a sentence.
std::string line_sentence(const LineCounters& counters);

}  // namespace warplens
