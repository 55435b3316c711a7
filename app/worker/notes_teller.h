// Says the teacher's notes of the step that the window shows, in a place that the class does not see. Their
// numbers come from runs of its own, on a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "app/state/state.h"
#include "core/base/system/mailbox.h"
#include "core/lesson/load/notes.h"

namespace warplens {

class NotesTeller {
 public:
  // Both are called on the teller's thread: `say` with the notes, and then `say_next` with the step that
  // comes next, which takes a run of its own; null where that is not shown.
  explicit NotesTeller(std::function<void(const std::string&)> say,
                       std::function<void(const lesson::StepText&)> say_next = nullptr);
  ~NotesTeller();
  NotesTeller(const NotesTeller&) = delete;
  NotesTeller& operator=(const NotesTeller&) = delete;

  // Sets the step that is shown now; null for no lesson. A step that is left before its notes are ready is
  // skipped.
  void show(std::shared_ptr<const LoadedLesson> lesson, size_t step);

 private:
  struct Shown {
    std::shared_ptr<const LoadedLesson> lesson;
    size_t step = 0;
    bool operator==(const Shown&) const = default;
  };
  struct Staged;
  using Box = Mailbox<Shown, std::monostate>;
  std::string notes_of(const Shown& now, const std::stop_token& stop);

  std::function<void(const std::string&)> m_say;
  std::function<void(const lesson::StepText&)> m_say_next;
  Shown m_shown;
  std::unique_ptr<Staged> m_staged;  // only the teller uses it
  Box m_box;                         // last member: its thread uses the others
};

// Call it once in each frame.
void drive_notes(const AppState& state, NotesTeller& teller);

}  // namespace warplens
