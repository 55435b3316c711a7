// Actions are the changes that panels, keys, menus and the worker request. update() applies them between
// frames, so that a frame never sees half a change.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/state.h"

namespace warplens {

struct CompiledKernel;  // core/job/files/own_kernel_file.h

// ---- what to run; each makes an undo step and a new run
struct ChooseKernel {
  std::string name;
};
struct ChooseDevice {
  std::string id;
};
// With `dragging`, the action is part of a gesture, which EndGesture closes. A gesture is one undo step.
struct SetBlock {
  Dim3 block;
  bool dragging = false;
};
struct SetGrid {
  Dim3 grid;
  bool dragging = false;
};
struct SetFitGrid {
  bool fit = true;
};
struct SetValue {
  std::string name;
  double value = 0;
  bool dragging = false;
};
struct SetSharedBytes {
  uint32_t bytes = 0;
  bool dragging = false;
};
struct SetSeed {
  uint64_t seed = 1;
  bool dragging = false;
};
struct SetOrder {  // of warps and blocks; 0: one after the other
  uint64_t order = 0;
  bool dragging = false;
};
struct EndGesture {};
struct ApplyFix {
  Fix fix;
};
struct Undo {};
struct Redo {};
struct RestoreRun {
  uint64_t serial = 0;
};
struct RunAgain {};
struct CancelRun {};

struct PinBaseline {
  uint64_t serial = 0;  // of the run against which every figure has its ratio; 0 for none
};

// ---- sweeps of the Timing view
struct WantSweep {
  SweepKind kind{};
};
struct CancelSweeps {};

// ---- own kernels
struct OpenFile {  // a kernel (.cu, .ptx), a recording or a picture, by its ending; asks if there is no path
  std::string path;
};
struct EditCopy {};  // edits a copy of the chosen built-in kernel
struct EditSource {  // the editor's text
  std::string text;
};
struct RunSource {};   // saves it if it has a file, then compiles and runs it
struct SaveSource {};  // asks for a file
struct SaveSourceAs {
  std::string path;
};
struct ReloadSource {  // its file has changed; this is the new text
  std::string path, text;
};
struct ChooseEntry {
  std::string entry;
};
struct SourceCompiled {
  uint64_t serial = 0;
  std::shared_ptr<const CompiledKernel> compiled;  // null: `error` says why
  std::string error;
};
struct SaveSession {};  // asks for a file
struct SaveSessionAs {
  std::string path;
};
struct CopyLink {};  // of what is shown
struct OpenLink {    // or an address that ends with one
  std::string text;
};
struct TakeLink {};  // the one that was offered, since it has a kernel of its own
struct SessionLoaded {
  std::shared_ptr<const Session> session;
  std::string path;  // empty if the program itself kept it
};
struct SourceSaved {
  std::string path, text;
  std::string error;  // empty if it was loaded
};

// ---- a program's recording
struct RecordingRead {
  uint64_t serial = 0;
  std::shared_ptr<const OpenedProgram> program;  // null: `error` says why
  std::string error;
};
struct ChooseLaunch {  // in the list of launches
  uint64_t number = 0;
};
struct OpenLaunch {  // makes it what all views show
  uint64_t number = 0;
  View view = View::grid;   // that comes to the front
  bool to_finding = false;  // and the Step view goes to what was found
};
struct LaunchReady {
  uint64_t serial = 0;
  std::shared_ptr<const KernelDescription> kernel;  // null: `error` says why
  std::string error;
};

// ---- a program of the user's (state/program_run.h)
struct SetProgramChoices {
  ProgramRunChoices choices;
};
struct RunProgram {};       // what the user was asked about, or the same again
struct RunInOtherOrder {};  // the same, with the work of its streams in another order
struct StopProgram {};      // asks it to end
struct ChangeProgram {};    // asks about it again, once it has ended
struct CloseProgram {};     // "Not now"
struct ProgramSaved {       // its file has changed
  std::string path;
};
// Its text in the window (state/parts/program_source.h).
struct EditProgram {
  bool on = true;  // false: the editor is closed, and what was typed is kept
};
struct ProgramTextRead {
  std::string path, text;
  std::string error;  // empty if it was read
};
struct EditProgramText {  // the editor's text
  std::string text;
};
struct SaveProgram {  // into its file
  bool run = false;   // and then it runs
};
struct ProgramTextSaved {
  std::string path, text;
  std::string error;                      // empty if it was saved
  std::optional<std::string> found = {};  // nothing was saved: another program had changed the file to this
};
struct ProgramTextChanged {  // its file has changed; this is the new text
  std::string path, text;
};
struct SettleProgramText {  // which text counts after that
  bool mine = true;
};
struct ProgramProgress {
  double seconds = 0;
  uint64_t launches = 0;
  ProgramOutput output;
};
struct ProgramProgressed {
  uint64_t serial = 0;
  ProgramProgress progress;
};
struct ProgramEnded {
  uint64_t serial = 0;
  int status = 0, signal = 0;
  bool stopped = false;
  bool compiles = true;
  ProgramProgress progress;
  std::shared_ptr<const OpenedProgram> program;  // null: it has not used the device, or `error` says why
  std::string error;
};
struct ProgramSearched {  // for races, after it has ended
  uint64_t serial = 0;
  std::shared_ptr<const ProgramSearch> search;  // null: `error` says why
  std::string error;
};
struct SaveRecording {};  // asks for a file
struct SaveRecordingAs {
  std::string path;
};
struct RecordingSaved {
  std::string path;
  std::string error;  // empty if it was saved
};

// ---- pictures
struct OpenPicture {};  // asks for a file
struct ChoosePicture {
  std::string name_or_path;
};
struct SaveViews {};  // all views as one document; asks for a file
struct SaveViewsAs {
  std::string path;
};
struct SaveResult {};  // asks for a file
struct SaveResultAs {
  std::string path;
};

// ---- live mode of the Image view
struct SetLive {
  bool on = true;
};
struct PlayLive {
  bool playing = true;
};
struct LiveReported {
  LiveReport report;
};
struct LiveFailed {  // ends it
  std::string message;
};

// ---- one block, step by step
struct OpenStep {                           // the pinned block of the shown run
  uint64_t position = 0;                    // UINT64_MAX for the block's end, which is a fault's place
  uint32_t line = 0;                        // not 0: where the pinned thread's warp first comes to this line
  std::optional<size_t> finding = {};       // index in RunResult::findings: of a race, in both orders
  std::optional<ElementPick> element = {};  // after its first write by the pinned block
};
struct StepThread {};        // the pinned thread, or the one that wrote the pinned element, and shows it
struct StepDifference {      // the first write to an element that differs from the baseline's
  bool in_baseline = false;  // in the baseline's run, which is shown again; else in the shown run
};
struct ChooseStep {
  StepChoice choice;
};
struct SetBreakpoint {
  StepBreakpoint breakpoint;
  bool on = true;
};
struct OpenPart {
  std::string path;
  bool open = true;
};
struct ChooseFrame {    // of the call stack of the shown lane
  uint32_t number = 0;  // 0 for the innermost one
};
struct ChooseCell {
  std::optional<StepTarget> target;
};
struct StepBy {
  StepMove move;
};
struct StepPlay {
  bool on = true;
  double lines_per_second = 4;
};
struct ShowLane {
  uint32_t lane = 0;
};
struct StepShown {
  uint64_t serial = 0;
  std::shared_ptr<const StepSnapshot> snapshot;
  bool more = false;                  // another one follows
  std::optional<uint32_t> lane = {};  // that a breakpoint stopped for
};
struct StepFailed {
  uint64_t serial = 0;
  std::string message;
};

// ---- lessons and challenges
struct ShowPart {  // what a view shows of what it can show: "warp" of the Grid view
  View view = View::grid;
  std::string part;
};
struct OpenFolder {  // the user's own lesson or challenge: the folder, or a file in it; asks if there is no
                     // path
  std::string path;
  bool again = false;  // it was saved while it is open
};
struct OpenLesson {  // a built-in one, by the name of its folder
  std::string name;
  size_t step = SIZE_MAX;  // the first one that is not done
  bool continues = false;  // with the votes of the class, which a new class has not given
};
struct LessonLoaded {
  std::shared_ptr<const LoadedLesson> lesson;
  bool again = false;
};
struct CloseLesson {};
struct GoToStep {
  size_t step = 0;
};
struct ResetStep {};
struct UndoReset {};  // what the last Reset took away comes back
struct Continue {     // where the last window was left
  bool on = true;     // false: not now
};
struct OfferPlace {  // what an earlier window kept, at the start of this one
  std::shared_ptr<const OfferedPlace> offer;
};
struct SetAnswer {  // as far as it is filled in
  size_t question = 0;
  lesson::Answer answer;
};
struct TypeAnswer {  // what stands in the fields of a question, before it is an answer
  size_t question = 0;
  std::vector<std::string> texts;
};
struct GiveAnswer {  // says whether it is right
  size_t question = 0;
};
struct ClickAnswer {  // to the open question that asks for one
  lesson::Target target;
};
struct ChooseQuestion {
  size_t question = 0;
};
struct ShowHint {};
struct RevealStep {};
struct ShowNotes {
  bool on = true;
};
struct CountVotes {
  bool on = true;
};
struct Vote {
  size_t question = 0;
  uint32_t letter = 0;  // 0 for A
  int by = 1;
};
struct ShowVotes {  // to the class, which does not see them while it votes
  bool on = true;
};
struct ClassTold {                        // by the server of the followed class
  std::shared_ptr<const ClassNews> news;  // null if nothing comes
  std::string problem;                    // why; empty if all is well
};
struct ForgetMe {};
struct ForgetAll {};  // also settings, layout and what was open: all that is kept of this person
struct OpenChallenge {
  std::string name;
};
struct ChallengeLoaded {
  std::shared_ptr<const LoadedChallenge> challenge;
};
struct CloseChallenge {};
struct JudgeAnswer {};
struct AnswerJudged {
  uint64_t serial = 0;
  std::shared_ptr<const JudgedAnswer> judged;
};
struct StepToCase {};  // sets the failing case, and opens Step at the first wrong element
struct AskHandIn {};   // asks for a file
struct HandInAs {
  std::string path;
};

// ---- predict, then reveal
struct SetPredict {
  bool on = true;
};
struct Guess {  // without a value: shows the truth
  std::optional<double> value;
};

// ---- what is shown
struct Hover {
  Pick pick;
};
struct Pin {
  Pick pick;
};
struct Unpin {};  // Esc
struct ShowView {
  View view = View::image;
};
struct SelectProblem {
  size_t index = 0;  // index in ProblemsState::all
};
struct StepToProblem {  // to the place of a fault, or where the thread of a finding first comes to its line
  size_t index = 0;
  bool in_both_orders = false;  // of a race
};
struct DismissNotice {
  uint64_t notice = 0;
};
struct ShowDialog {
  Dialog dialog = Dialog::none;
};
struct ShowManual {
  size_t chapter = 0;
};
struct ShowWelcome {
  bool on = true;
};
struct ShowBottom {  // Problems and Runs
  bool on = true;
};
struct Present {
  bool on = true;
};
struct Blank {
  bool on = true;
};
struct RestartTimer {};  // of the teacher's notes
struct SetTheme {
  Theme theme = Theme::dark;
};
struct SetLanguage {  // of the window, and of what is read in it; empty for the system's
  std::string code;
};
struct OpenClass {  // the hand-ins of a folder, or of the folder that a file is in; asks if there is no path
  std::string folder;
  bool names = false, judge = false;
};
struct ClassOpened {
  std::string folder;
  std::shared_ptr<const ClassReport> report;  // null: `error` says why
  bool judged = false;
  std::string error;
};
struct SaveClassPage {  // a page to print
  std::string path;
};
struct ShowAuthor {  // the file of the open lesson next to its step
  bool on = true;
};
struct SaveLesson {  // the open lesson's lesson.md, which is then read again; the step at `line` is shown
  std::string text;
  uint32_t line = 0;
};
struct SetTextScale {
  float scale = 1.0f;
};
struct SetLooking {
  Looking when;
};
struct SetCompiler {
  CompilerKind kind;
};
struct CompileAgain {};  // by the compiler that was chosen since
struct SetReduceMotion {
  bool reduce = false;
};
struct SetSpotlight {
  bool on = true;
};
struct ResetLayout {};
struct Quit {};

// ---- news from outside
struct Tick {
  double now_s = 0;
  float frames_per_second = 0;
};
struct RunStarted {
  uint64_t serial = 0;
};
struct RunProgressed {
  uint64_t serial = 0, blocks_done = 0, blocks_total = 0;
  double running_ms = 0;
};
struct RunFinished {
  uint64_t serial = 0;
  KernelSetup setup;
  std::shared_ptr<const RunResult> result;  // null: `error` says why
  std::string error;
};
struct RunRefined {  // the same run with further results
  uint64_t serial = 0;
  std::shared_ptr<const RunResult> result;
};
struct ResourcesKnown {
  std::string kernel;
  uint32_t architecture = 0;
  Resources resources;
};
struct FootprintReady {
  uint64_t serial = 0;                              // of the run that it belongs to
  std::shared_ptr<const BlockFootprint> footprint;  // null: `error` says why
  std::string error;
};
struct SweepProgressed {
  uint64_t serial = 0;
  SweepKind kind{};
  std::shared_ptr<const Sweep> sweep;  // as far as it has come; null: `error` says why
  std::string error;
};
struct PictureLoaded {
  std::string path;
  std::shared_ptr<const Image> image;
};
struct GpusFound {
  RealGpus gpus;
};
struct Notify {
  ProblemLevel level = ProblemLevel::error;
  std::string title, message;
  NoticeKind kind = NoticeKind::other;
};
// ---- the start of the window
struct StartWindow {  // with what it kept and what the command line asks for; nothing before it can be undone
  Preferences preferences;
  std::vector<std::string> recent;  // files, newest first
  ProgressState progress;
  bool welcome = false;
  std::optional<View> view;
  std::string picture;   // empty: that of the first kernel
  uint32_t student = 0;  // the number that locks the answers of a window for students; 0: it is none
};
struct TakeSamples {  // photographs, found now
  std::vector<SamplePhoto> photos;
};
struct LockAnswers {  // with this number, which also opens them; 0 is none
  uint32_t number = 0;
};
struct ShowInFolder {  // opens the desktop's view of the folder that the file is in
  std::string path;
};

enum class ActionKind : uint8_t {
#define WARPLENS_ACTION(Name) Name,
#include "app/state/actions.def"
#undef WARPLENS_ACTION
};

// One of the above. It is not a std::variant: one of 120 kinds takes half a minute to compile.
class Action {
 public:
#define WARPLENS_ACTION(Name) Action(Name what);
#include "app/state/actions.def"
#undef WARPLENS_ACTION

  ActionKind kind() const { return m_kind; }
  // The struct of that kind.
  const void* what() const { return m_what.get(); }

 private:
  ActionKind m_kind;
  std::shared_ptr<const void> m_what;  // never null, unless it was moved from
};

template <class Kind>
struct KindOfAction;
#define WARPLENS_ACTION(Name)                             \
  template <>                                             \
  struct KindOfAction<Name> {                             \
    static constexpr ActionKind value = ActionKind::Name; \
  };
#include "app/state/actions.def"
#undef WARPLENS_ACTION

// The action as a `Kind`. Null if it is another kind.
template <class Kind>
const Kind* as(const Action& action) {
  return action.kind() == KindOfAction<Kind>::value ? static_cast<const Kind*>(action.what()) : nullptr;
}

class Actions {
 public:
  void push(Action action);
  bool empty() const { return m_queue.empty(); }
  std::vector<Action> take() { return std::exchange(m_queue, {}); }

 private:
  std::vector<Action> m_queue;
};

}  // namespace warplens
