// The effect of the actions on lessons, challenges, predictions, classes and authors. update()
// (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// class_state.cpp
void apply(AppState& state, const OpenClass& action);
void apply(AppState& state, const ClassOpened& action);
void apply(AppState& state, const SaveClassPage& action);

// followed_class.cpp
void apply(AppState& state, const ClassTold& action);

// author.cpp
void apply(AuthorState& author, const ShowAuthor& action);
void apply(AppState& state, const SaveLesson& action);

// lesson.cpp: the lesson that is open.
void note_lesson_time(AppState& state);  // since it was noted last, as time with the lesson open
void apply(AppState& state, const OpenLesson& action);
void apply(AppState& state, const LessonLoaded& action);
void apply(AppState& state, const CloseLesson& action);
void apply(AppState& state, const GoToStep& action);
void apply(AppState& state, const ResetStep& action);
void apply(AppState& state, const UndoReset& action);
void apply(AppState& state, const ShowHint& action);
void apply(AppState& state, const RevealStep& action);
void apply(LessonState& lesson, const ShowNotes& action);
void apply(LessonState& lesson, const CountVotes& action);
void apply(LessonState& lesson, const ShowVotes& action);
void apply(LessonState& lesson, const Vote& action);
void apply(LessonState& lesson, const ChooseQuestion& action);
void apply(AppState& state, const ForgetMe& action);
void apply(AppState& state, const ForgetAll& action);

// lesson_answers.cpp
void apply(AppState& state, const SetAnswer& action);
void apply(AppState& state, const TypeAnswer& action);
void apply(AppState& state, const GiveAnswer& action);
void apply(AppState& state, const ClickAnswer& action);
// What was pinned or chosen in a view answers an open question that asks for such a thing.
void answer_by_click(AppState& state, const Pick& pick);
void answer_by_lane(AppState& state, uint32_t lane);

// lesson_draft.cpp: what was done in the lesson, for another time.
std::string key_of_lesson(const LoadedLesson& loaded);  // in DraftsState
std::shared_ptr<const LeftStep> left_as_it_is(const AppState& state);
LessonDraft draft_of_lesson(const AppState& state);  // of the open one
void keep_lesson_draft(AppState& state);             // call it before the lesson is closed
void take_lesson_draft(AppState& state);             // into the open lesson, if it has one
void forget_votes(lesson::Player& player);           // of another class

// lesson_show.cpp: sets what is shown to what the step says, or to what the student had set in it before.
void keep_left_step(AppState& state);  // call it before another step is shown
// `onwards`: it may go on with what the step before it shows.
void show_step(AppState& state, bool onwards);
// The name under which a program of the open step is kept in the drafts.
std::string name_of_program(const AppState& state, const std::string& file);
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

}  // namespace warplens::detail
