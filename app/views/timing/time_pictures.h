// The pictures of the Timing view, a function for each; picture.cpp calls them.
#pragma once

#include "app/base/draw/parts.h"
#include "app/base/draw/plot.h"
#include "app/views/timing/picture.h"

namespace warplens {

uint32_t colour_of(const Palette& palette, StepKind kind);

// Each draws in its box and returns the y below it.
float draw_steps(Picture& picture, const Style& style, Box box, const TimingInput& input,
                 TimingLayout& layout);
float draw_stopwatch(Picture& picture, const Style& style, Box box, const TimingInput& input,
                     TimingLayout& layout);
float draw_block_sweep(Picture& picture, const Style& style, Box box, const TimingInput& input,
                       TimingLayout& layout);
float draw_size_sweep(Picture& picture, const Style& style, Box box, const TimingInput& input,
                      TimingLayout& layout);
float draw_roofline(Picture& picture, const Style& style, Box box, const TimingInput& input,
                    TimingLayout& layout);
float draw_run_history(Picture& picture, const Style& style, Box box, const TimingInput& input,
                       TimingLayout& layout);

// The times of a sweep's axis, and its progress with a button that ends it.
std::string sweep_axis_us(double us);
float draw_sweep_progress(Picture& picture, const Style& style, Box box, float y, const TimingInput& input);

// A large "4.79 µs" with its meaning, tag, band and its ratio to the baseline ("1.2 × A") next to it. Returns
// its right edge.
float draw_time_figure(Picture& picture, const Style& style, Point at, const Band& us, std::string_view what,
                       Provenance source, const std::string& formula, std::string_view ratio = "");
constexpr float time_figure_height = 62;  // at 100 %

// A sentence in the body size; returns the y below it, with a gap.
float draw_sentence(Picture& picture, const Style& style, Box box, float y, std::string_view words);

}  // namespace warplens
