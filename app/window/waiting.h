// Says on stderr what the program waits for, if that takes long and cannot be cancelled.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace warplens {

class Waiting {
 public:
  using Say = std::function<void(const std::string&)>;
  // Prints `words` after `patience`, and at the end how long it took.
  explicit Waiting(std::string words, std::chrono::milliseconds patience = std::chrono::seconds(5),
                   Say say = say_on_stderr);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  static void say_on_stderr(const std::string& words);

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_began = Clock::now();
  Say m_say;
  bool m_said = false;  // set by the thread, which is joined before this is read
  std::mutex m_mutex;
  std::condition_variable_any m_over;
  std::jthread m_thread;  // last member: it uses the others
};

}  // namespace warplens
