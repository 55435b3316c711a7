// The effect of the actions on the user's programs and their recordings. update() (app/state/update.h) calls
// them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

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

// program_run.cpp: a program of the user's that runs in another process.
void ask_to_run(AppState& state, const std::string& path);
// Shows a program of a lesson or a challenge in its editor. What was typed under this name before comes back.
// The user's own program is shown again when it is taken away.
void give_program(AppState& state, const std::string& name, const std::string& text,
                  const std::string& arguments = {});
void take_program_away(AppState& state);
void apply(ProgramState& program, const SetProgramChoices& action);
void apply(AppState& state, const RunProgram& action);
void apply(ProgramState& program, const RunInOtherOrder& action);
void apply(ProgramState& program, const StopProgram& action);
void apply(ProgramState& program, const ChangeProgram& action);
void apply(ProgramState& program, const CloseProgram& action);
void apply(AppState& state, const ProgramSaved& action);
void apply(ProgramState& program, const ProgramProgressed& action);
void apply(AppState& state, const ProgramEnded& action);
void apply(ProgramState& program, const ProgramSearched& action);
void apply(AppState& state, const SaveRecording& action);
void apply(AppState& state, const SaveRecordingAs& action);
void apply(AppState& state, const RecordingSaved& action);

// program_source.cpp: its text in the window.
void close_program_text(AppState& state);
void apply(AppState& state, const EditProgram& action);
void apply(AppState& state, const ProgramTextRead& action);
void apply(ProgramState& program, const EditProgramText& action);
void apply(AppState& state, const SaveProgram& action);
void apply(AppState& state, const ProgramTextSaved& action);
void apply(ProgramState& program, const ProgramTextChanged& action);
void apply(ProgramState& program, const SettleProgramText& action);

}  // namespace warplens::detail
