// Judges answers to challenges, each in a process of its own as `warplens judge` does, and makes the pictures
// of their specifications. A thread of its own waits for that.
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
  std::string source;
  std::string file;  // its name; empty: the specification alone
  std::string path;  // of a file that is judged instead of `source`, as it is then; empty for none
};

class JudgeWorker {
 public:
  // It calls `on_news` on its thread whenever poll() has something new.
  explicit JudgeWorker(std::function<void()> on_news);
  ~JudgeWorker();
  JudgeWorker(const JudgeWorker&) = delete;
  JudgeWorker& operator=(const JudgeWorker&) = delete;

  // The program that judges in its main() (core/lesson/judge_process.h). Without one, answers are judged in
  // this process, and without limits.
  void set_program(std::string program);
  void judge(JudgeOrder order);
  // Ends the answer that is judged, with its process, and forgets those that wait.
  void cancel();
  std::vector<Action> poll();
  bool busy() const;

  uint64_t submitted = 0;                            // serial of the last answer; 0 for none
  std::shared_ptr<const LoadedChallenge> specified;  // whose specification was asked for

 private:
  void work(const std::stop_token& quit);

  std::function<void()> m_on_news;
  std::string m_program;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::vector<JudgeOrder> m_orders;
  bool m_judging = false;
  bool m_answering = false;  // m_judging, and it is an answer
  std::stop_source m_stop;   // of the order at work
  std::vector<Action> m_news;
  std::jthread m_thread;  // last member: it uses all of the above
};

// Gives the worker what the state asks for, and the state what the worker says. Call it once in each frame.
void drive_judge(AppState& state, JudgeWorker& worker);

}  // namespace warplens
