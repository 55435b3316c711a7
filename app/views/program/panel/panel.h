// The Program view: what a recorded program did with the device, over time and launch by launch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/model/program_timeline.h"
#include "app/views/program/pages_picture.h"
#include "app/views/program/panel/host_lines_panel.h"
#include "app/views/program/panel/run_panel.h"
#include "app/views/program/panel/source_panel.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/texture.h"
#include "core/recording/arguments.h"
#include "core/recording/launch_source.h"

namespace warplens {

// Data that is computed from the chosen launch.
struct LaunchDetails {
  std::vector<recording::ShownArgument> arguments;
  recording::SourceText source;
};

struct ProgramPanelState {
  RunPanelState run;
  SourcePanelState source;
  Built<std::shared_ptr<const OpenedProgram>, ProgramTimeline> timeline;
  Built<std::pair<std::shared_ptr<const OpenedProgram>, uint64_t>, LaunchDetails> details;
  std::optional<TimeRange> range;              // of the time line; empty: all of it
  std::shared_ptr<const OpenedProgram> drawn;  // whose range that is
  int page_step = 0;                           // of managed memory, the first that is drawn
  PagesBefore pages;                           // before it
  std::shared_ptr<const OpenedProgram> pages_of;
  bool shows_overlap = false;  // what could overlap, below the time line
  HostLinesState lines;
  std::map<uint64_t, ProgramFinding> findings;  // the first of each launch
  std::shared_ptr<const OpenedProgram> findings_of;
  std::shared_ptr<const ProgramSearch> search;  // whose findings are among them
  uint64_t scrolled_to = 0;                     // the launch that the list was last scrolled to
  TextureCache textures;

  static auto built(auto& own) { return std::tie(own.timeline, own.details, own.lines.sources); }
};

void draw_program_view(const AppState& state, ProgramPanelState& own, Actions& actions);

}  // namespace warplens
