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

NotesTeller::NotesTeller(std::function<void(const std::string&)> say,
                         std::function<void(const lesson::StepText&)> say_next)
    : m_say(std::move(say)),
      m_say_next(std::move(say_next)),
      m_staged(std::make_unique<Staged>()),
      m_box(
          {.replaces = [](const Shown&, const Shown&) { return true; },
           .stops = [](const Shown&, const Shown&) { return true; }},
          [this](const Shown& now, const Box::Worker& worker) -> std::optional<std::monostate> {
            const std::string notes = notes_of(now, worker.stop);
            if (notes.empty() || worker.stop.stop_requested()) return std::nullopt;
            m_say(notes);
            const lesson::Lesson& open = now.lesson->lesson;
            if (m_say_next == nullptr || now.step + 1 >= open.steps.size()) return std::nullopt;
            const lesson::StepText next =
                lesson::text_of_step(*m_staged->stage, open, now.step + 1, worker.stop);
            if (!worker.stop.stop_requested()) m_say_next(next);
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

std::string NotesTeller::notes_of(const Shown& now, const std::stop_token& stop) {
  std::string notes;
  if (!now.lesson) {
    m_staged->lesson = nullptr;
    m_staged->stage.reset();
    return notes;
  }
  const bool other = m_staged->lesson != now.lesson;
  if (other) {
    m_staged->lesson = nullptr;
    m_staged->stage.emplace(now.lesson->folder, now.lesson->lesson.device);
    notes = fmt::format("{}\n{}\n", now.lesson->lesson.title, lesson::teaching_keys);
  }
  notes += lesson::notes_of_step(*m_staged->stage, now.lesson->lesson, now.step, stop) + "\n";
  // If a lesson's notes were not given yet, its first words are given later.
  if (!stop.stop_requested()) m_staged->lesson = now.lesson;
  return notes;
}

void drive_notes(const AppState& state, NotesTeller& teller) {
  if (state.lesson.is_open())
    teller.show(state.lesson.open, state.lesson.player.at);
  else
    teller.show(nullptr, 0);
}

}  // namespace warplens
