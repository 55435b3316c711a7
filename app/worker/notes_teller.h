// Says the teacher's notes of the step that the window shows, in a place that the class does not see. Their
// numbers come from runs of its own, on a thread of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/state/state.h"

namespace warplens {

class NotesTeller {
 public:
  // `say` is called on the teller's thread.
  explicit NotesTeller(std::function<void(const std::string&)> say);
  ~NotesTeller();
  NotesTeller(const NotesTeller&) = delete;
  NotesTeller& operator=(const NotesTeller&) = delete;

  // What is shown now; null for no lesson. A step that is left before its notes are ready is not said.
  void show(std::shared_ptr<const LoadedLesson> lesson, size_t step);

 private:
  struct Shown {
    std::shared_ptr<const LoadedLesson> lesson;
    size_t step = 0;
    bool operator==(const Shown&) const = default;
  };
  void work(const std::stop_token& quit);

  std::function<void(const std::string&)> m_say;
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  Shown m_shown, m_said;
  std::stop_source m_making;  // of the notes that are being made
  std::jthread m_thread;      // last member: it uses all of the above
};

// Call it once in each frame.
void drive_notes(const AppState& state, NotesTeller& teller);

}  // namespace warplens
