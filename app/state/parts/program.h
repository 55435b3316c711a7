// A program's recording (docs/recording.md) that is open in the window, and which of its launches is chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/views.h"
#include "app/state/parts/program_run.h"
#include "app/state/parts/program_search.h"
#include "app/state/parts/program_source.h"
#include "core/base/result.h"
#include "core/kernels/catalogue.h"
#include "core/recording/program_warnings.h"
#include "core/recording/recording.h"

namespace warplens {

// A mistake that the driver found while the program ran.
struct ProgramFinding {
  std::string kind;      // "out_of_bounds", "race"; "call" for a call that was refused
  std::string sentence;  // what happened, with the thread and the place
  std::string file;      // of the kernel source; empty if it is not known
  uint32_t line = 0;
  uint64_t launch = 0;  // 0 if it is of no launch
  bool is_fault = false;
};

// A line of the list of launches.
struct ProgramLaunch {
  const recording::Event* event = nullptr;  // in the recording next to it
  std::string from;                         // "blur.py:14"; empty if not known
  std::string why_not;                      // why it cannot be opened; empty: it can
};

// The contents that were read from a file. They never change.
struct OpenedProgram {
  std::string path;  // empty: it was run from the window, and is in no file
  std::string name;  // "blur.warplens", "blur.py"
  recording::Recording recording;
  recording::ProgramReport report;
  std::vector<ProgramLaunch> launches;   // by number, from 1
  std::vector<ProgramFinding> findings;  // the first of them, in the order in which they were found
};
// Reads a recording. It takes as long as the file is large: not for the frame's thread.
Result<std::shared_ptr<const OpenedProgram>> open_program(const std::string& path);
std::shared_ptr<const OpenedProgram> opened_program(recording::Recording recording, std::string path,
                                                    std::string name);

// The search for races in the launches of the opened program, in the background.
struct SearchState {
  uint64_t serial = 0;                        // counts the programs that were opened
  bool wanted = false;                        // not done yet
  std::shared_ptr<const ProgramSearch> done;  // null before that, and if there was none
  std::string error;
};

struct ProgramState {
  std::shared_ptr<const OpenedProgram> opened;            // null: there is none
  std::string ran;                                        // the file whose last run `opened` is; empty: none
  std::string reading;                                    // the file that is being read; empty if none is
  uint64_t chosen = 0;                                    // the launch whose details are shown; 0: none
  uint64_t shown = 0;                                     // the launch that all other views show; 0: none
  std::shared_ptr<const KernelDescription> shown_kernel;  // of `shown`, as the setup has it
  uint64_t wanted = 0;                                    // the launch that is being made ready; 0: none
  std::optional<View> wanted_view;                        // that comes to the front with it
  std::string step_to;  // the finding to which the Step view goes once the run has it; empty: to none
  uint64_t serial = 0;  // counts what was asked for; only the last answer counts
  SearchState search;
  ProgramRun run;                             // what was opened to be run, if that was not a recording
  ProgramSource source;                       // of `run`
  std::shared_ptr<const ProgramState> users;  // the user's own, while one of a lesson or challenge is shown

  // What the view is about. Null for a program that has not used the device, and while another one than
  // `opened` runs.
  const OpenedProgram* shown_program() const;
  bool is_there() const {
    return opened != nullptr || !reading.empty() || run.phase != ProgramRun::Phase::none;
  }
};

// What the driver found while the program ran, and then what the search found.
std::vector<ProgramFinding> findings_of(const ProgramState& program);
// The first finding of a launch. Empty if there is none.
std::optional<ProgramFinding> finding_of(const ProgramState& program, uint64_t launch);
// The sentence above the time line: the worst finding, then where the time goes.
std::string headline_of(const ProgramState& program);

// Whether the view has something to show: the Program view comes and goes with a program.
inline bool is_offered(const ProgramState& program, View view) {
  return view != View::program || program.is_there();
}
// The views of the centre that can be shown now, in the order of their tabs.
std::vector<const ViewRow*> offered_tabs(const ProgramState& program);

}  // namespace warplens
