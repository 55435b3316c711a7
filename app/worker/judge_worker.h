// Judges answers to challenges, each in a process of its own as `warplens judge` does, and makes the pictures
// of their specifications. A thread of its own waits for that.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/state/actions.h"
#include "core/base/system/mailbox.h"

namespace warplens {

struct JudgeOrder {
  uint64_t serial = 0;
  std::shared_ptr<const LoadedChallenge> challenge;
  std::string source;
  std::string file;          // its name; empty: only the specification
  std::string path;          // of a file that is judged instead of `source`, as it is then; empty for none
  std::string program = {};  // JudgeWorker::set_program
};

class JudgeWorker {
 public:
  // It calls `on_event` on its thread whenever poll() has something new.
  explicit JudgeWorker(std::function<void()> on_event);
  ~JudgeWorker();
  JudgeWorker(const JudgeWorker&) = delete;
  JudgeWorker& operator=(const JudgeWorker&) = delete;

  // The program that judges in its main() (core/lesson/judge/judge_process.h). Without one, answers are
  // judged in this process, and without limits.
  void set_program(std::string program) { m_program = std::move(program); }
  // An answer to another challenge replaces those that wait.
  void judge(JudgeOrder order);
  // Ends the answer that is judged, with its process, and forgets those that wait.
  void cancel();
  std::vector<Action> poll() { return m_box.take(); }
  bool busy() const { return m_box.busy(); }

  uint64_t submitted = 0;                            // serial of the last answer; 0 for none
  std::shared_ptr<const LoadedChallenge> specified;  // whose specification was asked for

 private:
  struct OpenJudge;

  std::string m_program;
  std::unique_ptr<OpenJudge> m_open;  // only the worker uses it
  Mailbox<JudgeOrder, Action> m_box;  // last member: its thread uses the one before
};

// Gives the worker what the state asks for, and the state what the worker says. Call it once in each frame.
void drive_judge(AppState& state, JudgeWorker& worker);

}  // namespace warplens
