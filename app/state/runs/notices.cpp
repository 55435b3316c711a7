// Messages of the program itself.
#include "app/state/parts/problems.h"
#include "app/state/reducers/runs.h"
#include "core/lesson/format/glyphs.h"

namespace warplens {
namespace detail {

void forget_notices(ProblemsState& problems, NoticeKind kind) {
  std::erase_if(problems.notices, [&](const Problem& p) { return p.notice_kind == kind; });
}

// Where something else is opened, what was said of the opening and saving before is past; so is, with a run,
// what was said of the last one.
void outdate_notices(AppState& state, const Action& action) {
  const auto* compiled = as<SourceCompiled>(action);
  const bool opens = as<ChooseKernel>(action) || as<PictureLoaded>(action) || as<SessionLoaded>(action) ||
                     as<LessonLoaded>(action) || as<OpenLesson>(action) || as<OpenChallenge>(action) ||
                     as<ChallengeLoaded>(action) || as<RecordingRead>(action) || as<OpenLaunch>(action) ||
                     (compiled != nullptr && compiled->compiled && !state.code.opening.empty());
  if (opens)
    for (const NoticeKind kind : {NoticeKind::opening, NoticeKind::saving})
      forget_notices(state.problems, kind);
  if (as<RunFinished>(action)) forget_notices(state.problems, NoticeKind::run);
}

void warn_of_undrawn(AppState& state, const lesson::Folder& folder, std::string_view language) {
  const std::vector<Diagnostic> undrawn = lesson::undrawn_in(folder, language);
  if (undrawn.empty()) return;
  apply(state.problems, Notify{ProblemLevel::warning, "Some characters cannot be drawn", to_text(undrawn),
                               NoticeKind::opening});
}

void apply(ProblemsState& problems, const DismissNotice& action) {
  std::erase_if(problems.notices, [&](const Problem& p) { return p.notice == action.notice; });
}

// One of the same kind goes, and the same message moves to the front instead of filling the list.
void apply(ProblemsState& problems, const Notify& action) {
  if (action.kind != NoticeKind::other) forget_notices(problems, action.kind);
  std::erase_if(problems.notices,
                [&](const Problem& p) { return p.title == action.title && p.message == action.message; });
  Problem notice;
  notice.level = action.level;
  notice.id = "notice";
  notice.title = action.title;
  notice.message = action.message;
  notice.notice = problems.next_notice++;
  notice.notice_kind = action.kind;
  problems.notices.insert(problems.notices.begin(), notice);
  constexpr size_t max_notices = 20;
  if (problems.notices.size() > max_notices) problems.notices.resize(max_notices);
}

}  // namespace detail
}  // namespace warplens
