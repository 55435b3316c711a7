// Reads and writes files on a thread of its own: neither a frame nor a run waits for a large file or a slow
// disk.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/state/actions.h"
#include "core/base/system/mailbox.h"

namespace warplens {

class FileWorker {
 public:
  using Work = std::function<std::optional<Action>()>;  // gives the news, where there are any

  // It calls `on_event` on its thread whenever poll() has something new.
  explicit FileWorker(std::function<void()> on_event);
  FileWorker(const FileWorker&) = delete;
  FileWorker& operator=(const FileWorker&) = delete;

  // Replaces the one before if that has not begun: the earlier recording is not needed any more.
  void newest(Work work) { m_box.send({std::move(work), false}); }
  // These are done in turn, and also when the window closes.
  void in_turn(Work work) { m_box.send({std::move(work), true}); }
  // Runs next to those, for work that may take minutes: files are written meanwhile. A newer one stops the
  // one before, and so does the end of the window.
  void beside(std::function<Action(const std::stop_token&)> work) { m_long.send(std::move(work)); }
  // Likewise, for the search in a program's launches.
  void search(std::function<Action(const std::stop_token&)> work) { m_searches.send(std::move(work)); }
  void stop_search() { m_searches.stop(); }
  std::vector<Action> poll();
  bool busy() const { return m_box.busy() || m_long.busy() || m_searches.busy(); }

  uint64_t submitted = 0;         // ProgramState::serial of the last recording that was asked for
  uint64_t submitted_search = 0;  // SearchState::serial of the last search
  bool searching = false;         // it was wanted in the frame before

 private:
  struct Order {
    Work work;
    bool in_turn = false;
  };
  using LongWork = std::function<Action(const std::stop_token&)>;
  Mailbox<Order, Action> m_box;
  Mailbox<LongWork, Action> m_long, m_searches;
};

// Gives the worker the recordings and launches that the state asks for, and the state what the worker says.
// Call it once in each frame.
void drive_files(AppState& state, FileWorker& worker);

}  // namespace warplens
