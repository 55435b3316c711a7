#include "app/worker/notes_teller.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/lesson/notes.h"

namespace warplens {

NotesTeller::NotesTeller(std::function<void(const std::string&)> say)
    : m_say(std::move(say)), m_thread([this](const std::stop_token& quit) { work(quit); }) {}

NotesTeller::~NotesTeller() {
  const std::lock_guard lock(m_mutex);
  m_shown = m_said;
  m_making.request_stop();
}

void NotesTeller::show(std::shared_ptr<const LoadedLesson> lesson, size_t step) {
  {
    const std::lock_guard lock(m_mutex);
    const Shown shown{std::move(lesson), step};
    if (shown == m_shown) return;
    m_shown = shown;
    m_making.request_stop();
  }
  m_wake.notify_all();
}

void NotesTeller::work(const std::stop_token& quit) {
  std::optional<lesson::Stage> stage;
  std::shared_ptr<const LoadedLesson> staged;
  std::unique_lock lock(m_mutex);
  while (m_wake.wait(lock, quit, [this] { return m_shown != m_said; })) {
    const Shown now = m_shown;
    m_making = std::stop_source();
    const std::stop_token stop = m_making.get_token();
    lock.unlock();
    std::string notes;
    if (now.lesson) {
      if (staged != now.lesson) {
        stage.emplace(now.lesson->folder, now.lesson->lesson.device);
        notes = fmt::format("{}\n{}\n", now.lesson->lesson.title, lesson::teaching_keys);
      }
      notes += lesson::notes_of_step(*stage, now.lesson->lesson, now.step, stop) + "\n";
    }
    lock.lock();
    if (stop.stop_requested()) continue;
    staged = now.lesson;
    m_said = now;
    lock.unlock();
    if (!notes.empty()) m_say(notes);
    lock.lock();
  }
}

void drive_notes(const AppState& state, NotesTeller& teller) {
  if (state.lesson.is_open())
    teller.show(state.lesson.open, state.lesson.player.at);
  else
    teller.show(nullptr, 0);
}

}  // namespace warplens
