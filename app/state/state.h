// Everything that the window shows, as plain values. Panels read it; only update() (update.h) changes it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/palette.h"
#include "app/base/views.h"
#include "app/state/code_state.h"
#include "app/state/live_state.h"
#include "core/launch/footprint.h"
#include "core/launch/run_result.h"
#include "core/device/device.h"
#include "core/device/launch_limits.h"
#include "core/device/occupancy.h"
#include "core/device/real_gpus.h"
#include "core/files/session_file.h"
#include "core/kernels/catalogue.h"
#include "core/launch/footprint.h"
#include "core/launch/run_result.h"

namespace warplens {

// One element of one buffer of the shown request. A pixel's index counts channels too, as the buffer does.
struct ElementPick {
  uint32_t buffer = 0;  // in LaunchRequest::buffers
  uint64_t index = 0;
  bool operator==(const ElementPick&) const = default;
};

// What the pointer is over, or what a click has pinned. A view fills in what it knows: a thread comes with
// its block, an element with the block and thread that wrote it where a writer map says so.
struct Pick {
  std::optional<Dim3> block;
  std::optional<Dim3> thread;
  std::optional<ElementPick> element;
  uint32_t line = 0;  // of the kernel source; 0: none
  bool operator==(const Pick&) const = default;
  bool empty() const { return !block && !thread && !element && line == 0; }
};

// Shared by all views: pointing at a thing in one highlights it in every other.
struct Selection {
  Pick hover, pinned;
  // What the inspector shows and the footprint is replayed for: the pinned thing first, so that the pointer
  // may travel to the inspector without losing it.
  const Pick& shown() const { return pinned.empty() ? hover : pinned; }
};

enum class ProblemLevel : uint8_t { fault, finding, warning, error, note };

// What a click on a warning's or problem's button changes.
struct Fix {
  std::string label;  // "Use 64 threads a block"
  std::optional<Dim3> block, grid;
  std::optional<uint32_t> shared_bytes;
  std::string kernel;  // "vector_add": switch to this kernel; empty: stay
  bool fit_grid = false;
};

// A line of the Problems panel, and a card of the Launch panel.
struct Problem {
  ProblemLevel level = ProblemLevel::error;
  std::string id;     // "out_of_bounds", "tail_wave"; stable
  std::string title;  // a few words
  std::string message;
  std::string consequence;  // refused launches: what an unchecked program would show
  std::string file;         // of the kernel source
  uint32_t line = 0;        // 0: not known
  std::optional<Dim3> block, thread;
  std::optional<Fix> fix;
  uint64_t notice = 0;  // not 0: a message of the program itself, which a click dismisses
};

enum class RunPhase : uint8_t { idle, running };

struct RunState {
  RunPhase phase = RunPhase::idle;
  uint64_t wanted = 0;   // serial of the newest run asked for that has not come back; 0: none
  uint64_t running = 0;  // serial of the one at work
  uint64_t shown = 0;    // serial of the run that `result` belongs to
  uint64_t blocks_done = 0, blocks_total = 0;
  double running_ms = 0;      // since it started
  std::string stale_because;  // why `result` does not belong to the setup: "Block changed"; empty: it does
  double fraction() const { return blocks_total == 0 ? 0.0 : double(blocks_done) / double(blocks_total); }
};

// What the launch would be, known before it runs. Made by outlook_of() (outlook.h) whenever the setup
// changes.
struct LaunchOutlook {
  LaunchShape shape;
  std::optional<Dim3> problem;  // threads needed per axis
  std::string error;            // why there is no launch: an expression or a range
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<LaunchRefusal> refusal;
  std::vector<Warning> warnings;
};

struct Sweep;
enum class SweepKind : uint8_t;

// What the user chose: undo and redo go from one of these to another.
struct Choice {
  KernelSetup setup;
  Device device;
  std::shared_ptr<const KernelDescription> own = nullptr;  // the kernel itself where it is no built-in one
};

// A sweep of the Timing view, over blocks or over sizes.
struct SweepState {
  std::optional<Choice> of;             // what it was asked for
  uint64_t serial = 0;                  // of the order; 0: never asked for
  bool wanted = false;                  // asked for and not complete
  std::shared_ptr<const Sweep> result;  // as far as it has come; null: nothing yet
  std::string error;
};

// A finished run, as the Runs panel lists it and `restore` brings it back. Old ones keep their figures and
// give up the buffers.
struct RunRecord {
  uint64_t serial = 0;
  uint64_t gesture = 0;  // of the drag that made it; 0: none
  std::string label;     // A, B, …, Z, AA, …
  Choice choice;
  double finished_at_s = 0;  // on the window's clock
  RunStatus status = RunStatus::ok;
  Dim3 grid, block;
  double execute_ms = 0;         // measured, on this machine
  std::optional<double> cpu_ms;  // of the CPU reference, measured
  TimesUs time;                  // modelled
  std::optional<Counters> counters;
  std::optional<uint64_t> sectors;  // counted: global loads and stores
  std::optional<double> occupancy_percent;
  std::shared_ptr<const RunResult> result;  // null: given up
};

// open_path and save_path: where the desktop has no file dialog of its own.
enum class Dialog : uint8_t {
  none,
  palette,
  about,
  keys,
  open_path,
  save_path,
  save_source_path,
  save_session_path,
  manual
};

struct Preferences {
  Theme theme = Theme::dark;
  float text_scale = 1.0f;  // 0.8 to 2.5
  bool reduce_motion = false;
};
constexpr float min_text_scale = 0.8f, max_text_scale = 2.5f;

// What update() asks of the world outside; the shell does it and clears it (see shell.h).
struct Wishes {
  bool cancel = false;
  bool cancel_sweeps = false;
  bool quit = false;
  bool reset_layout = false;
  bool ask_open_picture = false;  // show the file dialog
  bool ask_save_picture = false;
  std::optional<std::string> load_picture;  // path or sample name
  std::optional<std::string> save_picture;  // path
  bool ask_open_file = false, ask_save_source = false, ask_save_session = false;
  std::optional<std::string> open_session, save_session;           // path
  std::optional<std::pair<std::string, std::string>> save_source;  // path and text
};

struct AppState {
  // What to run.
  const KernelDescription* kernel = nullptr;            // in built_in_kernels(), or `own_kernel`
  std::shared_ptr<const KernelDescription> own_kernel;  // null: a built-in one is chosen
  CodeState code;
  std::map<std::string, CodeState> left_texts;  // edited and not saved when another kernel was chosen
  KernelSetup setup;
  Device device;
  RealGpus real_gpus;  // of this machine; none until they are found
  // Chosen as soon as it is found: "cuda:1", or "" for the first there is. Empty: none is waited for.
  std::optional<std::string> wanted_device;
  std::vector<Choice> undo, redo;
  bool gesture_open = false;                      // a slider is being dragged: its steps are one undo step
  uint64_t gesture = 0;                           // counts drags
  std::map<std::string, KernelSetup> remembered;  // last setup of each kernel that was left
  std::map<std::pair<std::string, uint32_t>, Resources> known_resources;  // by kernel and architecture
  LaunchOutlook outlook;

  // What came out of it.
  std::shared_ptr<const RunResult> result;          // null before the first run
  std::shared_ptr<const RunResult> previous;        // the one before, for the ghost figures
  std::shared_ptr<const BlockFootprint> footprint;  // of the selected block, of `result`'s request; else null
  std::optional<Dim3> footprint_wanted;             // being replayed, or to be
  std::string footprint_error;                      // why that block has none; empty: it has, or will
  RunState run;
  std::vector<RunRecord> history;  // newest first
  std::optional<uint64_t>
      compared;  // serial of the run that the shown one is held against; empty: the one before
  std::array<SweepState, 2> sweeps;  // by SweepKind
  std::vector<Problem> notices;      // messages of the program itself
  std::vector<Problem> problems;     // all: faults, findings, notices, warnings (problems.h)

  // What is looked at.
  View view = View::image;
  LiveState live;
  Selection selection;
  Dialog dialog = Dialog::none;
  size_t manual_chapter = 0;
  uint32_t tour_step = 0;  // from 1; 0: no tour
  bool present = false;    // one view fills the screen
  bool blank = false;      // and shows nothing
  Preferences preferences;
  std::vector<std::string> recent;                 // files, newest first
  std::shared_ptr<const Session> opening_session;  // its code is being compiled
  std::vector<SamplePhoto> samples;
  double now_s = 0;  // the window's clock
  float frames_per_second = 0;
  uint64_t revision = 0;  // counts changes, so that drawings can be kept between them
  uint64_t next_serial = 1, next_notice = 1, runs_recorded = 0;
  Wishes wishes;
};

// A real GPU of this machine or a virtual one; null where there is none of this id.
const Device* device_by_id(const AppState& state, std::string_view id);

}  // namespace warplens
