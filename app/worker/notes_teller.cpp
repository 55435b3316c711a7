#include "app/worker/notes_teller.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace warplens {

// The lesson whose notes were said last, and where its numbers come from.
struct NotesTeller::Staged {
  std::shared_ptr<const LoadedLesson> lesson;
  std::optional<lesson::Stage> stage;
};

NotesTeller::NotesTeller(std::function<void(const StepNotes&)> say)
    : m_say(std::move(say)),
      m_staged(std::make_unique<Staged>()),
      m_box(
          {.replaces = [](const Shown&, const Shown&) { return true; },
           .stops = [](const Shown&, const Shown&) { return true; }},
          [this](const Shown& now, const Box::Desk& desk) -> std::optional<std::monostate> {
            const StepNotes notes = notes_of(now, desk.stop);
            if (!notes.notes.empty() && !desk.stop.stop_requested()) m_say(notes);
            return std::nullopt;
          },
          nullptr) {}

NotesTeller::~NotesTeller() = default;

void NotesTeller::show(std::shared_ptr<const LoadedLesson> lesson, size_t step) {
  Shown shown{std::move(lesson), step};
  if (shown == m_shown) return;
  m_shown = shown;
  m_box.send(std::move(shown));
}

StepNotes NotesTeller::notes_of(const Shown& now, const std::stop_token& stop) {
  StepNotes said;
  if (!now.lesson) {
    m_staged->lesson = nullptr;
    m_staged->stage.reset();
    return said;
  }
  const bool other = m_staged->lesson != now.lesson;
  if (other) {
    m_staged->lesson = nullptr;
    m_staged->stage.emplace(now.lesson->folder, now.lesson->lesson.device);
    said.notes = fmt::format("{}\n{}\n", now.lesson->lesson.title, lesson::teaching_keys);
  }
  const lesson::Lesson& open = now.lesson->lesson;
  said.notes += lesson::notes_of_step(*m_staged->stage, open, now.step, stop) + "\n";
  if (now.step + 1 < open.steps.size())
    said.next = lesson::text_of_step(*m_staged->stage, open.steps[now.step + 1], stop);
  // If a lesson's notes were not given yet, its first words are given later.
  if (!stop.stop_requested()) m_staged->lesson = now.lesson;
  return said;
}

void drive_notes(const AppState& state, NotesTeller& teller) {
  if (state.lesson.is_open())
    teller.show(state.lesson.open, state.lesson.player.at);
  else
    teller.show(nullptr, 0);
}

}  // namespace warplens
