// The program's own source in the Program view: next to each line that called, what it launched and copied.
#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/parts/program.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "core/recording/host_lines.h"
#include "core/recording/launch_source.h"

namespace warplens {

struct HostText {
  recording::HostSource calls;
  recording::SourceText text;  // all of the file
};

struct HostLinesState {
  Built<std::shared_ptr<const OpenedProgram>, std::vector<HostText>> sources;
  bool known = false;          // of one call at least
  bool shown = true;           // in place of the list of launches
  size_t file = 0;             // of the sources
  std::optional<size_t> copy;  // an event: a copy that was clicked on the time line
  uint32_t lit = 0;            // the line of what was clicked last; 0: none
  std::string lit_file;
  bool scrolls = false;  // to the lit line
};

// Another program is shown from now on.
void begin_host_lines(const OpenedProgram& program, HostLinesState& own);
// Whether lines are listed below the time line, or launches. False if no line is known.
bool draw_list_choice(HostLinesState& own);
void draw_host_lines(const std::shared_ptr<const OpenedProgram>& program, uint64_t chosen, ImVec2 size,
                     HostLinesState& own, Actions& actions);
// Lights the line that an event of the time line came from.
void show_line_of(HostLinesState& own, const recording::Event& event, size_t index);

}  // namespace warplens
