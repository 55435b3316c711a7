// The contents of the Launch panel as plain data, made from the state and drawn by panel.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/state/state.h"
#include "core/base/provenance.h"

namespace warplens {

struct ArgumentRow {
  std::string name;
  std::string title;
  Control control = Control::number;
  double value = 0, minimum = 0, maximum = 0;
  bool whole = false;   // only whole numbers
  std::string picture;  // Control::image: "astronaut.png, 512 × 512"
};

struct PresetChip {
  std::string label;  // "16×16"
  Dim3 block;
  bool chosen = false;
};

struct LaunchFigure {
  Figure figure;
  // "0.25 × A" if a baseline is pinned, else "was 16" if the last run had another value; otherwise empty.
  std::string ghost;
  std::string difference = {};  // the same in the figure's unit: "0.25 × A", "+12"
  bool better = false;          // more of it is better, and there is more
  std::string brief;            // the value where there is little room: "16.8 M"
  bool hidden = false;          // it reads "?" until the user has answered
  bool key = false;             // one of the four that stand above the controls
};

struct LaunchView {
  std::string title, teaches, subject;  // subject: "astronaut.png, 512 × 512" or the problem's size
  std::vector<ArgumentRow> arguments;
  std::vector<PresetChip> presets;
  std::string fit_formula;       // "⌈512 / 16⌉ × ⌈512 / 16⌉"; empty if the problem is not known
  bool problem_is_known = true;  // not of a recorded launch
  int axes = 1;                  // axes of the problem; more are shown if block or grid use them
  bool block_is_bound = false;
  Dim3 max_block, max_grid;  // ends of the sliders
  uint32_t max_shared_bytes = 0;
  std::vector<LaunchFigure> figures;
  std::optional<Problem> refusal;  // why the launch cannot run; warnings are at the bottom of the window
};

LaunchView launch_view(const AppState& state);

// "16,777,216" → "16.8 M". Values that are short already stay as they are.
std::string brief_of(const std::string& value);

// The six figures of one launch. `occupancy` is null if it is not known.
struct FigureInput {
  LaunchShape shape;
  std::optional<Dim3> problem;
  const Occupancy* occupancy = nullptr;
  const Resources* resources = nullptr;
  const Device& device;
};
std::vector<Figure> launch_figures(const FigureInput& input);

// The number of lanes of launched warps that have no element: lanes at the end of partly filled warps, and
// threads outside the problem.
uint64_t idle_lanes(const LaunchShape& shape, const std::optional<Dim3>& problem);

}  // namespace warplens
