// Reads recordings and makes their launches ready, on a thread of its own: neither a frame nor a run waits
// for a large file.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "app/state/actions.h"

namespace warplens {

class ProgramWorker {
 public:
  // It calls `on_news` on its thread whenever poll() has something new.
  explicit ProgramWorker(std::function<void()> on_news);
  ~ProgramWorker();
  ProgramWorker(const ProgramWorker&) = delete;
  ProgramWorker& operator=(const ProgramWorker&) = delete;

  // Replaces an order that has not begun. `work` gives the news.
  void order(std::function<Action()> work);
  // In turn, and never replaced.
  void save(std::function<Action()> work);
  std::vector<Action> poll();
  bool busy() const;

  uint64_t submitted = 0;  // ProgramState::serial of the last order

 private:
  void work(const std::stop_token& quit);

  std::function<void()> m_on_news;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::function<Action()> m_order;
  std::deque<std::function<Action()>> m_saves;
  bool m_at_work = false;
  std::vector<Action> m_news;
  std::jthread m_thread;  // last member: it uses all of the above
};

// Gives the worker what the state asks for, and the state what the worker says. Call it once in each frame.
void drive_program(AppState& state, ProgramWorker& worker);

}  // namespace warplens
