// The effect of each action: an overload of apply() for the part of the state that it changes, or for the
// whole state. Only the reducers and update.cpp include this file.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// notices.cpp: messages of the program itself.
void forget_notices(ProblemsState& problems, NoticeKind kind);
void outdate_notices(AppState& state, const Action& action);
// Of a lesson or challenge that was opened: what the window cannot draw of it, as a warning.
void warn_of_undrawn(AppState& state, const lesson::Folder& folder, std::string_view language);

// setup.cpp: what to run.
void apply(AppState& state, const ChooseKernel& action);
void apply(AppState& state, const ChooseDevice& action);
void apply(SetupState& setup, const GpusFound& action);
void apply(AppState& state, const SetBlock& action);
void apply(AppState& state, const SetGrid& action);
void apply(AppState& state, const SetFitGrid& action);
void apply(AppState& state, const SetValue& action);
void apply(AppState& state, const SetSharedBytes& action);
void apply(AppState& state, const SetSeed& action);
void apply(AppState& state, const SetOrder& action);
void apply(AppState& state, const ApplyFix& action);
void apply(AppState& state, const RunAgain& action);
void apply(AppState& state, const PictureLoaded& action);
void apply(AppState& state, const ResourcesKnown& action);
void take_wanted_device(AppState& state);
// Call it after a change of the setup: it updates the outlook and requests a new run.
void setup_changed(AppState& state, std::string why);
void refresh_outlook(AppState& state);
void choose_built_in(AppState& state, const KernelDescription& kernel);

// step.cpp: one block, step by step.
void apply(AppState& state, const OpenStep& action);
void apply(AppState& state, const StepThread& action);
void apply(AppState& state, const StepDifference& action);
void apply(AppState& state, const ChooseStep& action);
void apply(StepState& step, const SetBreakpoint& action);
void apply(StepState& step, const OpenPart& action);
void apply(StepState& step, const ChooseFrame& action);
void apply(StepState& step, const ChooseCell& action);
void apply(StepState& step, const StepBy& action);
void apply(StepState& step, const StepPlay& action);
void apply(StepState& step, const ShowLane& action);
void apply(StepState& step, const StepShown& action);
void apply(StepState& step, const StepFailed& action);

// undo.cpp: back and forth.
void apply(UndoState& undo, const EndGesture& action);
void apply(AppState& state, const Undo& action);
void apply(AppState& state, const Redo& action);
void apply(AppState& state, const RestoreRun& action);
void keep_for_undo(AppState& state, bool dragging);

// code.cpp: own kernels.
void open_kernel(AppState& state, const std::string& path);
void apply(AppState& state, const EditCopy& action);
void apply(AppState& state, const EditSource& action);
void apply(AppState& state, const RunSource& action);
void apply(AppState& state, const SaveSource& action);
void apply(AppState& state, const SaveSourceAs& action);
void apply(AppState& state, const ReloadSource& action);
void apply(AppState& state, const ChooseEntry& action);
void apply(AppState& state, const SourceCompiled& action);
void apply(AppState& state, const SourceSaved& action);
// Compiles the own kernel again, for the device that is now chosen.
void compile_again(AppState& state);
// Chooses this own kernel with its text. Null means that a built-in kernel is chosen.
void take_own(AppState& state, std::shared_ptr<const KernelDescription> own);
// A session's code: its file, or its text.
void open_code(AppState& state, const Session& session);

// runs.cpp: runs and their history.
void apply(AppState& state, const CancelRun& action);
// Judges a file instead of the code in the window, as it is on disk now.
void judge_file(AppState& state, const std::string& path);
// False if nothing was judged.
bool cancel_judging(AppState& state);
void apply(RunsState& runs, const RunStarted& action);
void apply(RunsState& runs, const RunProgressed& action);
void apply(AppState& state, const RunFinished& action);
void apply(AppState& state, const RunRefined& action);
void apply(RunsState& runs, const PinBaseline& action);

// sweeps.cpp: sweeps of the Timing view.
void apply(AppState& state, const WantSweep& action);
void apply(AppState& state, const CancelSweeps& action);
void apply(SweepStates& sweeps, const SweepProgressed& action);

// notices.cpp: messages of the program itself.
void apply(ProblemsState& problems, const DismissNotice& action);
void apply(ProblemsState& problems, const Notify& action);

// selection.cpp: what the pointer is over, and what is pinned.
void apply(AppState& state, const Hover& action);
void apply(AppState& state, const Pin& action);
void apply(AppState& state, const Unpin& action);
void apply(AppState& state, const SelectProblem& action);
void apply(AppState& state, const StepToProblem& action);
void apply(AppState& state, const FootprintReady& action);
// Another kernel is chosen.
void leave_kernel(AppState& state);
// Finds what is pinned in the run that is shown from now on.
void find_selection(AppState& state);
// Requests the footprint of the selected block, or drops it.
void selection_changed(AppState& state);

// live.cpp: live mode of the Image view.
void apply(AppState& state, const SetLive& action);
void apply(AppState& state, const PlayLive& action);
void apply(LiveState& live, const LiveReported& action);
void apply(AppState& state, const LiveFailed& action);

// frame.cpp: what the window shows.
void apply(AppState& state, const ShowView& action);
void apply(FrameState& frame, const ShowPart& action);
void apply(FrameState& frame, const ShowDialog& action);
void apply(FrameState& frame, const ShowManual& action);
void apply(FrameState& frame, const ShowWelcome& action);
void apply(FrameState& frame, const ShowBottom& action);
void apply(FrameState& frame, const Present& action);
void apply(AppState& state, const Blank& action);
void apply(FrameState& frame, const SetTheme& action);
void apply(AppState& state, const SetLanguage& action);
void apply(AppState& state, const OpenClass& action);
void apply(AppState& state, const ClassOpened& action);
void apply(AppState& state, const SaveClassPage& action);
void apply(AuthorState& author, const ShowAuthor& action);
void apply(AppState& state, const SaveLesson& action);
void apply(FrameState& frame, const SetTextScale& action);
void apply(FrameState& frame, const SetReduceMotion& action);
void apply(FrameState& frame, const SetSpotlight& action);
void apply(AppState& state, const LockAnswers& action);
void apply(AppState& state, const SetLooking& action);
void apply(AppState& state, const CompileAgain& action);
void apply(FrameState& frame, const SetCompiler& action);
void apply(FrameState& frame, const Tick& action);

// files.cpp: files, and other requests to the world outside.
void apply(Effects& effects, const OpenFolder& action);
void apply(Effects& effects, const ShowInFolder& action);
void apply(Effects& effects, const OpenPicture& action);
void apply(Effects& effects, const ChoosePicture& action);
void apply(AppState& state, const SaveViews& action);
void apply(Effects& effects, const SaveViewsAs& action);
void apply(AppState& state, const SaveResult& action);
void apply(Effects& effects, const SaveResultAs& action);
void apply(AppState& state, const SaveSession& action);
void apply(Effects& effects, const SaveSessionAs& action);
void apply(Effects& effects, const ResetLayout& action);
void apply(Effects& effects, const Quit& action);

// link.cpp: what is shown as a link.
void apply(AppState& state, const CopyLink& action);
void apply(AppState& state, const OpenLink& action);
void apply(AppState& state, const TakeLink& action);

// lesson.cpp: the lesson that is open.
void note_lesson_time(AppState& state);  // since it was noted last, as time with the lesson open
void apply(AppState& state, const OpenLesson& action);
void apply(AppState& state, const LessonLoaded& action);
void apply(AppState& state, const CloseLesson& action);
void apply(AppState& state, const GoToStep& action);
void apply(AppState& state, const ResetStep& action);
void apply(AppState& state, const ShowHint& action);
void apply(AppState& state, const RevealStep& action);
void apply(LessonState& lesson, const ShowNotes& action);
void apply(LessonState& lesson, const CountVotes& action);
void apply(LessonState& lesson, const Vote& action);
void apply(LessonState& lesson, const ChooseQuestion& action);
void apply(AppState& state, const ForgetMe& action);
void apply(AppState& state, const ForgetAll& action);
// lesson_answers.cpp
void apply(AppState& state, const SetAnswer& action);
void apply(AppState& state, const GiveAnswer& action);
void apply(AppState& state, const ClickAnswer& action);
// What was pinned or chosen in a view answers an open question that asks for such a thing.
void answer_by_click(AppState& state, const Pick& pick);
void answer_by_lane(AppState& state, uint32_t lane);
// lesson_show.cpp: sets what is shown to what the step says, or to what the student had set in it before.
void keep_left_step(AppState& state);  // call it before another step is shown
// `onwards`: it may go on with what the step before it shows.
void show_step(AppState& state, bool onwards);
// Whether the step is there, with its kernel and its code compiled.
bool is_shown_whole(const AppState& state);
// When the code that a student left does not compile: shows the step with its own code first. False if there
// is none to go back to.
bool begin_without_broken_text(AppState& state);
void show_changes(AppState& state, const lesson::Show& changes);  // on top of what is shown
// A run or a compilation that the step waits for has ended.
void go_on_showing(AppState& state);

// challenge.cpp: the challenge that is open.
void apply(AppState& state, const OpenChallenge& action);
void apply(AppState& state, const ChallengeLoaded& action);
void apply(AppState& state, const CloseChallenge& action);
void show_challenge(AppState& state);  // its starter in the Code view
void apply(AppState& state, const JudgeAnswer& action);
void apply(AppState& state, const AnswerJudged& action);
void apply(AppState& state, const StepToCase& action);
void go_on_with_case(AppState& state);
void apply(Effects& effects, const AskHandIn& action);
void apply(AppState& state, const HandInAs& action);

// predict.cpp: predictions outside of lessons.
void apply(AppState& state, const SetPredict& action);
void apply(AppState& state, const Guess& action);
// Something was chosen: its figures are asked about.
void predict_change(AppState& state, const std::string& why);
// A run has ended: a truth may be known now.
void settle_prediction(AppState& state);

// program.cpp: a program's recording.
void open_recording(AppState& state, const std::string& path);
void apply(AppState& state, const RecordingRead& action);
void apply(ProgramState& program, const ChooseLaunch& action);
void apply(AppState& state, const OpenLaunch& action);
void apply(AppState& state, const LaunchReady& action);
// Goes to the finding that OpenLaunch asked for, if the problems have it now.
void step_to_finding(AppState& state);
// A program that was read takes the place of what was open.
void take_opened(AppState& state, std::shared_ptr<const OpenedProgram> opened);

// files.cpp
void apply(AppState& state, const OpenFile& action);
// "blur.py" of "/home/me/blur.py".
std::string name_of(const std::string& path);

// program_run.cpp: a program of the user's that runs beside the window.
void ask_to_run(AppState& state, const std::string& path);
void apply(ProgramState& program, const SetProgramChoices& action);
void apply(AppState& state, const RunProgram& action);
void apply(ProgramState& program, const StopProgram& action);
void apply(ProgramState& program, const ChangeProgram& action);
void apply(ProgramState& program, const CloseProgram& action);
void apply(AppState& state, const ProgramSaved& action);
void apply(ProgramState& program, const ProgramProgressed& action);
void apply(AppState& state, const ProgramEnded& action);
void apply(AppState& state, const SaveRecording& action);
void apply(AppState& state, const SaveRecordingAs& action);
void apply(AppState& state, const RecordingSaved& action);

// session.cpp
void apply(AppState& state, const SessionLoaded& action);
// Pins what the session has pinned.
void take_pins(AppState& state, const Session& session);
// The run A of a session is there: its own launch follows.
void go_on_with_session(AppState& state);
// Applies the rest of a session after its kernel is compiled.
void finish_session(AppState& state);

}  // namespace warplens::detail
