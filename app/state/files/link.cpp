#include "app/state/files/link.h"

#include <algorithm>
#include <utility>

#include "app/state/files/session.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/runs.h"

namespace warplens {

namespace {

// The parts that a lesson or a challenge brings itself are not sent again.
void leave_out_code(Session& session) {
  Session plain;
  plain.kernel = plain.setup.kernel = built_in_kernels().front().name;
  plain.view = session.view;
  plain.part = session.part;
  plain.setup = default_setup(built_in_kernels().front());
  session = std::move(plain);
}

bool is_sample_picture(const AppState& state, const std::string& picture) {
  return std::ranges::find(state.files.samples, picture, &SamplePhoto::name) != state.files.samples.end();
}

bool shows_kernel(const AppState& state, const std::string& name) {
  return !state.code.own && state.code.wanted == 0 && state.setup.kernel && state.setup.kernel->name == name;
}

void show_session(AppState& state, const Session& session) {
  detail::apply(state, SessionLoaded{std::make_shared<const Session>(session), ""});
}

void open_link(AppState& state, Link link) {
  if (link.session.device.starts_with("cuda:")) link.session.device.clear();
  link.session.text_percent = 0;
  if (link.reveal && !link.lesson.empty()) {
    const CoursePlace place = place_of(state);
    if (place.lesson != link.lesson || place.step != link.step)
      detail::apply(state, OpenLesson{link.lesson, step_of(link.lesson, link.step)});
    return detail::apply(state, RevealStep{});
  }
  if (!link.lesson.empty()) {
    detail::apply(state, OpenLesson{link.lesson, step_of(link.lesson, link.step)});
    // The changes made in the step.
    if (state.lesson.is_open() && shows_kernel(state, link.session.kernel)) show_session(state, link.session);
    return;
  }
  if (state.lesson.is_open()) detail::apply(state, CloseLesson{});
  if (!link.challenge.empty()) return detail::apply(state, OpenChallenge{link.challenge});
  detail::apply(state, CloseChallenge{});
  show_session(state, link.session);
}

}  // namespace

size_t step_of(const std::string& lesson, const std::string& id) {
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons")) {
    if (folder.name != lesson) continue;
    const auto steps = lesson::load_lesson(folder).lesson.steps;
    const auto at = std::ranges::find(steps, id, &lesson::LessonStep::id);
    return at == steps.end() ? SIZE_MAX : static_cast<size_t>(at - steps.begin());
  }
  return SIZE_MAX;
}

CoursePlace place_of(const AppState& state) {
  if (state.lesson.is_open() && state.lesson.open->folder.path.empty())
    return {state.lesson.open->folder.name, current_step(state)->id, ""};
  if (state.challenge.is_open() && state.challenge.open->folder.path.empty())
    return {"", "", state.challenge.open->folder.name};
  return {};
}

Link link_of(const AppState& state) {
  Link link;
  link.session = session_of(state);
  Session& session = link.session;
  CoursePlace place = place_of(state);
  link.lesson = std::move(place.lesson);
  link.step = std::move(place.step);
  link.challenge = std::move(place.challenge);
  if (session.own()) {
    session.code_path.clear();
    session.code_text = state.code.text;
    session.has_code_text = true;
    if (!link.lesson.empty() || !link.challenge.empty()) leave_out_code(session);
  }
  if (!is_sample_picture(state, session.setup.image_path)) session.setup.image_path.clear();
  if (session.baseline) session.baseline->image_path = session.setup.image_path;
  if (session.device.starts_with("cuda:")) session.device.clear();
  session.text_percent = 0;
  return link;
}

namespace detail {

void apply(AppState& state, const CopyLink&) {
  const Result<std::string> text = link_text(link_of(state));
  if (!text)
    return apply(state.problems, Notify{ProblemLevel::note, "There is no link of this", text.error().message,
                                        NoticeKind::saving});
  state.effects.add(effect::CopyLink{*text});
}

// A kernel that came with the link runs only after the user has seen it and agreed.
void apply(AppState& state, const OpenLink& action) {
  Result<Link> link = parse_link(action.text);
  if (!link)  // it stays when the first picture comes
    return apply(state.problems,
                 Notify{ProblemLevel::error, "The link was not opened", link.error().message});
  state.frame.dialog = Dialog::none;
  state.frame.welcome = false;
  if (!link->session.own()) return open_link(state, *std::move(link));
  state.files.offered_link = std::make_shared<const Link>(*std::move(link));
  state.frame.dialog = Dialog::offered_link;
}

void apply(AppState& state, const TakeLink&) {
  const auto link = std::exchange(state.files.offered_link, nullptr);
  state.frame.dialog = Dialog::none;
  if (link) open_link(state, *link);
}

}  // namespace detail
}  // namespace warplens
