// Judges answers to challenges on a thread of its own, and makes the pictures of their specifications.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/state/actions.h"

namespace warplens {

struct JudgeOrder {
  uint64_t serial = 0;
  std::shared_ptr<const LoadedChallenge> challenge;
  std::string source;  // empty: the specification alone
  std::string file;    // its name
};

class JudgeWorker {
 public:
  // It calls `on_news` on its thread whenever poll() has something new.
  explicit JudgeWorker(std::function<void()> on_news);
  ~JudgeWorker();
  JudgeWorker(const JudgeWorker&) = delete;
  JudgeWorker& operator=(const JudgeWorker&) = delete;

  // Replaces what it was asked before, and stops it.
  void judge(JudgeOrder order);
  std::vector<Action> poll();
  bool busy() const;

  uint64_t submitted = 0;                            // serial of the last answer
  std::shared_ptr<const LoadedChallenge> specified;  // whose specification was asked for

 private:
  void work(const std::stop_token& quit);

  std::function<void()> m_on_news;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::vector<JudgeOrder> m_orders;
  bool m_judging = false;
  std::stop_source m_stop;  // of the order at work
  std::vector<Action> m_news;
  std::jthread m_thread;  // last member: it uses all of the above
};

// Gives the worker what the state asks for, and the state what the worker says. Call it once in each frame.
void drive_judge(AppState& state, JudgeWorker& worker);

}  // namespace warplens
